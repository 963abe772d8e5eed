/* What the tests of splits over Apple's stand-ins share; after cmocka's headers. */
#ifndef UNIT_SPLIT_STANDINS_H
#define UNIT_SPLIT_STANDINS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/half.h"
#include "standin/apple/standins.h"
#include "unit/split_bench.h"

/* ref and one of a Mac's engines, as fast by their curves, so that both get a part; w is what f16
 * holds. */
static inline void open_beside_ref(bench *b, const char *specification, size_t m, size_t n,
                                   size_t k, yoke_axis axis, uint64_t deadline_ns)
{
    const bench_engine engines[] = {{"ref", 100}, {specification, 100}};
    const yoke_plan_options options = {.m = m,
                                       .check_every = true,
                                       .fixed = true, /* a simulated device is slow */
                                       .deadline_ns = deadline_ns,
                                       .solve = {.axis = axis, .join_ns = -1}};
    standins_switch("");
    bench_open(b, engines, 2, n, k);
    for (size_t i = 0; i < n * k; i++)
        ((float *)b->w.data)[i] = f16_to_f32(f16_from_f32(((float *)b->w.data)[i]));
    bench_plan(b, &options);
}

static inline void finish(bench *b)
{
    standins_switch("");
    bench_close(b);
    assert_string_equal(standins_live(), "");
    assert_string_equal(standins_left_behind(), "");
}

/* To what fp16 makes of x and of the products: values are below 1, and so is each error. */
static inline void multiply_right(bench *b, size_t m)
{
    bench_operands(b, m);
    assert_ok(bench_multiply(b, NULL), &b->err);
    const float *y = b->y.data, *right = b->right.data;
    for (size_t i = 0; i < m * b->w.rows; i++)
        if (!(fabsf(y[i] - right[i]) <= 2 * (float)b->w.cols * 0x1p-11f))
            fail_msg("y[%zu] is %g, not %g", i, (double)y[i], (double)right[i]);
}

/* NULL when the engine has none. */
static inline const yoke_run_part *part_of(const bench *b, size_t engine)
{
    for (size_t i = 0; i < b->run.part_count; i++)
        if (b->run.parts[i].engine == engine)
            return &b->run.parts[i];
    return NULL;
}

#endif
