/* The bench's suite split over fake engines, whose speed and faults are scripted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/measure_bench.h"
#include "unit/measure_near.h"

/* 32 kB at 2 MB/s take 16 ms; 2 * 512 * 256 * 64 operations at 0.5 GFLOP/s take 34 ms. The second
 * one takes twice as long. */
#define FIRST  "fake,gbps=0.002,rate_gflops=0.5"
#define SECOND "fake,gbps=0.001,rate_gflops=0.25"

static yoke_record *run_split(const char *first, const char *second)
{
    const char *engines[] = {first, second};
    yoke_bench_options options = {.suites = YOKE_BENCH_SPLIT, .seconds = 6, .cache_bytes = 1};
    return run_engines(engines, second ? 2 : 1, &options);
}

/* The next row of a case at m; *at stands behind it. NULL when there is none. */
static const yoke_record_row *next(const yoke_record *record, const char *what, size_t m,
                                   size_t *at)
{
    while (*at < record->row_count) {
        const yoke_record_row *row = record->rows[(*at)++];
        if (strcmp(row->what, what) == 0 && row->m == m)
            return row;
    }
    return NULL;
}

static const yoke_record_row *first(const yoke_record *record, const char *what, size_t m)
{
    size_t at = 0;
    return next(record, what, m, &at);
}

static bool has_note(const yoke_record *record, const char *part)
{
    for (size_t i = 0; i < record->notes.count; i++)
        if (strstr(record->notes.texts[i], part))
            return true;
    return false;
}

/* The faster of the two, and the sum of their rates: by hand. */
static void check_figures(const yoke_record *record, size_t m)
{
    size_t at = 0;
    const yoke_record_row *split = first(record, "split", m), *best = first(record, "single", m);
    for (const yoke_record_row *row; (row = next(record, "single", m, &at));) {
        assert_string_equal(row->check, "right");
        if (row->time.median < best->time.median)
            best = row;
    }
    assert_string_equal(split->check, "right");
    assert_string_equal(split->best_single, best->engine);
    assert_near(split->best_single_ns, best->time.median, 1e-6);
    assert_near(split->efficiency, split->ideal_ns / split->time.median, 1e-12);
    assert_int_equal(split->n, N);
    assert_true(split->samples.count > 0 && split->predicted_ns > 0);
}

/* What the engines with a share reach alone, undisturbed: no ideal can be below that. */
static void check_windows(const yoke_record *record, size_t m, size_t *count)
{
    size_t at = 0, covered = 0;
    double shares = 0, rate = 0;
    *count = 0;
    for (const yoke_record_row *row; (row = next(record, "window", m, &at)); ++*count) {
        size_t single = 0;
        const yoke_record_row *alone;
        while ((alone = next(record, "single", m, &single)) &&
               strcmp(alone->engine, row->engine) != 0)
            ;
        assert_non_null(alone);
        rate += 1 / alone->time.median;
        assert_string_equal(row->axis, "N"); /* along M each would read all of the weight */
        assert_string_equal(row->check, "right");
        assert_near(row->share, (double)row->n / N, 1e-12);
        assert_true(row->window_ns > 0);
        covered += row->n;
        shares += row->share;
    }
    assert_int_equal(covered, N);
    assert_near(shares, 1, 1e-12);
    assert_true(first(record, "split", m)->ideal_ns >= (1 - 1e-9) / rate);
}

/* The simulated times are far above what a busy machine adds, most of the time. */
static void the_split_is_held_against_the_best_single_engine(void **state)
{
    (void)state;
    size_t windows = 0;
    for (int try = 0; try < 6 && windows != 2; try++) {
        yoke_record *record = run_split(FIRST, SECOND);
        assert_int_equal(yoke_record_failed(record), 0);
        check_figures(record, 1);
        check_figures(record, 512);
        check_windows(record, 1, &windows);
        yoke_record_free(record);
    }
    assert_int_equal(windows, 2); /* 11 ms by both, 16 ms by the first alone */
}

static void one_engine_has_nothing_to_split_over(void **state)
{
    (void)state;
    yoke_record *record = run_split("fake", NULL);
    assert_int_equal(record->row_count, 0);
    assert_true(has_note(record, "fake is the only engine"));
    yoke_record_free(record);
}

static void an_engine_that_is_wrong_alone_has_no_share(void **state)
{
    (void)state;
    yoke_record *record = run_split(FIRST ",wrong_row_at=1", SECOND);
    const yoke_record_row *single = first(record, "single", 1);
    assert_true(single->failed);
    assert_string_equal(single->check, "wrong");
    assert_null(first(record, "split", 1));
    assert_true(has_note(record, "none at M = 1: fewer than two engines"));
    assert_string_equal(first(record, "split", 512)->check, "right"); /* by then it is right */
    assert_int_equal(yoke_record_failed(record), 1);
    yoke_record_free(record);
}

static void engines_of_the_split_may_be_others(void **state)
{
    (void)state;
    const char *engine = "fake", *together[] = {FIRST, SECOND};
    yoke_bench_options options = {.suites = YOKE_BENCH_DISPATCH | YOKE_BENCH_SPLIT,
                                  .seconds = 0.1,
                                  .together = together,
                                  .together_count = 2};
    yoke_record *record = run_engines(&engine, 1, &options);
    assert_int_equal(record->engine_count, 3);
    for (size_t i = 0; i < record->row_count; i++) {
        const yoke_record_row *row = record->rows[i];
        if (strcmp(row->suite, "dispatch") == 0)
            assert_string_equal(row->engine, "fake");
        else
            assert_string_not_equal(row->engine, "fake");
    }
    assert_non_null(first(record, "split", 512));
    yoke_record_free(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_split_is_held_against_the_best_single_engine),
        cmocka_unit_test(one_engine_has_nothing_to_split_over),
        cmocka_unit_test(an_engine_that_is_wrong_alone_has_no_share),
        cmocka_unit_test(engines_of_the_split_may_be_others),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
