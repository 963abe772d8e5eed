/* Figures of a chip: published, or scaled from others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "planner/near.h"
#include "planner_support.h"
#include "unit/measure_near.h"

static const yoke_planner_engine *engine_of(const yoke_planner_machine *machine, const char *name)
{
    for (size_t i = 0; i < machine->count; i++)
        if (strcmp(machine->engines[i].name, name) == 0)
            return &machine->engines[i];
    fail_msg("no engine %s", name);
    return NULL;
}

static void slope_of_the_neural_engine_is_published(void **state)
{
    (void)state;
    yoke_planner_machine machine = planner_chip("m4-max"); /* spelled as people do */
    assert_string_equal(machine.name, "M4 Max");
    assert_near(machine.system_gbps.low, 546, 0);
    const yoke_planner_figure *gbps = &engine_of(&machine, "ane")->gbps;
    assert_near(gbps->low, 138.98, 1e-9);
    assert_near(gbps->high, 138.98, 1e-9);
    assert_int_equal(gbps->basis, YOKE_PLANNER_PUBLISHED);
    assert_non_null(strstr(gbps->source, "anemll-bench/issues/1"));
}

static void two_neural_engines_compute_twice_as_much(void **state)
{
    (void)state;
    yoke_planner_machine machine = planner_chip("M3 Ultra");
    assert_near(engine_of(&machine, "ane")->tflops.low, 2 * 8.08, 1e-9);
}

static void several_rows_of_a_fact_make_a_range(void **state)
{
    (void)state;
    yoke_planner_machine machine = planner_chip("M4");
    assert_near(engine_of(&machine, "ane")->tflops.low, 11.74, 1e-9);
    assert_near(engine_of(&machine, "ane")->tflops.high, 18.6, 1e-9);
}

/* The M5's 13.84 on 10 cores, for 20. */
static void gpu_is_scaled_by_its_cores_within_a_generation(void **state)
{
    (void)state;
    yoke_planner_machine machine = planner_chip("M5 Pro");
    const yoke_planner_figure *tflops = &engine_of(&machine, "gpu")->tflops;
    assert_near(tflops->low, 27.68, 1e-9);
    assert_near(tflops->high, 27.68, 1e-9);
    assert_int_equal(tflops->basis, YOKE_PLANNER_ASSUMED);
    assert_string_equal(tflops->source, "scaled by gpu_cores from M5");
}

static void bandwidth_of_a_gpu_is_that_part_of_the_chip_which_others_reach(void **state)
{
    (void)state;
    yoke_planner_machine machine = planner_chip("M3");
    const yoke_planner_figure *gbps = &engine_of(&machine, "gpu")->gbps;
    assert_near(gbps->low, 385.6 / 400 * 100, 1e-9);
    assert_non_null(strstr(gbps->source, "M3 Max"));
}

static void figure_that_nothing_is_known_of_is_absent(void **state)
{
    (void)state;
    yoke_planner_machine machine = planner_chip("M5 Ultra"); /* system bandwidth not published */
    assert_true(isnan(machine.system_gbps.low));
    assert_true(isnan(engine_of(&machine, "gpu")->gbps.low));
}

static void derived_facts_follow_from_what_their_notes_say(void **state)
{
    (void)state;
    yoke_chips *chips = NULL;
    assert_int_equal(yoke_chips_open(NULL, NULL, &chips, NULL), YOKE_OK);
    const yoke_chip_fact *fact;
    size_t lines = 0, prompts = 0;
    for (size_t i = 0; (fact = yoke_chips_fact_at(chips, i)); i++) {
        double f16, q4, prompt;
        if (sscanf(fact->note, "line through %lf tokens/s in f16 and %lf in q4_0", &f16, &q4) ==
            2) {
            double slope = (13.214 - 3.750) / (1 / f16 - 1 / q4);
            double call_us = 1e6 * (1 / f16 - 13.214 / slope) / 225;
            assert_near(fact->number, slope, 0.1);
            assert_near(yoke_chips_fact(chips, fact->chip, "gpu_call_us")->number, call_us, 0.1);
            lines++;
        }
        if (strstr(fact->note, "tokens/s of a prompt of LLaMA 2 7B") &&
            sscanf(fact->note, "%lf", &prompt) == 1) {
            /* 32 layers of 4 * 4096^2 + 3 * 4096 * 11008 weights */
            double operations = 2 * 32 * (4 * 4096.0 * 4096 + 3 * 4096.0 * 11008);
            assert_near(fact->number, prompt * operations / 1e12, 0.01);
            prompts++;
        }
    }
    assert_int_equal(lines, 3);
    assert_int_equal(prompts, 3);
    yoke_chips_free(chips);
}

static void refused(const char *chip, const char *part)
{
    yoke_chips *chips = NULL;
    yoke_planner_machine machine;
    yoke_error err = {0};
    assert_int_equal(yoke_chips_open(NULL, NULL, &chips, NULL), YOKE_OK);
    assert_int_equal(yoke_planner_machine_of_chip(chips, chip, &machine, &err), YOKE_ERR_NOT_FOUND);
    if (!strstr(err.text, part))
        fail_msg("'%s' has no '%s'", err.text, part);
    yoke_chips_free(chips);
}

static void unknown_chip_names_those_spelled_nearly_so(void **state)
{
    (void)state;
    refused("M4 Mx", "near: M4 Max");
    refused("Snapdragon X", "it has M1, M1 Pro");
}

static void distance_counts_letters(void **state)
{
    (void)state;
    assert_int_equal(near_distance("M4 Max", "m4 max"), 0);
    assert_int_equal(near_distance("kitten", "sitting"), 3); /* Levenshtein's example */
    assert_int_equal(near_distance("", "abc"), 3);
}

static void only_the_chosen_engines_are_kept_in_their_order(void **state)
{
    (void)state;
    static const char *const chosen[] = {"cpu", "gpu"}, *const unknown[] = {"cpu", "npu"},
                             *const twice[] = {"cpu", "cpu"};
    yoke_planner_machine machine = planner_chip("M1");
    yoke_error err = {0};
    assert_int_equal(yoke_planner_machine_keep(&machine, unknown, 2, &err), YOKE_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "no engine 'npu'"));
    assert_int_equal(yoke_planner_machine_keep(&machine, twice, 2, &err), YOKE_ERR_NOT_FOUND);
    assert_int_equal(machine.count, 3);
    assert_int_equal(yoke_planner_machine_keep(&machine, chosen, 2, &err), YOKE_OK);
    assert_int_equal(machine.count, 2);
    assert_string_equal(machine.engines[0].name, "cpu");
    assert_string_equal(machine.engines[1].name, "gpu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slope_of_the_neural_engine_is_published),
        cmocka_unit_test(two_neural_engines_compute_twice_as_much),
        cmocka_unit_test(several_rows_of_a_fact_make_a_range),
        cmocka_unit_test(gpu_is_scaled_by_its_cores_within_a_generation),
        cmocka_unit_test(bandwidth_of_a_gpu_is_that_part_of_the_chip_which_others_reach),
        cmocka_unit_test(figure_that_nothing_is_known_of_is_absent),
        cmocka_unit_test(derived_facts_follow_from_what_their_notes_say),
        cmocka_unit_test(unknown_chip_names_those_spelled_nearly_so),
        cmocka_unit_test(distance_counts_letters),
        cmocka_unit_test(only_the_chosen_engines_are_kept_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
