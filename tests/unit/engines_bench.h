/* One small product on an engine opened by its specification. */
#ifndef UNIT_ENGINES_BENCH_H
#define UNIT_ENGINES_BENCH_H

#include <signal.h>
#include <sys/time.h>

#include "unit/engines_test.h"

#define BENCH_M 3
#define BENCH_N 8
#define BENCH_K 32

/* x[m][k] = m + 1, w[n][k] = n + 1: y[m][n] = 32 * (m + 1) * (n + 1). */
typedef struct bench {
    yoke_context *context;
    yoke_engine *engine;
    yoke_weight *weight;
    float x_data[BENCH_M * BENCH_K], w_data[BENCH_N * BENCH_K], y_data[BENCH_M * BENCH_N];
    yoke_matrix x, w, y;
    yoke_error err;
} bench;

static inline void bench_open(bench *b, const char *specification)
{
    memset(b, 0, sizeof *b);
    for (size_t i = 0; i < BENCH_M * BENCH_K; i++)
        b->x_data[i] = (float)(i / BENCH_K + 1);
    for (size_t i = 0; i < BENCH_N * BENCH_K; i++)
        b->w_data[i] = (float)(i / BENCH_K + 1);
    b->x = matrix_f32(b->x_data, BENCH_M, BENCH_K);
    b->w = matrix_f32(b->w_data, BENCH_N, BENCH_K);
    b->y = matrix_f32(b->y_data, BENCH_M, BENCH_N);
    assert_ok(yoke_context_create(NULL, &b->context, &b->err), &b->err);
    assert_ok(yoke_engine_open(b->context, specification, &b->engine, &b->err), &b->err);
    assert_ok(yoke_weight_prepare(b->engine, &b->w, &b->weight, NULL, &b->err), &b->err);
}

static inline void bench_close(bench *b)
{
    yoke_weight_free(b->weight);
    yoke_engine_free(b->engine);
    yoke_context_free(b->context);
}

static inline yoke_status bench_multiply(bench *b, const yoke_multiply_options *options,
                                         yoke_timing *timing)
{
    return yoke_weight_multiply(b->weight, &b->x, &b->y, options, timing, &b->err);
}

static volatile bool bench_stop;

static inline void bench_raise_stop(int number)
{
    (void)number;
    bench_stop = true;
}

/* The second product never ends: a flag that a signal sets while it is waited for ends it. */
static inline void bench_expect_stop(const char *specification, yoke_wait_how how,
                                     const char *words)
{
    bench b;
    const yoke_multiply_options options = {.wait = how};
    const struct itimerval soon = {.it_value.tv_usec = 20000};
    bench_stop = false;
    signal(SIGALRM, bench_raise_stop);
    bench_open(&b, specification);
    yoke_engine_heed(b.engine, &bench_stop);
    assert_ok(bench_multiply(&b, &options, NULL), &b.err);
    setitimer(ITIMER_REAL, &soon, NULL);
    assert_int_equal(bench_multiply(&b, &options, NULL), YOKE_ERR_INTERRUPTED);
    assert_says(&b.err, words);
    assert_int_equal(bench_multiply(&b, &options, NULL), YOKE_ERR_ENGINE);
    assert_says(&b.err, "lost");
    bench_close(&b);
}

/* How many elements of y are not what they should be. */
static inline size_t bench_wrong(const bench *b)
{
    size_t wrong = 0;
    for (size_t m = 0; m < BENCH_M; m++)
        for (size_t n = 0; n < BENCH_N; n++)
            wrong += b->y_data[m * BENCH_N + n] != (float)(BENCH_K * (m + 1) * (n + 1));
    return wrong;
}

#endif
