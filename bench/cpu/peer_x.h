/* x in the form a peer wants it. Memory for free(); NULL without. */
#ifndef CPU_PEER_X_H
#define CPU_PEER_X_H

#include "yoke/yoke.h"

void *x_as(const yoke_matrix *x, yoke_format format);

/* x of a product with an int8 weight, in steps of X_INT8_STEP. */
void *x_as_int8(const yoke_matrix *x);

#endif
