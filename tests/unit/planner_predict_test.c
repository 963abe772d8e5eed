/* Predictions on machines of known figures, against arithmetic written out here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "planner_support.h"
#include "unit/measure_near.h"

/* 100 GB/s, 1 TFLOP/s, 5 us a call; and 50 GB/s, 2 TFLOP/s, 10 us. */
static yoke_planner_machine two_engines(void)
{
    yoke_planner_machine machine = {.name = "two", .count = 2};
    machine.engines[0] = planner_engine("reader", 100, 1, 5);
    machine.engines[1] = planner_engine("counter", 50, 2, 10);
    return machine;
}

static yoke_planner_model *one_product(size_t count)
{
    yoke_planner_model *model = planner_create("one");
    planner_add(model, "w", 4096, 1024, count, YOKE_F16);
    return model;
}

static void token_takes_a_call_and_the_read_of_its_weights(void **state)
{
    (void)state;
    yoke_planner_machine machine = two_engines();
    yoke_planner_model *model = one_product(3);
    yoke_planner_prediction p = planner_predict(model, &machine, 64, 0);
    double bytes = 2.0 * 4096 * 1024;
    assert_near(p.decode.bytes, 3 * bytes, 0);
    assert_near(p.decode.operations, 3 * bytes, 0);
    assert_near(p.decode.alone[0].ns.low, 3 * (5000 + bytes / 100), 1e-6);
    assert_near(p.decode.alone[1].ns.high, 3 * (10000 + bytes / 50), 1e-6);
    assert_int_equal(yoke_planner_best(&machine, &p.decode), 0);
    yoke_planner_model_free(model);
}

static void prompt_takes_its_operations(void **state)
{
    (void)state;
    yoke_planner_machine machine = two_engines();
    yoke_planner_model *model = one_product(1);
    yoke_planner_prediction p = planner_predict(model, &machine, 512, 0);
    double operations = 2.0 * 512 * 4096 * 1024;
    assert_int_equal(p.prefill.rows, 512);
    assert_near(p.prefill.operations, operations, 0);
    assert_near(p.prefill.alone[0].ns.low, 5000 + operations / 1000, 1e-6);
    assert_near(p.prefill.alone[1].ns.low, 10000 + operations / 2000, 1e-6);
    assert_int_equal(yoke_planner_best(&machine, &p.prefill), 1);
    yoke_planner_model_free(model);
}

static void prompt_needs_the_head_for_its_last_row_alone(void **state)
{
    (void)state;
    yoke_planner_machine machine = two_engines();
    yoke_planner_model *model = planner_create("head");
    planner_add(model, "head", 4096, 1024, 1, YOKE_F16);
    yoke_planner_prediction p = planner_predict(model, &machine, 512, 0);
    assert_near(p.prefill.operations, 2.0 * 4096 * 1024, 0);
    yoke_planner_model_free(model);
}

static void context_adds_the_read_of_the_cache(void **state)
{
    (void)state;
    yoke_planner_machine machine = two_engines();
    yoke_planner_model *model = planner_open("llama-3.1-8b", YOKE_F16);
    yoke_planner_prediction without = planner_predict(model, &machine, 1, 0),
                            with = planner_predict(model, &machine, 1, 1000);
    /* keys and values of 8 heads of 128 in 32 layers, f16 */
    double bytes = 1000.0 * 2 * 8 * 128 * 32 * 2;
    assert_near(with.decode.bytes - without.decode.bytes, bytes, 0.5);
    assert_near(with.decode.alone[0].ns.low - without.decode.alone[0].ns.low,
                bytes / 100 + 32 * 5000, 1);
    yoke_planner_model_free(model);
}

/* Both read: n1 and n2 outputs end together, 4096 inputs' worth at 100 and at 50 GB/s. */
static void split_shares_a_large_product_by_its_rates(void **state)
{
    (void)state;
    yoke_planner_machine machine = two_engines();
    machine.engines[1].tflops.low = machine.engines[1].tflops.high = 1;
    yoke_planner_model *model = planner_create("large");
    planner_add(model, "w", 65536, 4096, 1, YOKE_F16);
    machine.engines[0].gbps.low = machine.engines[0].gbps.high = 100;
    yoke_planner_prediction p = planner_predict(model, &machine, 4096, 0);
    /* equal in compute: half each */
    assert_near(p.prefill.split.share[0].low, 0.5, 0.01);
    assert_near(p.prefill.split.share[1].high, 0.5, 0.01);
    double alone = p.prefill.alone[0].ns.low;
    assert_near(p.prefill.split.ns.low / alone, 0.5, 0.01);
    assert_int_equal(p.prefill.split.basis, YOKE_PLANNER_ASSUMED);
    yoke_planner_model_free(model);
}

static void memory_of_the_chip_bounds_what_engines_read_together(void **state)
{
    (void)state;
    yoke_planner_machine machine = two_engines();
    machine.engines[1] = planner_engine("counter", 100, 2, 5);
    yoke_planner_model *model = planner_create("large");
    planner_add(model, "w", 65536, 4096, 1, YOKE_F16);
    yoke_planner_prediction p = planner_predict(model, &machine, 1, 0);
    assert_near(p.decode.split.ns.low / p.decode.alone[0].ns.low, 0.5, 0.01);
    machine.system_gbps.low = machine.system_gbps.high = 125;
    p = planner_predict(model, &machine, 1, 0);
    assert_near(p.decode.split.ns.low / p.decode.alone[0].ns.low, 100.0 / 125, 0.01);
    yoke_planner_model_free(model);
}

static void split_is_never_slower_than_the_best_engine(void **state)
{
    (void)state;
    static const char *const chips[] = {"M1", "M2 Ultra", "M3 Ultra", "M4 Max", "M5", "M5 Pro"};
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        yoke_planner_machine machine = planner_chip(chips[i]);
        for (size_t preset = 0; yoke_planner_preset(preset); preset++) {
            yoke_planner_model *model = planner_open(yoke_planner_preset(preset), YOKE_Q8_0);
            yoke_planner_prediction p = planner_predict(model, &machine, 128, 512);
            for (size_t e = 0; e < machine.count; e++) {
                assert_true(p.prefill.split.ns.low <= p.prefill.alone[e].ns.low * 1.000001);
                assert_true(p.prefill.split.ns.high <= p.prefill.alone[e].ns.high * 1.000001);
                assert_true(p.decode.split.ns.low <= p.decode.alone[e].ns.low * 1.000001);
                assert_true(p.decode.split.ns.high <= p.decode.alone[e].ns.high * 1.000001);
            }
            yoke_planner_model_free(model);
        }
    }
}

static void more_bandwidth_never_takes_longer(void **state)
{
    (void)state;
    yoke_planner_model *model = planner_open("llama-3.2-1b", YOKE_F16);
    yoke_planner_machine machine = two_engines();
    double last[4] = {1e18, 1e18, 1e18, 1e18};
    for (double gbps = 20; gbps < 2000; gbps *= 1.7) {
        machine.engines[0].gbps.low = machine.engines[0].gbps.high = gbps;
        yoke_planner_prediction p = planner_predict(model, &machine, 32, 0);
        double now[4] = {p.prefill.alone[0].ns.low, p.decode.alone[0].ns.low,
                         p.prefill.split.ns.low, p.decode.split.ns.low};
        for (size_t i = 0; i < 4; i++) {
            assert_true(now[i] <= last[i] * 1.000001);
            last[i] = now[i];
        }
    }
    yoke_planner_model_free(model);
}

static void ranges_come_from_ranges(void **state)
{
    (void)state;
    yoke_planner_machine machine = two_engines();
    machine.engines[0].gbps.high = 200;
    machine.engines[0].gbps.basis = YOKE_PLANNER_ASSUMED;
    yoke_planner_model *model = one_product(1);
    yoke_planner_prediction p = planner_predict(model, &machine, 1, 0);
    double bytes = 2.0 * 4096 * 1024;
    assert_near(p.decode.alone[0].ns.low, 5000 + bytes / 200, 1e-6);
    assert_near(p.decode.alone[0].ns.high, 5000 + bytes / 100, 1e-6);
    assert_int_equal(p.decode.alone[0].basis, YOKE_PLANNER_ASSUMED);
    assert_int_equal(p.decode.alone[1].basis, YOKE_PLANNER_PUBLISHED);
    yoke_planner_model_free(model);
}

static void engine_without_a_figure_takes_no_part(void **state)
{
    (void)state;
    yoke_planner_machine machine = two_engines();
    machine.engines[0].tflops.low = machine.engines[0].tflops.high = NAN;
    yoke_planner_model *model = one_product(1);
    yoke_planner_prediction p = planner_predict(model, &machine, 1, 0);
    assert_false(p.decode.alone[0].possible);
    assert_true(p.decode.alone[1].possible && p.decode.split.possible);
    assert_near(p.decode.split.share[0].high, 0, 0);
    assert_near(p.decode.split.ns.low, p.decode.alone[1].ns.low, 1e-6);
    yoke_planner_model_free(model);
}

static void neural_engine_reads_blocks_that_it_does_not_know_as_f16(void **state)
{
    (void)state;
    yoke_planner_machine machine = two_engines();
    machine.engines[0].f16_weights = true;
    yoke_planner_model *model = planner_create("blocks");
    planner_add(model, "w", 4096, 1024, 1, YOKE_Q4_0);
    yoke_planner_prediction p = planner_predict(model, &machine, 1, 0);
    assert_near(p.decode.alone[0].ns.low, 5000 + 2.0 * 4096 * 1024 / 100, 1e-6);
    assert_near(p.decode.alone[1].ns.low, 10000 + 4096 * 1024 / 32.0 * 18 / 50, 1e-6);
    yoke_planner_model_free(model);
}

/* ---- By a profile ---- */

/* Two points of a line: 2 us and 10 ns an output at 1 row, and 512 rows 100 times that. */
static yoke_profile *profile_of_1024_inputs(void)
{
    yoke_profile *profile = NULL;
    assert_int_equal(yoke_profile_create(&profile, NULL), YOKE_OK);
    yoke_curve_key key = {.engine = "cpu", .format = YOKE_F16, .k = 1024};
    for (size_t n = 1024; n <= 4096; n *= 4)
        for (size_t m = 1; m <= 512; m *= 512) {
            double ns = (2000 + 10 * (double)n) * (m == 1 ? 1 : 100);
            yoke_curve_point point = {.m = m, .n = n, .median_ns = ns, .count = 9};
            assert_int_equal(yoke_profile_add(profile, &key, &point, NULL), YOKE_OK);
        }
    return profile;
}

static void curve_of_this_machine_is_measured(void **state)
{
    (void)state;
    yoke_profile *profile = profile_of_1024_inputs();
    yoke_planner_machine machine;
    assert_int_equal(yoke_planner_machine_of_profile(profile, &machine, NULL), YOKE_OK);
    assert_int_equal(machine.count, 1);
    yoke_planner_model *model = one_product(2);
    yoke_planner_prediction p = planner_predict(model, &machine, 512, 0);
    assert_near(p.decode.alone[0].ns.low, 2 * (2000 + 10 * 4096.0), 1e-6);
    assert_near(p.prefill.alone[0].ns.high, 2 * 100 * (2000 + 10 * 4096.0), 1e-6);
    assert_int_equal(p.decode.alone[0].basis, YOKE_PLANNER_MEASURED);
    yoke_planner_model_free(model);
    yoke_profile_free(profile);
}

static void products_of_other_inputs_and_formats_are_scaled_and_say_so(void **state)
{
    (void)state;
    yoke_profile *profile = profile_of_1024_inputs();
    yoke_planner_machine machine;
    assert_int_equal(yoke_planner_machine_of_profile(profile, &machine, NULL), YOKE_OK);
    yoke_planner_model *model = planner_create("others");
    planner_add(model, "w", 1024, 2048, 1, YOKE_F16); /* the work of 2048 outputs */
    yoke_planner_prediction p = planner_predict(model, &machine, 512, 0);
    assert_near(p.decode.alone[0].ns.low, 2000 + 10 * 2048.0, 1e-6);
    assert_int_equal(p.decode.alone[0].basis, YOKE_PLANNER_ASSUMED);
    yoke_planner_model_free(model);
    model = planner_create("blocks");
    planner_add(model, "w", 4096, 1024, 1, YOKE_Q8_0); /* 8.5 bits for 16 */
    p = planner_predict(model, &machine, 512, 0);
    assert_near(p.decode.alone[0].ns.low, 2000 + 10 * 4096 * 8.5 / 16, 10);
    assert_near(p.prefill.alone[0].ns.low, 100 * (2000 + 10 * 4096.0), 1e-6);
    yoke_planner_model_free(model);
    yoke_profile_free(profile);
}

static void profile_without_curves_is_no_machine(void **state)
{
    (void)state;
    yoke_profile *profile = NULL;
    yoke_planner_machine machine;
    assert_int_equal(yoke_profile_create(&profile, NULL), YOKE_OK);
    assert_int_equal(yoke_planner_machine_of_profile(profile, &machine, NULL), YOKE_ERR_NOT_FOUND);
    yoke_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token_takes_a_call_and_the_read_of_its_weights),
        cmocka_unit_test(prompt_takes_its_operations),
        cmocka_unit_test(prompt_needs_the_head_for_its_last_row_alone),
        cmocka_unit_test(context_adds_the_read_of_the_cache),
        cmocka_unit_test(split_shares_a_large_product_by_its_rates),
        cmocka_unit_test(memory_of_the_chip_bounds_what_engines_read_together),
        cmocka_unit_test(split_is_never_slower_than_the_best_engine),
        cmocka_unit_test(more_bandwidth_never_takes_longer),
        cmocka_unit_test(ranges_come_from_ranges),
        cmocka_unit_test(engine_without_a_figure_takes_no_part),
        cmocka_unit_test(neural_engine_reads_blocks_that_it_does_not_know_as_f16),
        cmocka_unit_test(curve_of_this_machine_is_measured),
        cmocka_unit_test(products_of_other_inputs_and_formats_are_scaled_and_say_so),
        cmocka_unit_test(profile_without_curves_is_no_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
