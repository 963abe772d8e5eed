/* A weight made ready: its groups, each a function of a program for each number of rows. */
#ifndef ANE_WEIGHT_H
#define ANE_WEIGHT_H

#include "engines/ane/bank.h"
#include "engines/ane/transfer.h"
#include "engines/worker.h"

typedef struct ane_weight {
    worker_thing thing;
    const ane_framework *framework;
    size_t n, k;
    const char *path; /* how it is computed; static */
    bool surface;
    ane_layout layout;
    ane_prepared_group *groups; /* as in the layout */
    double largest_sum;         /* of a row's magnitudes in a program; 0: sums are not guarded */
    ane_affine *outputs;        /* or NULL */
    float *sums;                /* room for the largest number of rows of a group's outputs, */
    ane_row *rows;              /*   and for those rows; the worker's */
} ane_weight;

/* With programs of its own. The maker's framework outlives it. Errors: those of the encoding, the
 * layout and the programs. */
yoke_status ane_weight_prepare(const ane_maker *maker, const yoke_matrix *w, ane_weight **out,
                               yoke_prepare_report *report, yoke_error *err);

/* Frees it, prepared or not, once no run that was given up may use it any more. */
void ane_weight_discard(ane_weight *w, worker *of);

/* The steps, for several that share programs: w zeroed is cut, so that its groups can be made, and
 * finished once they are. It is cleared after any error, and before another try. */
yoke_status ane_weight_plan(const ane_maker *maker, const ane_encoding *e, ane_weight *w,
                            yoke_error *err);
void ane_weight_finish(const ane_maker *maker, const ane_encoding *e, ane_weight *w,
                       yoke_prepare_report *report);
void ane_weight_clear(ane_weight *w);

#endif
