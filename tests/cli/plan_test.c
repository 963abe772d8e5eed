#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "program.h"

static void assert_has(const program *p, const char *part)
{
    if (!text_has(p->out, part))
        fail_msg("no '%s' in:\n%s", part, p->out);
}

static void preset_on_a_chip_is_predicted_and_says_so(void **state)
{
    (void)state;
    program p = program_run("plan", "llama-3.1-8b", "--chip", "M3 Max", "--prompt", "100");
    assert_int_equal(p.exit_code, 0);
    assert_string_equal(p.err, "");
    assert_has(&p, "llama-3.1-8b: 8,030,261,248 weights, 16.06 GB");
    assert_has(&p, "\ngate       14336    4096     32  f16       3758.10 MB\n");
    assert_has(&p, "A prompt of 100 tokens: 15.01 GB");
    assert_has(&p, "\ngpu     reads     386 GB/s ");
    assert_has(&p, "published  XiongjieDai/GPU-Benchmarks-on-LLM-Inference");
    assert_has(&p, "assumed    scaled by ");
    assert_has(&p, "Nothing of this was run: times are predicted.");
    assert_has(&p, "Not counted: reading the cache");
    program_free(&p);
}

static json_t *plan_json(const char *const *arguments)
{
    program p = program_run_list(arguments);
    assert_int_equal(p.exit_code, 0);
    json_error_t error;
    json_t *root = json_loads(p.out, 0, &error);
    if (!root)
        fail_msg("%s in:\n%s", error.text, p.out);
    program_free(&p);
    return root;
}

/* Seconds of a token on the GPU. */
static double gpu_seconds(const json_t *root)
{
    double seconds;
    assert_int_equal(json_unpack((json_t *)root, "{s:{s:{s:{s:{s:F}}}}}", "decode", "alone", "gpu",
                                 "seconds", "low", &seconds),
                     0);
    return seconds;
}

static void assert_range(const json_t *range)
{
    double low = json_number_value(json_object_get(range, "low"));
    double high = json_number_value(json_object_get(range, "high"));
    assert_true(low > 0 && low <= high);
}

static void every_figure_in_the_json_has_its_basis_and_source(void **state)
{
    (void)state;
    json_t *root = plan_json(
        (const char *const[]){"plan", "gpt2-124m", "--chip", "M4 Max", "--json", "-", NULL});
    static const char *const figures[] = {"gbps", "tflops", "call_us"};
    json_t *engines = json_object_get(json_object_get(root, "machine"), "engines"), *engine;
    size_t i;
    assert_int_equal(json_array_size(engines), 3);
    json_array_foreach(engines, i, engine)
    {
        for (size_t f = 0; f < 3; f++) {
            json_t *figure = json_object_get(engine, figures[f]);
            assert_range(figure);
            assert_non_null(json_string_value(json_object_get(figure, "basis")));
            assert_non_null(json_string_value(json_object_get(figure, "source")));
        }
    }
    assert_true(json_is_true(json_object_get(root, "predicted")));
    assert_range(json_object_get(json_object_get(json_object_get(root, "decode"), "split"),
                                 "tokens_per_second"));
    assert_int_equal(json_array_size(json_object_get(root, "placements")), 6);
    json_decref(root);
}

static void context_takes_time(void **state)
{
    (void)state;
    json_t *without = plan_json((const char *const[]){"plan", "qwen3-4b", "--chip", "M2 Ultra",
                                                      "--json", "-", "--engines", "gpu", NULL});
    json_t *with =
        plan_json((const char *const[]){"plan", "qwen3-4b", "--chip", "M2 Ultra", "--json", "-",
                                        "--engines", "gpu", "--context", "8192", NULL});
    /* 8192 positions of 2 * 8 * 128 elements in 36 layers, f16, at 690.8 GB/s; 36 calls */
    double reads = 8192.0 * 2 * 8 * 128 * 36 * 2 / 690.8e9, calls = 36 * 24.2e-6;
    double difference = gpu_seconds(with) - gpu_seconds(without);
    assert_true(difference > 0.99 * (reads + calls) && difference < 1.01 * (reads + calls));
    json_decref(without);
    json_decref(with);
}

static void only_the_chosen_engines_are_shown(void **state)
{
    (void)state;
    program p = program_run("plan", "gpt2-124m", "--chip", "M1", "--engines", "gpu");
    assert_int_equal(p.exit_code, 0);
    assert_false(text_has(p.out, "ane "));
    assert_false(text_has(p.out, "split"));
    program_free(&p);
    p = program_run("plan", "gpt2-124m", "--chip", "M1", "--engines", "gpu,npu");
    program_assert_refused(&p, "M1: no engine 'npu' to choose");
}

static void profile_of_this_machine_is_used(void **state)
{
    (void)state;
    const char *path = program_file("profile.json", "", 0);
    unlink(path);
    program p = program_run("plan", "gpt2-124m", "--here", "--profile", path);
    program_assert_refused(&p, "run 'yoke tune --shape 3072x768 --format f16' first");
    p = program_run("tune", "--seconds", "1", "--shape", "3072x768", "--engine", "fake", "--m", "1",
                    "--profile", path);
    assert_int_equal(p.exit_code, 0);
    program_free(&p);
    p = program_run("plan", "gpt2-124m", "--here", "--profile", path);
    assert_int_equal(p.exit_code, 0);
    assert_has(&p, "\nfake    f16        768  measured\n");
    assert_has(&p, "Products of another K or format than the curves' are scaled: assumed.");
    program_free(&p);
    unlink(path);
}

static void bad_input_is_refused_in_one_line(void **state)
{
    (void)state;
    program p = program_run("plan", "gpt2-124m", "--chip", "M4 Maxx");
    program_assert_refused(&p, "no chip 'M4 Maxx' in the table; near: M4 Max");
    p = program_run("plan", "gpt3", "--chip", "M4");
    program_assert_refused(&p, "gpt3: neither a file nor a preset");
    p = program_run("plan", "gpt2-124m");
    program_assert_refused(&p, "needs either --chip NAME or --here");
    p = program_run("plan", "gpt2-124m", "--chip", "M1", "--here");
    program_assert_refused(&p, "needs either --chip NAME or --here");
    p = program_run("plan", "--chip", "M1");
    program_assert_refused(&p, "which MODEL?");
    p = program_run("plan", "gpt2-124m", "more", "--chip", "M1");
    program_assert_refused(&p, "takes one MODEL, not 'more' too");
    p = program_run("plan", "gpt2-124m", "--chip", "M1", "--format", "q9");
    program_assert_refused(&p, "q9");
    p = program_run("plan", "gpt2-124m", "--chip", "M1", "--prompt", "0");
    program_assert_refused(&p, "'0'");
    p = program_run("plan", "gpt2-124m", "--chip", "M1", "--json", "/no/such/folder/plan.json");
    assert_int_equal(p.exit_code, 2);
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preset_on_a_chip_is_predicted_and_says_so),
        cmocka_unit_test(every_figure_in_the_json_has_its_basis_and_source),
        cmocka_unit_test(context_takes_time),
        cmocka_unit_test(only_the_chosen_engines_are_shown),
        cmocka_unit_test(profile_of_this_machine_is_used),
        cmocka_unit_test(bad_input_is_refused_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
