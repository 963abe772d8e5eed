/* A product on the engine ane over the stand-in of its framework, and what must be left of it. */
#ifndef UNIT_ENGINES_ANE_BENCH_H
#define UNIT_ENGINES_ANE_BENCH_H

#include <errno.h>
#include <sys/wait.h>

#include "standin/apple/standins.h"
#include "unit/engines_apple_product.h"

/* Compiling in this process, or in the helper. */
#define HERE   "ane,helper=none"
#define HELPED "ane,helper=" ANE_HELPER

#define F16_ULP (1.0 / 1024)

/* An engine over stand-ins that behave so. */
typedef struct ane_bench {
    yoke_context *context;
    yoke_engine *engine;
    apple_product product;
} ane_bench;

static inline void ane_open(ane_bench *b, const char *specification, const char *switches)
{
    yoke_error err = {0};
    standins_switch(switches);
    assert_ok(yoke_context_create(NULL, &b->context, &err), &err);
    assert_ok(yoke_engine_open(b->context, specification, &b->engine, &err), &err);
}

/* Nothing is left: no objects, surfaces, locks or programs, no files, no processes. */
static inline void ane_finish(ane_bench *b)
{
    apple_product_free(&b->product);
    yoke_engine_free(b->engine);
    yoke_context_free(b->context);
    assert_string_equal(standins_live(), "");
    assert_string_equal(standins_left_behind(), "");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    standins_switch("");
}

/* A product of f32 x and y with w of that format. The stand-in has a memory for what it compiled,
 * so tests that must compile take a size of their own. */
static inline void ane_make(ane_bench *b, yoke_format w, size_t m, size_t n, size_t k)
{
    apple_product_make(&b->product, w, YOKE_F32, YOKE_F32, m, n, k);
}

/* x and w are rounded to fp16, each product and the result as well: half a unit each time. */
static inline void ane_assert_right(const ane_bench *b)
{
    const yoke_matrix *x = &b->product.x, *w = &b->product.w, *y = &b->product.y;
    float *xs = apple_floats(x), *ws = apple_floats(w);
    for (size_t m = 0; m < y->rows; m++)
        for (size_t n = 0; n < y->cols; n++) {
            double sum = 0, magnitude = 0;
            for (size_t k = 0; k < x->cols; k++) {
                const double term = (double)xs[m * x->cols + k] * (double)ws[n * w->cols + k];
                sum += term;
                magnitude += fabs(term);
            }
            const double error = fabs(apple_value(y, m, n) - sum);
            if (!(error <= F16_ULP / 2 * (3 * magnitude + fabs(sum)) + 1e-5))
                fail_msg("y[%zu][%zu] is %g, not %g", m, n, apple_value(y, m, n), sum);
        }
    free(xs);
    free(ws);
}

static inline yoke_status ane_run(ane_bench *b)
{
    const yoke_multiply_options options = {0};
    return apple_product_run(&b->product, b->engine, &options);
}

static inline void ane_run_right(ane_bench *b)
{
    assert_ok(ane_run(b), &b->product.err);
    ane_assert_right(b);
}

#endif
