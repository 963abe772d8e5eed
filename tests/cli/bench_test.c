#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "program.h"
#include "safetensors_text.h"

static void assert_fits(const char *text, size_t columns)
{
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        if (length > columns)
            fail_msg("%zu columns: %.*s", length, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static size_t rows_of(json_t *record, const char *suite)
{
    size_t index, count = 0;
    json_t *row;
    json_array_foreach(json_object_get(record, "rows"), index, row) count +=
        strcmp(json_string_value(json_object_get(row, "suite")), suite) == 0;
    return count;
}

static void bench_prints_tables_and_writes_its_record(void **state)
{
    (void)state;
    const char *path = program_new_path("bench.json");
    program p = program_run("bench", "--shape", "256x128", "--quick", "--suite", "read,dispatch",
                            "--engine", "ref", "--engine", "cpu", "--json", path);
    assert_int_equal(p.exit_code, 0);
    assert_string_equal(p.err, "");
    assert_true(text_has(p.out, "f16 256 x 128 (outputs x inputs), 65.54 kB, random, seed 1"));
    assert_true(text_has(p.out, "read: M = 1"));
    assert_true(text_has(p.out, "dispatch: "));
    assert_true(text_has(p.out, "cached: "));
    assert_false(text_has(p.out, "compute: "));
    json_error_t error;
    json_t *record = json_load_file(path, 0, &error);
    assert_non_null(record);
    assert_int_equal(rows_of(record, "read"), 8); /* four sizes on each engine */
    assert_int_equal(rows_of(record, "dispatch"), 4);
    assert_int_equal(rows_of(record, "wake"), 0);
    json_decref(record);
    unlink(path);
    program_free(&p);
}

static void a_record_on_stdout_stands_alone(void **state)
{
    (void)state;
    program p = program_run("bench", "--shape", "64x64", "--quick", "--suite", "dispatch",
                            "--engine", "ref", "--seed", "18446744073709551615", "--json", "-");
    assert_int_equal(p.exit_code, 0);
    json_t *record = json_loads(p.out, 0, NULL);
    assert_non_null(record);
    assert_int_equal(rows_of(record, "dispatch"), 2);
    const json_t *options = json_object_get(record, "options");
    assert_string_equal(json_string_value(json_object_get(options, "seed")),
                        "18446744073709551615");
    json_decref(record);
    program_free(&p);
}

static void tables_fit_100_columns(void **state)
{
    (void)state;
    program p = program_run("bench", "--shape", "128x64", "--quick", "--engine",
                            "fake,fixed_us=10,gbps=100000,rate_gflops=100000", "--suite",
                            "read,compute,dispatch");
    assert_int_equal(p.exit_code, 0);
    const char *tables = strstr(p.out, "read: ");
    assert_non_null(tables);
    char *notes = strstr(tables, "note: ");
    if (notes)
        *notes = '\0';
    assert_fits(tables, 100);
    program_free(&p);
}

static void contention_prints_each_engine_and_each_pair(void **state)
{
    (void)state;
    program p = program_run("bench", "--shape", "256x64", "--quick", "--suite", "contention",
                            "--engine", "fake,gbps=0.01", "--engine", "fake,gbps=0.02");
    assert_int_equal(p.exit_code, 0);
    const char *tables = strstr(p.out, "contention: ");
    assert_non_null(tables);
    assert_true(text_has(tables, "keeps (95 % interval)"));
    assert_true(text_has(tables, "together (95 % interval)"));
    assert_true(text_has(tables, "adds up") || text_has(tables, "not clear"));
    assert_fits(tables, 100);
    program_free(&p);
}

static void split_prints_singles_the_split_and_its_windows(void **state)
{
    (void)state;
    program p = program_run("bench", "--shape", "256x64", "--quick", "--suite", "split", "--engine",
                            "fake,gbps=0.1", "--engine", "fake,gbps=0.2");
    assert_int_equal(p.exit_code, 0);
    const char *tables = strstr(p.out, "split: ");
    assert_non_null(tables);
    assert_true(text_has(tables, "best single"));
    assert_true(text_has(tables, "efficiency"));
    assert_true(text_has(tables, "512 x "));
    assert_fits(tables, 100);
    program_free(&p);
}

static void every_suite_of_one_engine_leaves_a_note_where_two_are_needed(void **state)
{
    (void)state;
    program p = program_run("bench", "--shape", "64x64", "--quick", "--suite", "all", "--engine",
                            "fake,gbps=100,rate_gflops=100");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "dispatch: "));
    assert_true(text_has(p.out, "note: contention: fake,gbps=100,rate_gflops=100 is the only"));
    assert_true(text_has(p.out, "note: split: fake,gbps=100,rate_gflops=100 is the only"));
    program_free(&p);
}

static void a_wrong_answer_exits_1_and_has_no_rate(void **state)
{
    (void)state;
    const char *path = program_new_path("wrong.json");
    program p = program_run("bench", "--shape", "64x64", "--quick", "--suite", "dispatch",
                            "--engine", "fake,wrong_row_at=1", "--json", path);
    assert_int_equal(p.exit_code, 1);
    assert_int_equal(text_lines(p.err), 1);
    assert_true(text_has(p.err, "yoke: bench: 1 of 2 rows FAILED"));
    assert_true(text_has(p.out, "FAILED dispatch, call, fake,wrong_row_at=1"));
    assert_true(text_has(p.out, "the answer is wrong"));
    json_error_t error;
    json_t *record = json_load_file(path, 0, &error); /* a failure is a result, too */
    assert_non_null(record);
    json_t *row = json_array_get(json_object_get(record, "rows"), 0);
    assert_string_equal(json_string_value(json_object_get(row, "check")), "wrong");
    assert_null(json_object_get(row, "median_ns"));
    json_decref(record);
    unlink(path);
    program_free(&p);
}

static void the_largest_matrix_of_a_file_is_measured(void **state)
{
    (void)state;
    float data[32 + 16 * 8];
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        data[i] = (float)i + 1;
    const char *path = safetensors_file(
        "bench.safetensors",
        "{\"bias\":{\"dtype\":\"F32\",\"shape\":[32],\"data_offsets\":[0,128]},"
        "\"proj\":{\"dtype\":\"F32\",\"shape\":[16,8],\"data_offsets\":[128,640]}}",
        data, sizeof data);
    program p = program_run("bench", path, "--quick", "--suite", "read");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "f32 16 x 8"));
    assert_true(text_has(p.out, "proj of "));
    program_free(&p);
    p = program_run("bench", path, "--tensor", "none");
    program_assert_refused(&p, "none");
}

static void a_tensor_name_cannot_reach_the_terminal(void **state)
{
    (void)state;
    float data[64] = {1};
    const char *path = safetensors_file(
        "escape.safetensors",
        "{\"w\\u001b[31m\":{\"dtype\":\"F32\",\"shape\":[8,8],\"data_offsets\":[0,256]}}", data,
        sizeof data);
    program p = program_run("bench", path, "--quick", "--suite", "dispatch");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "w\\x1b[31m of "));
    assert_false(text_has(p.out, "\x1b"));
    program_free(&p);
}

/* An unchecked answer has no error: 0 would say that it has none. */
static void a_weight_that_gives_nothing_to_check_fails_without_an_error_figure(void **state)
{
    (void)state;
    float data[64];
    for (size_t i = 0; i < 64; i++)
        data[i] = i % 8 == 0 ? NAN : 1.0f;
    const char *file = safetensors_file(
        "nan.safetensors", "{\"w\":{\"dtype\":\"F32\",\"shape\":[8,8],\"data_offsets\":[0,256]}}",
        data, sizeof data);
    const char *path = program_new_path("nan.json");
    program p = program_run("bench", file, "--quick", "--suite", "read,contention", "--engine",
                            "ref", "--engine", "cpu", "--json", path, "--no-history");
    assert_int_equal(p.exit_code, 1);
    assert_true(text_has(p.out, "cannot be checked: no row of the weight"));
    assert_false(text_has(p.out, "of its bound"));
    json_error_t error;
    json_t *record = json_load_file(path, 0, &error), *row;
    size_t index, count = 0;
    json_array_foreach(json_object_get(record, "rows"), index, row)
    {
        const char *reason = json_string_value(json_object_get(row, "reason"));
        assert_null(json_object_get(row, "check_worst"));
        assert_true(text_has(reason, "cannot be checked: no row of the weight"));
        count++;
    }
    assert_true(count > 2); /* of both suites */
    json_decref(record);
    unlink(path);
    program_free(&p);
}

static void weights_of_zeros_are_warned_of(void **state)
{
    (void)state;
    float data[64] = {0};
    const char *path = safetensors_file(
        "zeros.safetensors", "{\"w\":{\"dtype\":\"F32\",\"shape\":[8,8],\"data_offsets\":[0,256]}}",
        data, sizeof data);
    program p = program_run("bench", path, "--quick", "--suite", "dispatch");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "note: 100 % of the sampled pages of the weight are all zeros"));
    program_free(&p);
}

static void what_cannot_be_measured_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *arguments[8], *why;
    } cases[] = {
        {{"bench", "--shape", "0x64"}, "--shape"},
        {{"bench", "--shape", "64"}, "--shape"},
        {{"bench", "--shape", "64x64x64"}, "--shape"},
        {{"bench", "--shape", "99999999999999999999x1"}, "--shape"},
        {{"bench", "--shape", "1000000000x1000000000"}, "do not fit"},
        {{"bench", "--suite", "read,write"}, "--suite"},
        {{"bench", "--suite", ""}, "--suite"},
        {{"bench", "--suite", "contention", "--engine", "ref"}, "two engines"},
        {{"bench", "--format", "q2_k"}, "--format"},
        {{"bench", "--format", "f99"}, "--format"},
        {{"bench", "--precision", "half"}, "--precision"},
        {{"bench", "--engine", "abacus"}, "abacus"},
        {{"bench", "--engine", "cpu,colour=red"}, "colour"},
        {{"bench", "--tensor", "w"}, "--tensor"},
        {{"bench", "--shape", "64x64", "w.gguf"}, "--shape"},
        {{"bench", "a.gguf", "b.gguf"}, "takes one FILE"},
        {{"bench", "/nonexistent/w.gguf"}, "/nonexistent/w.gguf"},
        {{"bench", "--colour"}, "--colour"},
        {{"bench", "--json", "/nonexistent/bench.json"}, "/nonexistent/bench.json"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program p = program_run_list(cases[i].arguments);
        program_assert_refused(&p, cases[i].why);
    }
}

static void help_names_every_option(void **state)
{
    (void)state;
    program p = program_run("help", "bench");
    assert_int_equal(p.exit_code, 0);
    static const char *const options[] = {"--shape",   "--tensor",    "--format",   "--engine",
                                          "--suite",   "--precision", "--json",     "--quick",
                                          "--plugins", "--seed",      "Exit status"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        assert_true(text_has(p.out, options[i]));
    assert_fits(p.out, 100);
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bench_prints_tables_and_writes_its_record),
        cmocka_unit_test(a_record_on_stdout_stands_alone),
        cmocka_unit_test(tables_fit_100_columns),
        cmocka_unit_test(contention_prints_each_engine_and_each_pair),
        cmocka_unit_test(split_prints_singles_the_split_and_its_windows),
        cmocka_unit_test(every_suite_of_one_engine_leaves_a_note_where_two_are_needed),
        cmocka_unit_test(a_wrong_answer_exits_1_and_has_no_rate),
        cmocka_unit_test(the_largest_matrix_of_a_file_is_measured),
        cmocka_unit_test(a_tensor_name_cannot_reach_the_terminal),
        cmocka_unit_test(a_weight_that_gives_nothing_to_check_fails_without_an_error_figure),
        cmocka_unit_test(weights_of_zeros_are_warned_of),
        cmocka_unit_test(what_cannot_be_measured_is_refused),
        cmocka_unit_test(help_names_every_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
