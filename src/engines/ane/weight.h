/* A weight made ready: its groups, each with a program for each number of rows. */
#ifndef ANE_WEIGHT_H
#define ANE_WEIGHT_H

#include "engines/ane/layout.h"
#include "engines/ane/program.h"
#include "engines/ane/transfer.h"
#include "engines/worker.h"

/* A program, and what it was made of, which the framework goes on to hold. */
typedef struct ane_compiled {
    ane_program program;
    char *text;
} ane_compiled;

/* A group's weight file, shared by its programs, which are those of sizes 0 .. size_count - 1. */
typedef struct ane_prepared_group {
    void *file;
    ane_compiled compiled[ANE_SIZES_MOST];
} ane_prepared_group;

typedef struct ane_weight {
    worker_thing thing;
    const ane_framework *framework;
    size_t n, k;
    const char *path; /* how it is computed; static */
    bool surface;
    ane_layout layout;
    ane_prepared_group *groups; /* as in the layout */
    bool refused;               /* the compiler took neither spelling of a program */
    double largest_sum;         /* of a row's magnitudes in a program; 0: sums are not guarded */
    ane_affine *outputs;        /* or NULL */
    float *sums;                /* room for the largest number of rows of a group's outputs, */
    ane_row *rows;              /*   and for those rows; the worker's */
} ane_weight;

/* The maker's framework outlives it. Errors: those of the encoding, the layout and the programs. */
yoke_status ane_weight_prepare(const ane_maker *maker, const yoke_matrix *w, ane_weight **out,
                               yoke_prepare_report *report, yoke_error *err);

/* Frees it, once no product that was given up may use it any more. */
void ane_weight_discard(ane_weight *w, worker *of);

#endif
