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

/* As anemll-bench writes it; the figures are those of its issue 5. */
static const char report[] =
    "{\"timestamp\": \"2025-03-10 20:05:28\", \"system_info\": {\"cpu\": {\"brand\": \"Apple M4\", "
    "\"architecture\": \"arm64\"}, \"mac_model\": \"Mac16,1\"}, \"results\": [{\"model_name\": "
    "\"llama_lm_head\", \"backend\": \"ANE\", \"inference_time_ms\": 16.371926, "
    "\"memory_used_mb\": 0.0, \"throughput_gb_s\": 64.17533, \"tflops\": null, \"input_shape\": "
    "\"[1, 1, 4096]\", \"model_size_mb\": 1050.673728}]}";

static const char *report_file(void)
{
    return program_file("report.json", report, strlen(report));
}

#define BENCH "bench", "--shape", "64x64", "--quick", "--suite", "dispatch", "--engine", "ref"

/* Fails the test unless the program exits with `code`. */
static void run(int code, const char *const *arguments)
{
    program p = program_run_list(arguments);
    if (p.exit_code != code)
        fail_msg("exit %d: %s", p.exit_code, p.err);
    program_free(&p);
}
#define run_to(code, ...) run(code, (const char *const[]){__VA_ARGS__, NULL})

/* How many records the list shows. */
static size_t records_in(const char *db)
{
    program p = program_run("history", "--db", db, "--limit", "1000");
    assert_int_equal(p.exit_code, 0);
    size_t lines = text_lines(p.out);
    bool none = text_has(p.out, "no history yet") || text_has(p.out, "holds no records yet");
    program_free(&p);
    return none ? 0 : lines - 1;
}

static void a_bench_is_kept_unless_it_is_told_not_to(void **state)
{
    (void)state;
    const char *db = program_new_path("kept.db"), *path = program_new_path("kept.json");
    run_to(0, BENCH, "--db", db, "--json", path);
    run_to(0, BENCH, "--db", db, "--no-history");
    assert_int_equal(records_in(db), 1);
    program p = program_run("history", "show", "1", "--json", "-", "--db", db);
    json_t *kept = json_loads(p.out, 0, NULL), *written = json_load_file(path, 0, NULL);
    assert_non_null(kept);
    assert_true(json_equal(kept, written));
    assert_int_equal(text_lines(p.out), 1);
    json_decref(kept);
    json_decref(written);
    program_free(&p);
}

static void a_record_that_was_written_is_not_kept_twice(void **state)
{
    (void)state;
    const char *db = program_new_path("twice.db"), *path = program_new_path("twice.json");
    run_to(0, BENCH, "--db", db, "--json", path);
    program p = program_run("history", "import", path, "--db", db);
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "twice.json: record 1, there already\n"));
    program_free(&p);
}

static void a_bench_does_not_fail_of_its_history(void **state)
{
    (void)state;
    program p = program_run(BENCH, "--db", "/dev/null/history.db");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "dispatch: "));
    assert_int_equal(text_lines(p.err), 1);
    assert_true(text_has(p.err, "yoke: warning: this record is not in the history: "
                                "/dev/null/history.db: "));
    program_free(&p);
}

static void a_bench_with_failed_rows_is_kept_with_their_count(void **state)
{
    (void)state;
    const char *db = program_new_path("failed.db");
    run_to(1, "bench", "--shape", "64x64", "--quick", "--suite", "dispatch", "--engine",
           "fake,wrong_row_at=1", "--db", db);
    program p = program_run("history", "--db", db);
    assert_true(text_has(p.out, "1 of 2"));
    program_free(&p);
}

static void what_is_shown_is_what_the_bench_printed(void **state)
{
    (void)state;
    const char *db = program_new_path("shown.db");
    program bench = program_run(BENCH, "--db", db);
    program shown = program_run("history", "show", "1", "--db", db);
    assert_int_equal(shown.exit_code, 0);
    const char *below = strchr(shown.out, '\n');
    assert_non_null(below);
    assert_memory_equal(shown.out, "record   1, 20", 14);
    assert_string_equal(below + 1, bench.out);
    program_free(&bench);
    program_free(&shown);
}

static void counts_are_shown_with_the_names_of_their_counters(void **state)
{
    (void)state;
    json_t *record = json_load_file(YOKE_TEST_DATA "/record.json", 0, NULL);
    json_t *row = json_array_get(json_object_get(record, "rows"), 0);
    assert_string_equal(json_string_value(json_object_get(row, "suite")), "read");
    json_object_set_new(row, "counted_bytes", json_real(1050673728));
    json_object_set_new(row, "counted_bytes_by", json_string("IOReport AMC Stats: ANE DCS RD"));
    json_object_set_new(row, "counted_joules", json_real(0.0123));
    char *text = json_dumps(record, 0);
    const char *db = program_new_path("counts.db");
    run_to(0, "history", "import", program_file("counts.json", text, strlen(text)), "--db", db);
    program p = program_run("history", "show", "1", "--db", db);
    assert_true(text_has(p.out, "What the machine's own counters say"));
    assert_true(text_has(p.out, "1050.67 MB"));
    assert_true(text_has(p.out, "12.3"));
    assert_true(text_has(p.out, ": IOReport AMC Stats: ANE DCS RD\n"));
    program_free(&p);
    free(text);
    json_decref(record);
}

static void a_report_is_listed_as_a_mean_and_shown_unproved(void **state)
{
    (void)state;
    const char *db = program_new_path("report.db");
    run_to(0, "history", "import", report_file(), "--db", db);
    program p = program_run("history", "--db", db);
    assert_true(text_has(p.out, "Apple M4"));
    assert_true(text_has(p.out, "llama_lm_head"));
    assert_true(text_has(p.out, "64.18 GB/s  mean"));
    program_free(&p);
    p = program_run("history", "show", "1", "--db", db);
    assert_true(text_has(p.out, "1050.67 MB  16.4 ms       64.18  unproved"));
    assert_true(text_has(p.out, "note: from a report of anemll-bench"));
    assert_false(text_has(p.out, "random"));
    program_free(&p);
}

static void a_list_fits_100_columns_and_its_limit(void **state)
{
    (void)state;
    const char *db = program_new_path("fits.db");
    run_to(0, "history", "import", report_file(), "--db", db);
    run_to(0, BENCH, "--db", db);
    program p = program_run("history", "list", "--limit", "1", "--db", db);
    assert_int_equal(text_lines(p.out), 2);
    assert_true(text_has(p.out, " 2  ")); /* the newest */
    program_free(&p);
    p = program_run("history", "--db", db);
    for (const char *line = p.out; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 100);
    program_free(&p);
}

static void an_import_is_of_all_files_or_of_none(void **state)
{
    (void)state;
    const char *db = program_new_path("none.db");
    const char *bad = program_file("bad.json", "{\"schema\": 7}", 13);
    program p = program_run("history", "import", report_file(), bad, "--db", db);
    program_assert_refused(&p, "bad.json: schema 7 of the record");
    assert_int_equal(access(db, F_OK), -1);
}

static void what_is_exported_can_be_imported_elsewhere(void **state)
{
    (void)state;
    const char *db = program_new_path("from.db"), *other = program_new_path("to.db");
    const char *lines = program_new_path("lines.jsonl");
    run_to(0, "history", "import", report_file(), "--db", db);
    run_to(0, BENCH, "--db", db);
    run_to(0, "history", "export", "2", "1", "--output", lines, "--db", db);
    run_to(0, "history", "import", lines, "--db", other);
    program first = program_run("history", "show", "1", "--json", "-", "--db", other);
    program second = program_run("history", "show", "2", "--json", "-", "--db", db);
    assert_string_equal(first.out, second.out);
    assert_int_equal(records_in(other), 2);
    program_free(&first);
    program_free(&second);
}

static void an_export_with_an_id_that_is_not_there_writes_nothing(void **state)
{
    (void)state;
    const char *db = program_new_path("part.db"), *lines = program_new_path("part.jsonl");
    run_to(0, "history", "import", report_file(), "--db", db);
    program p = program_run("history", "export", "1", "9", "--db", db);
    program_assert_refused(&p, "part.db: no record 9");
    p = program_run("history", "export", "1", "9", "--output", lines, "--db", db);
    program_assert_refused(&p, "part.db: no record 9");
    assert_int_equal(access(lines, F_OK), -1);
}

static void a_removed_record_is_gone(void **state)
{
    (void)state;
    const char *db = program_new_path("removed.db");
    run_to(0, "history", "import", report_file(), "--db", db);
    run_to(0, "history", "remove", "1", "--db", db);
    assert_int_equal(records_in(db), 0);
    program p = program_run("history", "remove", "1", "--db", db);
    program_assert_refused(&p, "removed.db: no record 1");
}

static void benches_at_the_same_time_are_both_kept(void **state)
{
    (void)state;
    const char *db = program_new_path("both.db");
    const char *const arguments[] = {BENCH, "--db", db, NULL};
    program_started first = program_start(arguments, NULL);
    program_started second = program_start(arguments, NULL);
    program p = program_wait(first), q = program_wait(second);
    assert_string_equal(p.err, "");
    assert_string_equal(q.err, "");
    assert_int_equal(records_in(db), 2);
    program_free(&p);
    program_free(&q);
}

static void it_is_kept_in_the_users_data_folder(void **state)
{
    (void)state;
    program p = program_run("history"); /* the first run sets the variable, see program.h */
    assert_int_equal(p.exit_code, 0);
    program_free(&p);
#ifdef __APPLE__
    static const char in_home[] = "/nowhere/home/Library/Application Support/yoke/history.db";
#else
    static const char in_home[] = "/nowhere/home/.local/share/yoke/history.db";
#endif
    unsetenv("YOKE_HISTORY");
    unsetenv("XDG_DATA_HOME");
    setenv("HOME", "/nowhere/home", 1);
    p = program_run("history");
    assert_true(text_has(p.out, in_home));
    program_free(&p);
#ifndef __APPLE__
    setenv("XDG_DATA_HOME", "/nowhere/data", 1);
    p = program_run("history");
    assert_true(text_has(p.out, "/nowhere/data/yoke/history.db: no history yet"));
    program_free(&p);
#endif
    setenv("YOKE_HISTORY", "/nowhere/else.db", 1);
    p = program_run("history");
    assert_true(text_has(p.out, "/nowhere/else.db: no history yet"));
    program_free(&p);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *words[4], *part;
    } bad[] = {
        {{"frobnicate"}, "does not take 'frobnicate'"},
        {{"show"}, "show needs one ID"},
        {{"show", "one"}, "one is not the id of a record"},
        {{"show", "0"}, "0 is not the id of a record"},
        {{"show", "1"}, "nowhere.db: no history yet"},
        {{"remove", "1", "2"}, "remove needs one ID"},
        {{"import"}, "import needs a FILE"},
        {{"import", "/nowhere.json"}, "/nowhere.json: cannot open"},
        {{"export"}, "export needs an ID"},
        {{"list", "1"}, "list takes no word"},
        {{"list", "--json", "-"}, "--json goes with show"},
        {{"show", "1", "--limit", "3"}, "--limit goes with the list alone"},
        {{"show", "1", "--output", "a"}, "--output goes with export"},
        {{"--db", ""}, "--db: FILE is empty"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *arguments[8] = {"history"};
        size_t count = 1;
        for (; count <= 4 && bad[i].words[count - 1]; count++)
            arguments[count] = bad[i].words[count - 1];
        if (strcmp(arguments[1], "--db") != 0) {
            arguments[count++] = "--db";
            arguments[count++] = "/tmp/nowhere.db";
        }
        program p = program_run_list(arguments);
        program_assert_refused(&p, bad[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bench_is_kept_unless_it_is_told_not_to),
        cmocka_unit_test(a_record_that_was_written_is_not_kept_twice),
        cmocka_unit_test(a_bench_does_not_fail_of_its_history),
        cmocka_unit_test(a_bench_with_failed_rows_is_kept_with_their_count),
        cmocka_unit_test(what_is_shown_is_what_the_bench_printed),
        cmocka_unit_test(counts_are_shown_with_the_names_of_their_counters),
        cmocka_unit_test(a_report_is_listed_as_a_mean_and_shown_unproved),
        cmocka_unit_test(a_list_fits_100_columns_and_its_limit),
        cmocka_unit_test(an_import_is_of_all_files_or_of_none),
        cmocka_unit_test(what_is_exported_can_be_imported_elsewhere),
        cmocka_unit_test(an_export_with_an_id_that_is_not_there_writes_nothing),
        cmocka_unit_test(a_removed_record_is_gone),
        cmocka_unit_test(benches_at_the_same_time_are_both_kept),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(it_is_kept_in_the_users_data_folder), /* last: it moves home */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
