#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure_compare_support.h"
#include "measure_near.h"
#include "yoke/compare.h"

enum { RUNS = 5 };

/* Two sides of a few runs, each a record with one row. */
typedef struct sides {
    yoke_record *a[RUNS], *b[RUNS];
    size_t a_count, b_count;
} sides;

static void sides_make(sides *s, size_t a_count, size_t b_count)
{
    *s = (sides){.a_count = a_count, .b_count = b_count};
    for (size_t i = 0; i < a_count; i++)
        compare_row(s->a[i] = compare_record(), 1e6);
    for (size_t i = 0; i < b_count; i++)
        compare_row(s->b[i] = compare_record(), 1e6);
}

static void sides_free(sides *s)
{
    for (size_t i = 0; i < RUNS; i++) {
        yoke_record_free(s->a[i]);
        yoke_record_free(s->b[i]);
    }
}

/* A machine on which each run is off by some 5 %, more than the samples within one run tell. */
static void sides_time(sides *s, double a_median, double b_median)
{
    for (size_t i = 0; i < s->a_count; i++)
        compare_times(s->a[i]->rows[0], a_median * exp(0.05 * compare_normal()));
    for (size_t i = 0; i < s->b_count; i++)
        compare_times(s->b[i]->rows[0], b_median * exp(0.05 * compare_normal()));
}

static yoke_comparison *sides_compare(const sides *s, double threshold)
{
    yoke_comparison *c;
    yoke_error err = {0};
    if (yoke_compare_runs((const yoke_record *const *)s->a, s->a_count,
                          (const yoke_record *const *)s->b, s->b_count, threshold, &c,
                          &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return c;
}

/* How often, of 1000 machines that did not change, something is found slower or faster. */
static size_t count_false(size_t a_count, size_t b_count)
{
    sides s;
    size_t found = 0;
    compare_seed(1);
    sides_make(&s, a_count, b_count);
    for (size_t i = 0; i < 1000; i++) {
        sides_time(&s, 1e6, 1e6);
        yoke_comparison *c = sides_compare(&s, 0);
        found += c->rows[0].verdict != YOKE_COMPARED_SAME;
        yoke_comparison_free(c);
    }
    sides_free(&s);
    return found;
}

/* 5 % of 1000, and three deviations of that count. */
static void what_varies_from_run_to_run_is_no_change(void **state)
{
    (void)state;
    assert_in_range(count_false(1, 1), 400, 1000); /* why more runs are worth it */
    assert_in_range(count_false(5, 5), 29, 71);
    assert_in_range(count_false(5, 1), 29, 71);
    assert_in_range(count_false(2, 2), 29, 71);
}

static void a_change_beyond_what_runs_vary_is_found(void **state)
{
    (void)state;
    sides s;
    compare_seed(2);
    sides_make(&s, 5, 5);
    sides_time(&s, 1e6, 1.5e6);
    yoke_comparison *c = sides_compare(&s, 0.05);
    assert_int_equal(c->row_count, 1);
    assert_int_equal(c->rows[0].verdict, YOKE_COMPARED_SLOWER);
    assert_near(c->rows[0].ratio, 1.5, 0.15);
    assert_near(c->rows[0].ratio, c->rows[0].b_median_ns / c->rows[0].a_median_ns, 1e-9);
    assert_true(c->rows[0].low < 1.5 && 1.5 < c->rows[0].high);
    yoke_comparison_free(c);
    sides_free(&s);
}

/* One of A, three of B, of which `change` befalls the second. */
static void assert_reason(void (*change)(yoke_record *), const char *reason)
{
    sides s;
    compare_seed(3);
    sides_make(&s, 1, 3);
    change(s.b[1]);
    yoke_comparison *c = sides_compare(&s, 0.05);
    assert_int_equal(c->rows[0].verdict, YOKE_COMPARED_NOT);
    assert_string_equal(c->rows[0].reason, reason);
    assert_true(isnan(c->rows[0].ratio));
    yoke_comparison_free(c);
    sides_free(&s);
}

static void fails(yoke_record *record)
{
    yoke_record_row_fail(record->rows[0], "device lost");
}
static void is_wrong(yoke_record *record)
{
    strcpy(record->rows[0]->check, "wrong");
}
static void is_cached(yoke_record *record)
{
    record->rows[0]->cached = true;
}
static void has_another_m(yoke_record *record)
{
    record->rows[0]->m = 2;
}
static void has_another_format(yoke_record *record)
{
    record->rows[0]->x_format = YOKE_F16;
}
static void has_another_hash(yoke_record *record)
{
    strcpy(record->artefact.hash, "fedcba9876543210");
}

static void the_run_that_cannot_be_compared_is_named(void **state)
{
    (void)state;
    assert_reason(fails, "run 2 of B failed: device lost");
    assert_reason(is_wrong, "the answer of run 2 of B is wrong");
    assert_reason(is_cached, "run 2 of B reads a weight from the caches, A from memory");
    assert_reason(has_another_m, "missing in run 2 of B");
    assert_reason(has_another_format, "other format of x: f32, f16");
    assert_reason(has_another_hash,
                  "other weight, by its hash: 0123456789abcdef, fedcba9876543210, run 2 of B");
}

static void a_row_that_one_run_alone_has_is_missing_in_the_others(void **state)
{
    (void)state;
    sides s;
    compare_seed(4);
    sides_make(&s, 2, 2);
    compare_row(s.a[1], 1e6)->m = 7;
    compare_row(s.b[1], 1e6)->m = 9;
    yoke_comparison *c = sides_compare(&s, 0.05);
    assert_int_equal(c->row_count, 3);
    assert_string_equal(c->rows[0].reason, "");
    assert_string_equal(c->rows[1].reason, "missing in B");
    assert_int_equal(c->rows[1].a->m, 7);
    assert_null(c->rows[1].b);
    assert_string_equal(c->rows[2].reason, "missing in A");
    assert_int_equal(c->rows[2].b->m, 9);
    yoke_comparison_free(c);
    sides_free(&s);
}

/* The samples within a run do not count, so that it does not matter how they drift. */
static void a_run_that_drifts_is_a_run_like_others(void **state)
{
    (void)state;
    sides s;
    compare_seed(5);
    sides_make(&s, 2, 1);
    s.b[0]->rows[0]->time.unstable = true;
    s.a[0]->rows[0]->samples.count = 5;
    yoke_comparison *c = sides_compare(&s, 0.05);
    assert_int_equal(c->rows[0].verdict, YOKE_COMPARED_SAME);
    yoke_comparison_free(c);
    sides_free(&s);
}

static void a_side_without_a_record_is_refused(void **state)
{
    (void)state;
    yoke_comparison *c;
    yoke_error err = {0};
    yoke_record *record = compare_record();
    const yoke_record *const one[] = {record};
    assert_int_equal(yoke_compare_runs(one, 1, one, 0, 0.05, &c, &err), YOKE_ERR_USAGE);
    assert_string_equal(err.text, "compare: B has no record");
    assert_null(c);
    yoke_record_free(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_varies_from_run_to_run_is_no_change),
        cmocka_unit_test(a_change_beyond_what_runs_vary_is_found),
        cmocka_unit_test(the_run_that_cannot_be_compared_is_named),
        cmocka_unit_test(a_row_that_one_run_alone_has_is_missing_in_the_others),
        cmocka_unit_test(a_run_that_drifts_is_a_run_like_others),
        cmocka_unit_test(a_side_without_a_record_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
