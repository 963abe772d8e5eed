#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "measure_compare_support.h"
#include "measure_near.h"
#include "yoke/compare.h"

static yoke_comparison *compare(const yoke_record *a, const yoke_record *b, double threshold)
{
    yoke_comparison *c;
    yoke_error err = {0};
    if (yoke_compare(a, b, threshold, &c, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return c;
}

/* Counts over many seeds what is found between two records whose times differ by a factor. */
static void count_verdicts(double factor, double threshold, size_t trials, size_t counts[4],
                           size_t *covered)
{
    yoke_record *a = compare_record(), *b = compare_record();
    yoke_record_row *row_a = compare_row(a, 1e6), *row_b = compare_row(b, 1e6);
    memset(counts, 0, 4 * sizeof *counts);
    *covered = 0;
    for (size_t seed = 0; seed < trials; seed++) {
        compare_seed(seed * 7919 + 1);
        compare_times(row_a, 1e6);
        compare_times(row_b, factor * 1e6);
        yoke_comparison *c = compare(a, b, threshold);
        counts[c->rows[0].verdict]++;
        *covered += c->rows[0].low <= factor && factor <= c->rows[0].high;
        yoke_comparison_free(c);
    }
    yoke_record_free(a);
    yoke_record_free(b);
}

static void two_records_of_one_distribution_are_the_same_as_often_as_stated(void **state)
{
    (void)state;
    size_t counts[4], covered;
    count_verdicts(1, 0, 2000, counts, &covered);
    /* 2.5 % each way; three deviations of a count of 2000 are 1 %. */
    assert_true(counts[YOKE_COMPARED_SLOWER] < 70);
    assert_true(counts[YOKE_COMPARED_FASTER] < 70);
    assert_true(covered > 1870);
    count_verdicts(1, 0.05, 500, counts, &covered);
    assert_int_equal(counts[YOKE_COMPARED_SAME], 500);
}

static void a_known_ratio_is_found_and_covered_by_its_interval(void **state)
{
    (void)state;
    size_t counts[4], covered;
    count_verdicts(1.2, 0.05, 1000, counts, &covered);
    assert_int_equal(counts[YOKE_COMPARED_SLOWER], 1000);
    assert_true(covered > 920); /* 95 % less three deviations */
    count_verdicts(1 / 1.2, 0.05, 100, counts, &covered);
    assert_int_equal(counts[YOKE_COMPARED_FASTER], 100);
}

static void exchanging_the_records_turns_the_verdict_round(void **state)
{
    (void)state;
    compare_seed(3);
    yoke_record *a = compare_record(), *b = compare_record();
    compare_row(a, 1e6);
    compare_row(b, 1.3e6);
    yoke_comparison *there = compare(a, b, 0.05), *back = compare(b, a, 0.05);
    assert_int_equal(there->rows[0].verdict, YOKE_COMPARED_SLOWER);
    assert_int_equal(back->rows[0].verdict, YOKE_COMPARED_FASTER);
    assert_near(there->rows[0].low * back->rows[0].high, 1, 1e-12);
    assert_int_equal(yoke_comparison_count(there, YOKE_COMPARED_SLOWER), 1);
    assert_int_equal(yoke_comparison_count(there, YOKE_COMPARED_SAME), 0);
    yoke_comparison_free(there);
    yoke_comparison_free(back);
    yoke_record_free(a);
    yoke_record_free(b);
}

/* What is done to B, or to its row, and what is then said. */
typedef struct change {
    void (*row)(yoke_record_row *);
    void (*record)(yoke_record *);
    const char *reason;
} change;

static void fails(yoke_record_row *row)
{
    yoke_record_row_fail(row, "device lost");
}
static void is_unchecked(yoke_record_row *row)
{
    row->check[0] = '\0';
}
static void is_wrong(yoke_record_row *row)
{
    strcpy(row->check, "wrong");
}
static void is_cached(yoke_record_row *row)
{
    row->cached = true;
}
static void is_unstable(yoke_record_row *row)
{
    row->time.unstable = true;
    row->time.drift = 0.23;
}
static void has_five_samples(yoke_record_row *row)
{
    row->samples.count = 5;
}
static void has_a_time_of_nothing(yoke_record_row *row)
{
    row->samples.samples_ns[7] = 0;
}
static void is_bf16(yoke_record_row *row)
{
    row->format = YOKE_BF16;
}
static void has_x_of_f16(yoke_record_row *row)
{
    row->x_format = YOKE_F16;
}
static void is_less_precise(yoke_record_row *row)
{
    strcpy(row->precision, "int8_x");
}
static void is_larger(yoke_record_row *row)
{
    row->n = 1024;
}
static void has_other_bytes(yoke_record_row *row)
{
    row->bytes = 1;
}
static void is_another_engine(yoke_record_row *row)
{
    strcpy(row->engine, "ref");
}
static void has_another_hash(yoke_record *record)
{
    strcpy(record->artefact.hash, "fedcba9876543210");
}
static void has_another_weight(yoke_record *record)
{
    record->artefact.k = 128;
}
static void is_headed_by_the_mean(yoke_record *record)
{
    for (size_t i = 0; i < record->method.count; i++)
        if (strncmp(record->method.texts[i], "headline=", 9) == 0)
            strcpy(record->method.texts[i], "headline=mean");
}

static const change changes[] = {
    {fails, NULL, "B failed: device lost"},
    {is_unchecked, NULL, "the answer of B is unchecked"},
    {is_wrong, NULL, "the answer of B is wrong"},
    {is_cached, NULL, "B reads a weight from the caches, A from memory"},
    {is_unstable, NULL, "B is unstable: its times drift by 23 %"},
    {has_five_samples, NULL, "B has 5 samples, fewer than 6"},
    {has_a_time_of_nothing, NULL, "B has times that are no times"},
    {is_bf16, NULL, "other format: f16, bf16"},
    {has_x_of_f16, NULL, "other format of x: f32, f16"},
    {is_less_precise, NULL, "other precision: full, int8_x"},
    {is_larger, NULL, "other size: 512x256, 1024x256"},
    {has_other_bytes, NULL, "other bytes: 262144, 1"},
    {is_another_engine, NULL, "missing in B"},
    {NULL, has_another_hash, "other weight, by its hash: 0123456789abcdef, fedcba9876543210"},
    {NULL, has_another_weight, "other weight: 512x256 of 262144 bytes, 512x128 of 262144"},
    {NULL, is_headed_by_the_mean, "other method: headline is median, mean"},
};

static void what_cannot_be_compared_says_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        compare_seed(i);
        yoke_record *a = compare_record(), *b = compare_record();
        compare_row(a, 1e6);
        yoke_record_row *row = compare_row(b, 1e6);
        if (changes[i].row)
            changes[i].row(row);
        else
            changes[i].record(b);
        yoke_comparison *c = compare(a, b, 0.05);
        assert_int_equal(c->rows[0].verdict, YOKE_COMPARED_NOT);
        assert_string_equal(c->rows[0].reason, changes[i].reason);
        assert_true(isnan(c->rows[0].ratio));
        yoke_comparison_free(c);
        yoke_record_free(a);
        yoke_record_free(b);
    }
}

static void rows_find_theirs_in_any_order_and_what_is_left_is_named(void **state)
{
    (void)state;
    compare_seed(11);
    yoke_record *a = compare_record(), *b = compare_record();
    for (size_t i = 0; i < 3; i++)
        compare_row(a, 1e6 * (double)(i + 1))->m = i + 1;
    for (size_t i = 3; i > 1; i--)
        compare_row(b, 1e6 * (double)i)->m = i;
    compare_row(b, 1e6)->m = 9;
    yoke_comparison *c = compare(a, b, 0.05);
    assert_int_equal(c->row_count, 4);
    assert_string_equal(c->rows[0].reason, "missing in B");
    for (size_t i = 1; i < 3; i++) {
        assert_int_equal(c->rows[i].verdict, YOKE_COMPARED_SAME);
        assert_int_equal(c->rows[i].b->m, i + 1);
    }
    assert_string_equal(c->rows[3].reason, "missing in A");
    yoke_comparison_free(c);
    yoke_record_free(a);
    yoke_record_free(b);
}

static void rows_without_times_are_left_out(void **state)
{
    (void)state;
    yoke_record *a = compare_record(), *b = compare_record();
    yoke_record_row *window;
    assert_int_equal(yoke_record_add_row(a, "split", "window", &window, NULL), YOKE_OK);
    assert_int_equal(yoke_record_add_row(b, "split", "window", &window, NULL), YOKE_OK);
    yoke_comparison *c = compare(a, b, 0.05);
    assert_int_equal(c->row_count, 0);
    assert_int_equal(c->untimed, 1);
    yoke_comparison_free(c);
    yoke_record_free(a);
    yoke_record_free(b);
}

static bool has_note(const yoke_comparison *c, const char *part)
{
    for (size_t i = 0; i < c->notes.count; i++)
        if (strstr(c->notes.texts[i], part))
            return true;
    return false;
}

static void another_host_or_path_is_compared_and_noted(void **state)
{
    (void)state;
    compare_seed(1);
    yoke_record *a = compare_record(), *b = compare_record();
    strcpy(compare_row(a, 1e6)->path, "avx2");
    strcpy(compare_row(b, 1e6)->path, "avx512");
    if (!b->host) {
        print_message("the host cannot be read here\n");
        yoke_record_free(a);
        yoke_record_free(b);
        skip();
    }
    strcpy(b->host->cpu, "Another Processor");
    yoke_comparison *c = compare(a, b, 0.05);
    assert_int_equal(c->rows[0].verdict, YOKE_COMPARED_SAME);
    assert_true(has_note(c, "other processor: "));
    assert_true(has_note(c, "Another Processor"));
    assert_true(has_note(c, "other path of cpu: avx2, avx512"));
    assert_false(has_note(c, "other system"));
    yoke_comparison_free(c);
    yoke_record_free(a);
    yoke_record_free(b);
}

static void a_threshold_below_zero_is_refused(void **state)
{
    (void)state;
    yoke_record *a = compare_record();
    yoke_comparison *c;
    yoke_error err = {0};
    assert_int_equal(yoke_compare(a, a, -0.1, &c, &err), YOKE_ERR_USAGE);
    assert_int_equal(yoke_compare(a, a, (double)NAN, &c, &err), YOKE_ERR_USAGE);
    assert_null(c);
    yoke_record_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_records_of_one_distribution_are_the_same_as_often_as_stated),
        cmocka_unit_test(a_known_ratio_is_found_and_covered_by_its_interval),
        cmocka_unit_test(exchanging_the_records_turns_the_verdict_round),
        cmocka_unit_test(what_cannot_be_compared_says_why),
        cmocka_unit_test(rows_find_theirs_in_any_order_and_what_is_left_is_named),
        cmocka_unit_test(rows_without_times_are_left_out),
        cmocka_unit_test(another_host_or_path_is_compared_and_noted),
        cmocka_unit_test(a_threshold_below_zero_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
