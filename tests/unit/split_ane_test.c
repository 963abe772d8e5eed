/* A split over the CPU's reference and the engine ane, over the stand-in of its framework, goes on
 * without the latter whatever becomes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/split_standins.h"

enum { N = 128, K = 96, M = 96, REF = 0, ANE = 1 };

#define SPECIFICATION "ane,helper=none,rows=32"
#define PATIENCE_NS   60000000000u /* for machines that are busy with other things */

static const yoke_axis axes[] = {YOKE_AXIS_N, YOKE_AXIS_M};

static void both_do_their_part(void **state)
{
    (void)state;
    for (int a = 0; a < 2; a++) {
        bench b;
        open_beside_ref(&b, SPECIFICATION, M, N, K, axes[a], PATIENCE_NS);
        for (int i = 0; i < 3; i++) {
            multiply_right(&b, M);
            assert_int_equal(b.run.part_count, 2);
            assert_int_equal(part_of(&b, ANE)->failed, YOKE_OK);
            assert_int_equal(b.run.quarantined, 0);
        }
        finish(&b);
    }
}

/* Its part of a product fails: the other does it, the run says so, and goes on alone. */
static void check_goes_on(const char *switches, yoke_status status, const char *says)
{
    for (int a = 0; a < 2; a++) {
        bench b;
        open_beside_ref(&b, SPECIFICATION, M, N, K, axes[a], PATIENCE_NS);
        multiply_right(&b, M);
        standins_switch(switches);
        multiply_right(&b, M);
        assert_int_equal(part_of(&b, ANE)->failed, status);
        assert_int_equal(part_of(&b, ANE)->redone_by, REF);
        assert_int_equal(part_of(&b, REF)->failed, YOKE_OK);
        assert_int_equal(b.run.quarantined, 1u << ANE);
        if (!strstr(b.run.note, says))
            fail_msg("\"%s\" does not say \"%s\"", b.run.note, says);
        multiply_right(&b, M);
        assert_int_equal(b.run.part_count, 1);
        finish(&b);
    }
}

static void an_evaluation_that_fails_is_done_elsewhere(void **state)
{
    (void)state;
    check_goes_on("evaluate_fails", YOKE_ERR_ENGINE, "evaluateWithQoS:options:request:error:");
}

static void a_lost_device_is_made_good(void **state)
{
    (void)state;
    check_goes_on("device_is_lost", YOKE_ERR_ENGINE, "program not found");
    check_goes_on("evaluate_times_out", YOKE_ERR_TIMEOUT, "timeout error");
}

static void silent_zeros_are_found(void **state)
{
    (void)state;
    check_goes_on("evaluate_gives_zeros", YOKE_ERR_CHECK, "ane");
}

static void silent_infinities_are_found(void **state)
{
    (void)state;
    check_goes_on("evaluate_gives_inf", YOKE_ERR_CHECK, "ane");
}

static void a_wrong_value_is_found(void **state)
{
    (void)state;
    check_goes_on("evaluate_is_wrong", YOKE_ERR_CHECK, "ane");
}

/* What was given up may end later, and must not touch anything then. */
static void a_product_that_never_ends_is_done_elsewhere(void **state)
{
    (void)state;
    bench b;
    open_beside_ref(&b, SPECIFICATION, M, N, K, YOKE_AXIS_N, 1000000000u);
    standins_switch("evaluate_hangs");
    multiply_right(&b, M);
    assert_int_equal(part_of(&b, ANE)->failed, YOKE_ERR_TIMEOUT);
    assert_int_equal(part_of(&b, ANE)->redone_by, REF);
    multiply_right(&b, M);
    assert_int_equal(b.run.part_count, 1);
    standins_switch("");
    bench_close(&b);
    assert_string_equal(standins_live_at_last(), "");
}

/* A weight that cannot be compiled: the plan does without the engine. */
static void a_compiler_that_fails_leaves_a_plan_without_it(void **state)
{
    (void)state;
    static const bench_engine engines[] = {{"ref", 100}, {"ane,helper=none,rows=64", 100}};
    const yoke_plan_options options = {.m = M, .solve = {.join_ns = -1}};
    bench b;
    standins_switch("compile_fails");
    bench_open(&b, engines, 2, N, K);
    for (size_t i = 0; i < N * K; i++)
        ((float *)b.w.data)[i] = f16_to_f32(f16_from_f32(((float *)b.w.data)[i]));
    bench_plan(&b, &options);
    multiply_right(&b, M);
    assert_null(part_of(&b, ANE));
    finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_do_their_part),
        cmocka_unit_test(an_evaluation_that_fails_is_done_elsewhere),
        cmocka_unit_test(a_lost_device_is_made_good),
        cmocka_unit_test(silent_zeros_are_found),
        cmocka_unit_test(silent_infinities_are_found),
        cmocka_unit_test(a_wrong_value_is_found),
        cmocka_unit_test(a_compiler_that_fails_leaves_a_plan_without_it),
        cmocka_unit_test(a_product_that_never_ends_is_done_elsewhere),
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
