/* A program of the engine: checked as its compiler would, and computed. */
#ifndef STANDIN_ANE_PROGRAM_H
#define STANDIN_ANE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "files/arena.h"
#include "image.h"
#include "operation.h"

typedef enum program_fault {
    PROGRAM_FINE,
    PROGRAM_NO_FILE,     /* model.mil or a blob file is not in the folder */
    PROGRAM_INVALID_MIL, /* "InvalidMILProgram" */
    PROGRAM_REFUSED      /* "ANECCompile() FAILED" */
} program_fault;

/* One tensor of a function, as surfaces hold it: rows padded to 64 bytes. */
typedef struct port {
    const char *name;
    mil_element element;
    size_t shape[4]; /* batches, channels, height, width */
    size_t row_stride, plane_stride, batch_stride;
} port;

typedef struct procedure {
    const char *name;
    const mil_function *function;
    port *inputs, *outputs;
    size_t input_count, output_count;
    variables constants;
} procedure;

typedef struct program {
    image files;
    arena memory;
    procedure *procedures;
    size_t procedure_count;
    char why[512]; /* it was refused */
} program;

/* Gathers the text and the blob files that it names from a folder. */
program_fault program_gather(const char *folder, image *out, char *why, size_t room);

/* Takes over the files. *out can be freed whatever comes back; it says why. */
program_fault program_load(image *files, program *out);

/* Computes one procedure: the inputs and outputs in the order of its ports, outputs allocated.
 * False, with why, when it fails. */
bool program_run(const program *p, const procedure *of, const tensor *inputs, tensor *outputs,
                 char *why, size_t room);

void program_free(program *p);

#endif
