#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "program.h"
#include "safetensors_text.h"

static void right_product_of_each_engine_exits_0(void **state)
{
    (void)state;
    program p = program_run("matmul", "--shape", "3x64x96", "--engine", "ref", "--engine", "cpu",
                            "--check");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "x 3 x 96 f32, w 64 x 96 f16 (12.29 kB), seed 1"));
    assert_true(text_has(p.out, "\nref "));
    assert_true(text_has(p.out, "\ncpu "));
    assert_true(text_has(p.out, "right\n"));
    assert_false(text_has(p.out, "FAILED"));
    assert_string_equal(p.err, "");
    program_free(&p);
}

static void each_format_of_weight_and_x_is_right(void **state)
{
    (void)state;
    static const char *const formats[] = {"f32", "f16", "bf16", "q8_0", "q4_0"};
    static const char *const x_formats[] = {"f32", "f16", "bf16"};
    for (size_t f = 0; f < 5; f++) {
        program p =
            program_run("matmul", "--shape", "5x33x64", "--format", formats[f], "--x-format",
                        x_formats[f % 3], "--engine", "ref", "--engine", "cpu");
        if (p.exit_code != 0)
            print_error("%s, %s\n", formats[f], p.err);
        assert_int_equal(p.exit_code, 0);
        program_free(&p);
    }
}

/* One run of that engine beside ref: it fails, ref does not, and the message says why. */
static void assert_engine_fails(const char *engine, const char *why)
{
    program p = program_run("matmul", "--shape", "4x64x64", "--engine", engine, "--engine", "ref");
    if (p.exit_code != 1 || !text_has(p.err, why))
        print_error("%s: exit %d: %s\n%s\n", engine, p.exit_code, p.err, p.out);
    assert_int_equal(p.exit_code, 1);
    assert_int_equal(text_lines(p.err), 1);
    assert_true(text_has(p.err, why));
    assert_true(text_has(p.out, "FAILED\n"));
    assert_true(text_has(strstr(p.out, "\nref "), "right\n"));
    program_free(&p);
}

static void wrong_row_is_found_and_has_no_rate(void **state)
{
    (void)state;
    assert_engine_fails("fake,wrong_row_at=1", "result is wrong");
}

static void zeros_are_named(void **state)
{
    (void)state;
    assert_engine_fails("fake,zeros_at=1", "result is all zero");
}

static void engine_that_fails_says_so(void **state)
{
    (void)state;
    assert_engine_fails("fake,fail_at=1", "fake");
    assert_engine_fails("fake,fail_at=3", "fake");
}

static void engine_that_is_not_there_is_bad_usage(void **state)
{
    (void)state;
    program p = program_run("matmul", "--shape", "64x64", "--engine", "nope");
    assert_int_equal(p.exit_code, 2);
    assert_true(text_has(p.err, "nope"));
    assert_int_equal(text_lines(p.err), 1);
    program_free(&p);
}

static void weight_comes_from_a_file(void **state)
{
    (void)state;
    const float data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const char *one = safetensors_file(
        "one.safetensors", "{\"w\":{\"dtype\":\"F32\",\"shape\":[3,4],\"data_offsets\":[0,48]}}",
        data, sizeof data);
    program p = program_run("matmul", one, "--m", "2", "--engine", "ref");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "x 2 x 4 f32, w 3 x 4 f32 (48 B)"));
    program_free(&p);
    p = program_run("matmul", one, "--tensor", "v", "--engine", "ref");
    program_assert_refused(&p, "has no tensor 'v'");
    const char *two =
        safetensors_file("two.safetensors",
                         "{\"v\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,24]},"
                         "\"w\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[24,48]}}",
                         data, sizeof data);
    p = program_run("matmul", two, "--engine", "ref");
    program_assert_refused(&p, "has 2 tensors; choose one with --tensor");
    p = program_run("matmul", two, "--tensor", "w", "--format", "f16", "--engine", "ref");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "w 3 x 2 f16 (12 B)"));
    program_free(&p);
}

static void weight_that_gives_nothing_to_check_says_so(void **state)
{
    (void)state;
    const float data[4] = {NAN, 1, 2, NAN};
    const char *nan = safetensors_file(
        "nan_rows.safetensors",
        "{\"w\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}", data, sizeof data);
    program p = program_run("matmul", nan, "--engine", "ref");
    assert_int_equal(p.exit_code, 1);
    assert_true(text_has(p.err, "ref: the result cannot be checked: no row of the weight"));
    program_free(&p);
    const char *empty = safetensors_file(
        "no_rows.safetensors", "{\"w\":{\"dtype\":\"F32\",\"shape\":[0,2],\"data_offsets\":[0,0]}}",
        data, 0);
    p = program_run("matmul", empty, "--engine", "ref");
    program_assert_refused(&p, "tensor 'w' is empty");
}

static void json_goes_into_a_file_beside_the_tables(void **state)
{
    (void)state;
    char option[1200];
    const char *path = program_file("matmul.json", "", 0);
    snprintf(option, sizeof option, "--json=%s", path);
    program p = program_run("matmul", "--shape", "2x64x64", "--engine", "ref", option);
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "\nref "));
    json_error_t error;
    json_t *object = json_load_file(path, 0, &error);
    assert_non_null(object);
    json_t *engine = json_array_get(json_object_get(object, "engines"), 0);
    assert_string_equal(json_string_value(json_object_get(engine, "engine")), "ref");
    assert_null(json_object_get(object, "split"));
    json_decref(object);
    program_free(&p);
}

static void a_file_that_cannot_be_written_is_refused_before_anything_is_measured(void **state)
{
    (void)state;
    program p = program_run("matmul", "--shape", "1x64x64", "--engine", "ref", "--json",
                            "/nonexistent/matmul.json");
    program_assert_refused(&p, "/nonexistent/matmul.json");
}

static void values_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"--shape", "3x"},
        {"--shape", "0x4"},
        {"--shape", "1x2x3x4"},
        {"--shape", "-1x4"},
        {"--shape", "4"},
        {"--m", "0"},
        {"--m", "two"},
        {"--format", "q6_k"},
        {"--x-format", "q8_0"},
        {"--seed", "-1"},
        {"--m", "99999999999999999999999"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        program p = program_run("matmul", bad[i][0], bad[i][1]);
        program_assert_refused(&p, bad[i][0]);
    }
}

static void shape_too_large_for_memory_is_refused_before_it_is_allocated(void **state)
{
    (void)state;
    program p = program_run("matmul", "--shape", "99999999999x99999999999", "--format", "f32");
    program_assert_refused(&p, "99999999999");
    p = program_run("matmul", "--shape", "64x33", "--format", "q8_0");
    program_assert_refused(&p, "33");
}

static void help_names_every_option(void **state)
{
    (void)state;
    program p = program_run("help", "matmul");
    assert_int_equal(p.exit_code, 0);
    static const char *const options[] = {"--shape",    "--tensor",    "--m",      "--format",
                                          "--x-format", "--precision", "--engine", "--engines",
                                          "--split",    "--profile",   "--check",  "--json",
                                          "--seed",     "--plugins",   "--help"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (!text_has(p.out, options[i]))
            fail_msg("no %s", options[i]);
    program_free(&p);
}

static void arguments_that_exclude_each_other_are_refused(void **state)
{
    (void)state;
    program p = program_run("matmul", "file", "--shape", "4x4");
    program_assert_refused(&p, "not both");
    p = program_run("matmul", "--tensor", "w");
    program_assert_refused(&p, "--tensor needs a FILE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_product_of_each_engine_exits_0),
        cmocka_unit_test(each_format_of_weight_and_x_is_right),
        cmocka_unit_test(wrong_row_is_found_and_has_no_rate),
        cmocka_unit_test(zeros_are_named),
        cmocka_unit_test(engine_that_fails_says_so),
        cmocka_unit_test(engine_that_is_not_there_is_bad_usage),
        cmocka_unit_test(weight_comes_from_a_file),
        cmocka_unit_test(weight_that_gives_nothing_to_check_says_so),
        cmocka_unit_test(json_goes_into_a_file_beside_the_tables),
        cmocka_unit_test(a_file_that_cannot_be_written_is_refused_before_anything_is_measured),
        cmocka_unit_test(values_that_make_no_sense_are_refused),
        cmocka_unit_test(shape_too_large_for_memory_is_refused_before_it_is_allocated),
        cmocka_unit_test(help_names_every_option),
        cmocka_unit_test(arguments_that_exclude_each_other_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
