/* A plan over simulated engines whose curves the test gives. */
#ifndef UNIT_SPLIT_BENCH_H
#define UNIT_SPLIT_BENCH_H

#include <math.h>
#include <stdlib.h>

#include "unit/engines_test.h"
#include "yoke/plan.h"

/* An engine and what its curve says: ns for each output at one row of x, in proportion to rows. */
typedef struct bench_engine {
    const char *specification;
    double ns_per_output;
} bench_engine;

typedef struct bench {
    yoke_context *context;
    yoke_engine *engines[YOKE_SPLIT_MAX_ENGINES];
    size_t count;
    yoke_profile *profile;
    yoke_plan *plan;
    yoke_matrix x, w, y, right;
    yoke_run run;
    yoke_error err;
} bench;

static inline void bench_add_curve(bench *b, size_t i, double ns_per_output)
{
    const yoke_curve_key key = {.engine = yoke_engine_specification(b->engines[i]),
                                .description = yoke_engine_describe(b->engines[i])->description,
                                .format = b->w.format,
                                .k = b->w.cols,
                                .x_format = YOKE_F32};
    for (size_t n = 1; n <= b->w.rows; n += b->w.rows > 1 ? b->w.rows - 1 : 1) {
        const yoke_curve_point point = {.m = 1, .n = n, .median_ns = ns_per_output * (double)n};
        assert_ok(yoke_profile_add(b->profile, &key, &point, &b->err), &b->err);
    }
}

/* Opens the engines; w is n by k, random. */
static inline void bench_open(bench *b, const bench_engine *engines, size_t count, size_t n,
                              size_t k)
{
    memset(b, 0, sizeof *b);
    b->count = count;
    assert_ok(yoke_context_create(NULL, &b->context, &b->err), &b->err);
    assert_ok(yoke_profile_create(&b->profile, &b->err), &b->err);
    assert_ok(yoke_matrix_create(YOKE_F32, n, k, &b->w, &b->err), &b->err);
    assert_ok(yoke_matrix_fill_random(&b->w, 1, &b->err), &b->err);
    for (size_t i = 0; i < count; i++) {
        assert_ok(yoke_engine_open(b->context, engines[i].specification, &b->engines[i], &b->err),
                  &b->err);
        if (engines[i].ns_per_output > 0)
            bench_add_curve(b, i, engines[i].ns_per_output);
    }
}

static inline void bench_plan(bench *b, const yoke_plan_options *options)
{
    assert_ok(yoke_plan_create(b->engines, b->count, &b->w, b->profile, options, &b->plan, &b->err),
              &b->err);
}

static inline void bench_close(bench *b)
{
    yoke_plan_free(b->plan);
    for (size_t i = 0; i < b->count; i++)
        yoke_engine_free(b->engines[i]);
    yoke_profile_free(b->profile);
    yoke_context_free(b->context);
    yoke_matrix_free(&b->x);
    yoke_matrix_free(&b->w);
    yoke_matrix_free(&b->y);
    yoke_matrix_free(&b->right);
}

/* Random x of m rows, y of NaN, and what y should become with alpha 1 and beta 0. */
static inline void bench_operands(bench *b, size_t m)
{
    yoke_matrix_free(&b->x);
    yoke_matrix_free(&b->y);
    yoke_matrix_free(&b->right);
    assert_ok(yoke_matrix_create(YOKE_F32, m, b->w.cols, &b->x, &b->err), &b->err);
    assert_ok(yoke_matrix_create(YOKE_F32, m, b->w.rows, &b->y, &b->err), &b->err);
    assert_ok(yoke_matrix_create(YOKE_F32, m, b->w.rows, &b->right, &b->err), &b->err);
    assert_ok(yoke_matrix_fill_random(&b->x, 2, &b->err), &b->err);
    if (m > 0)
        memset(b->y.data, 0xff, m * b->w.rows * sizeof(float));
    assert_ok(yoke_matrix_product(1, &b->x, &b->w, 0, &b->right, &b->err), &b->err);
}

static inline yoke_status bench_multiply(bench *b, const yoke_matmul_options *options)
{
    return yoke_matmul(b->plan, &b->x, &b->y, options, &b->run, &b->err);
}

/* The simulated engines give the bits of the reference product. */
static inline bool bench_is_right(const bench *b)
{
    size_t bytes = b->y.rows * b->y.cols * sizeof(float);
    return bytes == 0 || memcmp(b->y.data, b->right.data, bytes) == 0;
}

/* A product of m rows; fails the test when it does not come out right. */
static inline void bench_multiply_right(bench *b, size_t m)
{
    bench_operands(b, m);
    assert_ok(bench_multiply(b, NULL), &b->err);
    assert_true(bench_is_right(b));
}

/* The parts of the last run follow each other over all of the axis. */
static inline void bench_parts_cover(const bench *b, size_t total)
{
    size_t at = 0;
    for (size_t i = 0; i < b->run.part_count; i++) {
        assert_int_equal(b->run.parts[i].begin, at);
        assert_true(b->run.parts[i].count > 0);
        at += b->run.parts[i].count;
    }
    assert_int_equal(at, total);
}

#endif
