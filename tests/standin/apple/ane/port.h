/* The inputs and outputs of a procedure, in the layout of surfaces. */
#ifndef STANDIN_ANE_PORT_H
#define STANDIN_ANE_PORT_H

#include "program.h"

/* Are all dimensions within the chip's limits? */
bool port_axes_fit(const tensor *t);

/* Fill of->inputs and of->outputs. False when a surface cannot hold one of them (said for the
 * outputs). */
bool ports_of_inputs(procedure *of);
bool ports_of_outputs(procedure *of, variables *seen);

/* Bytes that a surface must have. */
size_t port_bytes(const port *p);

/* Values to and from a surface's bytes. */
void port_read(const port *p, const unsigned char *from, float *values);
void port_write(const port *p, const float *values, unsigned char *to);

#endif
