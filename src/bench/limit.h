/* The machine's own limits, as an engine measures them. */
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

#include "bench/bench.h"

/* A plain read of a window of the artefact, for yoke_sample. */
typedef struct bench_read_limit {
    yoke_engine *engine;
    const yoke_matrix *w;
    size_t window, granule; /* outputs */
    size_t runs;
    bool failed;
} bench_read_limit;

/* Bytes of w's rows without gaps; 0 when rows have gaps and a plain read would read them too. */
size_t bench_limit_bytes(const yoke_matrix *w, size_t rows);

/* For yoke_sample: the time of reading the window once, by the engine's own account. */
yoke_status bench_read_limit_run(void *arg, double *elapsed_ns, yoke_error *err);

/* The register-only peak for the arithmetic of the engine's products, operations per second. */
yoke_status bench_compute_limit(const bench *b, const bench_engine *e, double *per_second,
                                yoke_error *err);

#endif
