/* The suite of the Neural Engine over the stand-ins, on small weights: what is measured was right,
 * what is not says why. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "standin/apple/standins.h"
#include "unit/measure_bench.h"

#define ENGINE "ane,helper=none"
#define SIDE   32

static yoke_record *run_suite(const char *engine)
{
    const yoke_bench_options options = {.suites = YOKE_BENCH_ANE, .seconds = 1, .ane_side = SIDE};
    return run_engines(&engine, 1, &options);
}

static bool has_note(const yoke_record *record, const char *part)
{
    for (size_t i = 0; i < record->notes.count; i++)
        if (strstr(record->notes.texts[i], part))
            return true;
    return false;
}

static bool has_rate(const yoke_record_row *row)
{
    return !isnan(row->tflops) || !isnan(row->naive_gbps);
}

static size_t rows_of(const yoke_record *record, const char *what)
{
    size_t count = 0;
    for (size_t i = 0; i < record->row_count; i++)
        count += strcmp(record->rows[i]->what, what) == 0;
    return count;
}

static const yoke_record_row *row_of(const yoke_record *record, const char *what)
{
    for (size_t i = 0; i < record->row_count; i++)
        if (strcmp(record->rows[i]->what, what) == 0)
            return record->rows[i];
    fail_msg("no row %s", what);
    return NULL;
}

/* Weights in one program, beside a program for each. */
static void check_procedures(const yoke_record *record)
{
    const yoke_record_row *shared = row_of(record, "procedures"),
                          *single = row_of(record, "programs");
    assert_int_equal(shared->weights, 8);
    assert_int_equal(single->weights, 8);
    assert_true(shared->prepare_ns > 0 && single->prepare_ns > 0);
    assert_true(has_note(record, "procedures: each weight is 1 procedure of shared programs"));
    assert_true(has_note(record, "programs: each weight is 1 program"));
    assert_int_equal(shared->n, SIDE);
    assert_int_equal(shared->bytes, 2 * SIDE * SIDE);
}

static void each_case_has_its_rows(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        size_t rows;
    } cases[] = {{"depth 1", 1}, {"working set", 6}, {"last axis", 9},  {"f16", 2},
                 {"int8", 2},    {"direct", 2},      {"procedures", 1}, {"programs", 1},
                 {"notch", 1},   {"beside notch", 1}};
    static const char *const chains[] = {"depth 4", "depth 16", "depth 64"};
    yoke_record *record = run_suite(ENGINE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(rows_of(record, cases[i].what), cases[i].rows);
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        assert_true(rows_of(record, chains[i]) == 1 || has_note(record, "chains stop before"));
    check_procedures(record);
    yoke_record_free(record);
}

static void what_has_a_rate_was_right_and_is_simulated(void **state)
{
    (void)state;
    size_t measured = 0;
    yoke_record *record = run_suite(ENGINE);
    assert_int_equal(yoke_record_failed(record), 0);
    for (size_t i = 0; i < record->row_count; i++) {
        const yoke_record_row *row = record->rows[i];
        assert_string_equal(row->suite, "ane");
        assert_string_equal(row->check, "right");
        assert_string_equal(row->placement, "simulated");
        if (!has_rate(row))
            assert_true(has_note(record, "the time does not allow it"));
        measured += has_rate(row);
    }
    assert_true(measured > 0);
    yoke_record_free(record);
}

/* Each row of the engine itself, not those of Core ML beside it. */
static void check_all_failed(const char *switches, const char *chain, const char *product)
{
    size_t failed = 0;
    standins_switch(switches);
    yoke_record *record = run_suite(ENGINE);
    standins_switch("");
    for (size_t i = 0; i < record->row_count; i++) {
        const yoke_record_row *row = record->rows[i];
        if (strncmp(row->engine, "ane", 3) != 0)
            continue;
        assert_true(row->failed);
        assert_false(has_rate(row));
        assert_string_not_equal(row->check, "right");
        const char *reason = strncmp(row->what, "depth", 5) == 0 ? chain : product;
        if (!strstr(row->reason, reason))
            fail_msg("%s: \"%s\" does not say \"%s\"", row->what, row->reason, reason);
        failed++;
    }
    assert_true(failed >= 23);
    yoke_record_free(record);
}

static void an_evaluation_that_fails_leaves_no_rate(void **state)
{
    (void)state;
    const char *call = "evaluateWithQoS:options:request:error:";
    check_all_failed("evaluate_fails", call, call);
}

static void zeros_for_an_answer_leave_no_rate(void **state)
{
    (void)state;
    check_all_failed("evaluate_gives_zeros", "a wrong result", "the answer is");
}

static void another_engine_has_no_such_suite(void **state)
{
    (void)state;
    yoke_record *record = run_suite("ref");
    assert_int_equal(record->row_count, 0);
    assert_true(has_note(record, "no engine of that name takes part"));
    yoke_record_free(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_case_has_its_rows),
        cmocka_unit_test(what_has_a_rate_was_right_and_is_simulated),
        cmocka_unit_test(an_evaluation_that_fails_leaves_no_rate),
        cmocka_unit_test(zeros_for_an_answer_leave_no_rate),
        cmocka_unit_test(another_engine_has_no_such_suite),
    };
    standins_use();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
