#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "program.h"
#include "yoke/record.h"

/* A row of the engine: 21 times around the median, 1 % apart in all. */
static void row_add(yoke_record *record, const char *engine, double median)
{
    yoke_record_row *row;
    assert_int_equal(yoke_record_add_row(record, "read", "size", &row, NULL), YOKE_OK);
    snprintf(row->engine, sizeof row->engine, "%s", engine);
    strcpy(row->check, "right");
    row->format = YOKE_F16;
    row->m = 1;
    row->n = 512;
    row->k = 256;
    row->bytes = 262144;
    for (int i = -10; i <= 10; i++)
        assert_int_equal(
            yoke_series_add(&row->samples, median * (1 + 0.0005 * (i % 2 ? i : -i)), NULL),
            YOKE_OK);
    assert_int_equal(yoke_record_row_summarise(row, NULL), YOKE_OK);
}

/* A record of two engines with these medians; 0: the row fails. Returns the path of its file. */
static const char *record_file(const char *name, double cpu_ns, double gpu_ns)
{
    yoke_record *record;
    char *text;
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    record->artefact = (yoke_identity){.format = YOKE_F16, .n = 512, .k = 256, .bytes = 262144};
    row_add(record, "cpu", cpu_ns);
    row_add(record, "opencl", gpu_ns > 0 ? gpu_ns : 1);
    if (gpu_ns == 0)
        yoke_record_row_fail(record->rows[1], "device lost");
    yoke_record_finish(record);
    assert_int_equal(yoke_record_json(record, &text, NULL), YOKE_OK);
    const char *path = program_file(name, text, strlen(text));
    free(text);
    yoke_record_free(record);
    return path;
}

static void nothing_slower_exits_0(void **state)
{
    (void)state;
    const char *a = record_file("a.json", 1e6, 2e6), *b = record_file("b.json", 1.02e6, 1.5e6);
    program p = program_run("compare", a, b);
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "0 slower, 1 faster, 1 the same, 0 not comparable; beyond 5.0 %"));
    assert_true(text_has(p.out, "x1.020"));
    assert_true(text_has(p.out, "x0.750"));
    assert_string_equal(p.err, "");
    program_free(&p);
}

static void a_slower_row_exits_1_unless_the_threshold_lets_it_pass(void **state)
{
    (void)state;
    const char *a = record_file("a.json", 1e6, 2e6), *b = record_file("b.json", 1.1e6, 2e6);
    program p = program_run("compare", a, b);
    assert_int_equal(p.exit_code, 1);
    assert_true(text_has(p.out, "x1.100"));
    assert_true(text_has(p.out, "1 slower, 0 faster, 1 the same"));
    assert_true(text_has(p.err, "b.json: 1 row slower, 0 FAILED"));
    program_free(&p);
    p = program_run("compare", a, b, "--threshold", "15");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "0 slower, 0 faster, 2 the same"));
    program_free(&p);
    p = program_run("compare", b, a);
    assert_int_equal(p.exit_code, 0);
    program_free(&p);
}

static void a_row_that_failed_in_b_exits_1(void **state)
{
    (void)state;
    const char *a = record_file("a.json", 1e6, 2e6), *b = record_file("b.json", 1e6, 0);
    program p = program_run("compare", a, b);
    assert_int_equal(p.exit_code, 1);
    assert_true(text_has(p.out, "B failed: device lost: read size opencl"));
    assert_true(text_has(p.err, "0 rows slower, 1 FAILED"));
    program_free(&p);
    p = program_run("compare", b, a);
    assert_int_equal(p.exit_code, 0);
    program_free(&p);
}

/* A check that finds nothing to compare must not pass. */
static void records_of_which_no_row_can_be_compared_exit_2(void **state)
{
    (void)state;
    const char *a = record_file("a.json", 1e6, 2e6);
    yoke_record *record;
    char *text;
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    yoke_record_finish(record);
    assert_int_equal(yoke_record_json(record, &text, NULL), YOKE_OK);
    const char *b = program_file("empty.json", text, strlen(text));
    free(text);
    yoke_record_free(record);
    program p = program_run("compare", a, b);
    assert_int_equal(p.exit_code, 2);
    assert_true(text_has(p.out, "missing in B: read size cpu, M 1, 512x256, and 1 more"));
    assert_true(text_has(p.err, "compare: no row can be compared"));
    program_free(&p);
}

/* A record may come from anybody. */
static void nothing_of_a_record_reaches_the_terminal_as_a_command(void **state)
{
    (void)state;
    const char *a = record_file("a.json", 1e6, 2e6);
    yoke_record *record;
    char *text;
    assert_int_equal(yoke_record_load(a, &record, NULL), YOKE_OK);
    strcpy(record->rows[0]->engine, "c\x1b[31mpu");
    strcpy(record->rows[0]->path, "p\x1b[31m");
    strcpy(record->time_utc, "now\x1b[31m");
    yoke_record_row_fail(record->rows[1], "lost\x1b[31m");
    assert_int_equal(yoke_record_json(record, &text, NULL), YOKE_OK);
    const char *b = program_file("b.json", text, strlen(text));
    free(text);
    yoke_record_free(record);
    const char *const pairs[][2] = {{b, b}, {a, b}};
    for (size_t i = 0; i < 2; i++) {
        program p = program_run("compare", pairs[i][0], pairs[i][1]);
        assert_int_equal(p.exit_code, 1);
        assert_true(text_has(p.out, "c?[31mpu"));
        assert_true(text_has(p.out, "lost?[31m"));
        assert_false(text_has(p.out, "\x1b"));
        program_free(&p);
    }
}

static void numbers_are_records_of_the_history(void **state)
{
    (void)state;
    const char *a = record_file("a.json", 1e6, 2e6), *b = record_file("b.json", 1.1e6, 2e6);
    char db[160];
    snprintf(db, sizeof db, "--db=%s.db", a);
    program p = program_run("history", "import", a, b, db);
    if (text_has(p.err, "SQLite")) {
        print_message("built without SQLite\n");
        program_free(&p);
        skip();
    }
    assert_int_equal(p.exit_code, 0);
    program_free(&p);
    p = program_run("compare", "1", "2", db);
    assert_int_equal(p.exit_code, 1);
    assert_true(text_has(p.out, "x1.100"));
    program_free(&p);
    p = program_run("compare", "1", b, db);
    assert_int_equal(p.exit_code, 1);
    program_free(&p);
    p = program_run("compare", "1-2", "2,1", db, "--json", "-");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "\"a_runs\": 2"));
    program_free(&p);
    p = program_run("compare", "1-2", "2-3", db);
    program_assert_refused(&p, "no record 3");
    p = program_run("compare", "1", "3", db);
    program_assert_refused(&p, "3");
}

/* Records one after the other in a file. */
static const char *runs_file(const char *name, double first_ns, double second_ns)
{
    char text[200000] = "";
    const double medians[] = {first_ns, second_ns};
    for (size_t i = 0; i < 2; i++) {
        FILE *run = fopen(record_file("run.json", medians[i], 2e6), "r");
        assert_non_null(run);
        size_t length = strlen(text);
        text[length + fread(text + length, 1, sizeof text - length - 1, run)] = '\0';
        fclose(run);
    }
    return program_file(name, text, strlen(text));
}

static void several_runs_a_side_tell_what_varies_between_them(void **state)
{
    (void)state;
    const char *a = runs_file("a.jsonl", 1e6, 1.21e6), *b = runs_file("b.jsonl", 1.2e6, 1.452e6),
               *far = runs_file("far.jsonl", 1e9, 1.21e9);
    program p = program_run("compare", a, b);
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "a.jsonl, 2 runs, measured "));
    assert_true(text_has(p.out, "1.10 ms  1.32 ms  x1.200")); /* by the geometric means */
    assert_true(text_has(p.out, "0 slower, 0 faster, 2 the same"));
    program_free(&p);
    p = program_run("compare", a, far);
    assert_int_equal(p.exit_code, 1);
    assert_true(text_has(p.out, "1 slower, 0 faster, 1 the same"));
    program_free(&p);
}

static double real_of(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static void json_says_the_same(void **state)
{
    (void)state;
    const char *a = record_file("a.json", 1e6, 2e6), *b = record_file("b.json", 1.25e6, 0);
    program p = program_run("compare", a, b, "--json", "-");
    assert_int_equal(p.exit_code, 1);
    json_t *object = json_loads(p.out, 0, NULL);
    assert_non_null(object);
    assert_int_equal(real_of(object, "slower"), 1);
    assert_int_equal(real_of(object, "not_comparable"), 1);
    assert_int_equal(real_of(object, "failed_in_b"), 1);
    const json_t *rows = json_object_get(object, "rows");
    assert_int_equal(json_array_size(rows), 2);
    const json_t *slower = json_array_get(rows, 0), *failed = json_array_get(rows, 1);
    assert_string_equal(json_string_value(json_object_get(slower, "verdict")), "slower");
    assert_true(real_of(slower, "ratio") > 1.2499 && real_of(slower, "ratio") < 1.2501);
    assert_true(real_of(slower, "ratio_low") > 1.24 && real_of(slower, "ratio_low") < 1.25);
    assert_true(real_of(slower, "ratio_high") > 1.25 && real_of(slower, "ratio_high") < 1.26);
    assert_string_equal(json_string_value(json_object_get(failed, "verdict")), "not comparable");
    assert_null(json_object_get(failed, "ratio"));
    json_decref(object);
    program_free(&p);
}

static void what_cannot_be_read_is_refused(void **state)
{
    (void)state;
    const char *a = record_file("a.json", 1e6, 2e6), *bad = program_file("bad.json", "{", 1);
    const char *const cases[][5] = {
        {"compare", a, NULL, NULL, "needs two sides"},
        {"compare", a, bad, NULL, "bad.json"},
        {"compare", a, "/nonexistent/b.json", NULL, "/nonexistent/b.json"},
        {"compare", a, a, "--threshold=-1", "--threshold"},
        {"compare", a, a, "--threshold=5%", "--threshold"},
        {"compare", a, "1", "--db=/nonexistent/history.db", "/nonexistent/history.db"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        program p = program_run_list(
            (const char *const[]){cases[i][0], cases[i][1], cases[i][2], cases[i][3], NULL});
        program_assert_refused(&p, cases[i][4]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_slower_exits_0),
        cmocka_unit_test(a_slower_row_exits_1_unless_the_threshold_lets_it_pass),
        cmocka_unit_test(a_row_that_failed_in_b_exits_1),
        cmocka_unit_test(records_of_which_no_row_can_be_compared_exit_2),
        cmocka_unit_test(nothing_of_a_record_reaches_the_terminal_as_a_command),
        cmocka_unit_test(numbers_are_records_of_the_history),
        cmocka_unit_test(several_runs_a_side_tell_what_varies_between_them),
        cmocka_unit_test(json_says_the_same),
        cmocka_unit_test(what_cannot_be_read_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
