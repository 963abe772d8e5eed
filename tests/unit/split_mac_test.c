/* Splits over the CPU's reference and an engine of a Mac, over the stand-ins of its frameworks, go
 * on without the latter when it fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/half.h"
#include "standin/apple/standins.h"
#include "unit/split_bench.h"

enum { N = 64, K = 96, M = 32, REF = 0, MAC = 1 };

/* Two engines that are as fast by their curves, so that both get a part. */
static void open_two(bench *b, const char *specification, yoke_axis axis)
{
    const bench_engine engines[] = {{"ref", 100}, {specification, 100}};
    const yoke_plan_options options = {.m = M,
                                       .check_every = true,
                                       .fixed = true, /* a simulated device is slow */
                                       .deadline_ns = 10000000000u,
                                       .solve = {.axis = axis, .join_ns = -1}};
    standins_switch("");
    bench_open(b, engines, 2, N, K);
    for (size_t i = 0; i < N * K; i++) /* what f16 holds */
        ((float *)b->w.data)[i] = f16_to_f32(f16_from_f32(((float *)b->w.data)[i]));
    bench_plan(b, &options);
}

static void finish(bench *b)
{
    standins_switch("");
    bench_close(b);
    assert_string_equal(standins_live(), "");
    assert_string_equal(standins_left_behind(), "");
}

/* To what fp16 makes of x and of the products: values are below 1, and so is each error. */
static void multiply_right(bench *b)
{
    bench_operands(b, M);
    assert_ok(bench_multiply(b, NULL), &b->err);
    const float *y = b->y.data, *right = b->right.data;
    for (size_t i = 0; i < M * N; i++)
        if (!(fabsf(y[i] - right[i]) <= 2 * K * 0x1p-11f))
            fail_msg("y[%zu] is %g, not %g", i, (double)y[i], (double)right[i]);
}

static const yoke_run_part *part_of(const bench *b, size_t engine)
{
    for (size_t i = 0; i < b->run.part_count; i++)
        if (b->run.parts[i].engine == engine)
            return &b->run.parts[i];
    fail_msg("engine %zu has no part", engine);
    return NULL;
}

static const struct {
    const char *specification, *fault, *says;
} engines[] = {
    {"metal", "metal_lost_at=1", "Device Removed"},
    {"coreml,round=1,rows=16", "coreml_dies", "Unable to compute"},
};

static void each_does_its_part_beside_the_cpu(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        bench b;
        open_two(&b, engines[i / 2].specification, i % 2 ? YOKE_AXIS_M : YOKE_AXIS_N);
        multiply_right(&b);
        assert_int_equal(b.run.part_count, 2);
        assert_int_equal(part_of(&b, MAC)->failed, YOKE_OK);
        assert_int_equal(b.run.quarantined, 0);
        finish(&b);
    }
}

static void a_lost_one_is_made_good_and_left_out(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        bench b;
        open_two(&b, engines[i].specification, YOKE_AXIS_M);
        multiply_right(&b);
        standins_switch(engines[i].fault);
        multiply_right(&b);
        assert_int_equal(part_of(&b, MAC)->failed, YOKE_ERR_ENGINE);
        assert_int_equal(part_of(&b, MAC)->redone_by, REF);
        assert_int_equal(b.run.quarantined, 1u << MAC);
        assert_non_null(strstr(b.run.note, engines[i].says));
        multiply_right(&b);
        assert_int_equal(b.run.part_count, 1);
        finish(&b);
    }
}

static void wrong_results_are_found(void **state)
{
    (void)state;
    bench b;
    open_two(&b, "metal", YOKE_AXIS_M);
    standins_switch("mps_adds=1");
    multiply_right(&b);
    assert_int_equal(part_of(&b, MAC)->failed, YOKE_ERR_CHECK);
    assert_int_equal(b.run.quarantined, 1u << MAC);
    finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_does_its_part_beside_the_cpu),
        cmocka_unit_test(a_lost_one_is_made_good_and_left_out),
        cmocka_unit_test(wrong_results_are_found),
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
