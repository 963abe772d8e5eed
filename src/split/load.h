/* One engine at work on windows of a weight, one product after the other, as something to time. */
#ifndef SPLIT_LOAD_H
#define SPLIT_LOAD_H

#include "yoke/yoke.h"

typedef struct load {
    yoke_engine *engine;
    const yoke_weight *weight; /* prepared by it */
    yoke_matrix x;             /* m by k */
    yoke_matrix y;             /* m by the window's outputs */
    yoke_precision precision;
    yoke_wait_how wait;
    size_t runs;
    yoke_error failure; /* of the run that failed; status YOKE_OK while none did */
} load;

/* For yoke_sample: the next window, from submit to done. arg is a load. */
yoke_status load_run(void *arg, double *elapsed_ns, yoke_error *err);

/* Runs the first window once into a poisoned y and holds the answer against the check of w.
 * Errors: YOKE_ERR_CHECK (a wrong answer), those of the engine; also kept in l->failure. */
yoke_status load_check(load *l, const yoke_check *check, double *elapsed_ns, yoke_error *err);

/* Changes the window to n outputs: y keeps its memory, which has room for m times n elements. */
void load_resize(load *l, size_t n);

#endif
