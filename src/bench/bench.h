/* What the suites share: one run's settings, one engine's state. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "yoke/bench.h"

typedef struct bench {
    const yoke_artefact *artefact;
    yoke_bench_options options; /* defaults filled in */
    yoke_record *record;
    size_t threads; /* worth running here */
} bench;

typedef struct bench_engine {
    const char *specification;
    yoke_engine *engine;
    const yoke_engine_info *info;
    yoke_weight *weight;   /* the artefact, prepared */
    uint64_t stored_bytes; /* of that weight before it was prepared */
    yoke_prepare_report report;
} bench_engine;

/* Each suite adds its rows. What an engine does wrong becomes a FAILED row; an error means that the
 * run cannot go on: YOKE_ERR_INTERRUPTED, YOKE_ERR_MEMORY. */
yoke_status bench_read(bench *b, bench_engine *e, yoke_error *err);
yoke_status bench_compute(bench *b, bench_engine *e, yoke_error *err);
yoke_status bench_k_padding(bench *b, bench_engine *e, yoke_error *err);
yoke_status bench_dispatch(bench *b, bench_engine *e, yoke_error *err);
yoke_status bench_wake(bench *b, yoke_error *err);
yoke_status bench_contention(bench *b, yoke_context *context, const char *const *specifications,
                             size_t count, yoke_error *err);
yoke_status bench_split(bench *b, yoke_context *context, const char *const *specifications,
                        size_t count, yoke_error *err);

yoke_status bench_ane(bench *b, yoke_context *context, const char *const *specifications,
                      size_t count, yoke_error *err);

/* Opens the engine of this specification, heeding b->options.stop, and describes it in *e.
 * Errors: those of yoke_engine_open; *e has no engine then. */
yoke_status bench_open(const bench *b, yoke_context *context, const char *specification,
                       bench_engine *e, yoke_error *err);

/* Adds a row for a product on an engine, with what the engine and the options say. */
yoke_status bench_add_row(bench *b, const bench_engine *e, const char *suite, const char *what,
                          yoke_record_row **row, yoke_error *err);

/* Does the engine stand in for a device? Its description begins so. */
bool bench_is_simulated(const bench_engine *e);

/* Tells the caller what begins. */
void bench_progress(const bench *b, const bench_engine *e, const char *format, ...)
    YOKE_PRINTF(3, 4);

/* YOKE_ERR_INTERRUPTED once the run is to stop. */
yoke_status bench_go_on(const bench *b, yoke_error *err);

/* The weight for products over windows of so many outputs: the engine's, or, where a window takes
 * as long as the whole, one of the artefact's first outputs; *own is then that one, to be freed,
 * and NULL otherwise. Errors: those of yoke_weight_prepare. */
yoke_status bench_window_weight(const bench *b, const bench_engine *e, size_t outputs,
                                yoke_weight **own, const yoke_weight **weight, yoke_error *err);

/* A random m by k matrix in the format of x. Free with yoke_matrix_free. */
yoke_status bench_make_x(const bench *b, size_t m, size_t k, yoke_matrix *x, yoke_error *err);

#endif
