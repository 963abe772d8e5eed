/* What the parts of a tuning share. */
#ifndef SPLIT_TUNING_H
#define SPLIT_TUNING_H

#include "split/load.h"
#include "yoke/tune.h"

/* One engine being tuned. */
typedef struct tuning_engine {
    yoke_engine *engine;
    yoke_weight *weight; /* w, or its first outputs */
    yoke_curve_key key;
    size_t m, n;      /* the largest window measured last, at that many rows */
    double ns;        /*   and its time; 0 before any */
    bool added;       /* its curve has points of this tuning */
    yoke_error error; /* why it is out; status YOKE_OK while it is not */
} tuning_engine;

typedef struct tuning {
    const yoke_matrix *w;
    const yoke_tune_options *options; /* defaults filled in */
    yoke_profile *profile;
    yoke_check *check;
    tuning_engine engines[YOKE_SPLIT_MAX_ENGINES];
    size_t count;
    yoke_matrix x;    /* for the largest M */
    yoke_matrix y[2]; /* memory for results of TUNING_Y_BYTES; two, for engines side by side */
    uint64_t begin_ns;
} tuning;

/* A window's results take no more memory than this. */
#define TUNING_Y_BYTES ((size_t)64 << 20)

bool tuning_stopped(const tuning *t);
double tuning_seconds_left(const tuning *t);
void tuning_progress(const tuning *t, const char *format, ...) YOKE_PRINTF(2, 3);

/* A window of n outputs at m rows, with its results in memory y[which]. */
load tuning_load(const tuning *t, const tuning_engine *e, size_t m, size_t n, size_t which);

/* The largest window within `wanted` outputs that the engine takes, with its results in y. */
size_t tuning_window(const tuning_engine *e, size_t m, double wanted);

/* Takes an engine out, with what is known of it; one that was interrupted keeps that. */
void tuning_drop(tuning *t, tuning_engine *e, const yoke_error *why);

/* Measures every engine that is still in, at m rows, within about so many seconds: its curve, then
 * its slowdown beside each other one. An engine that fails is taken out. Errors:
 * YOKE_ERR_INTERRUPTED, YOKE_ERR_MEMORY, YOKE_ERR_USAGE (of the profile). */
yoke_status tuning_curves(tuning *t, size_t m, double seconds, yoke_error *err);
yoke_status tuning_pairs(tuning *t, size_t m, double seconds, yoke_error *err);

#endif
