#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/order.h"
#include "unit/measure_near.h"
#include "yoke/measure.h"

/* Published timings, us: the first run pays for start-up (github.com/dotnet/sdk/pull/2449). */
static const double startup_series[] = {204243.803, 18890.4666, 18646.4342, 18990.746,  18969.4694,
                                        19051.0284, 18862.6672, 18805.6347, 19060.9406, 18910.2225};

static yoke_statistics statistics_of(const double *samples, size_t count)
{
    yoke_statistics s;
    yoke_error err;
    assert_int_equal(yoke_statistics_of(samples, count, &s, &err), YOKE_OK);
    return s;
}

static void published_series_gives_its_published_mean_and_median(void **state)
{
    (void)state;
    yoke_statistics s = statistics_of(startup_series, 10);
    assert_int_equal(s.count, 10);
    assert_near(s.mean, 37443.14126, 1e-5);
    assert_near(s.median, 18939.846, 1e-3);
    assert_near(s.min, 18646.4342, 0);
    assert_near(s.max, 204243.803, 0);
    assert_int_equal(s.outliers_severe, 1);
    assert_int_equal(s.outliers_mild, 0);
}

static void quantiles_interpolate_as_type_7_does(void **state)
{
    (void)state;
    const double samples[] = {7, 1, 10, 3, 5, 2, 8, 4, 9, 6};
    yoke_statistics s = statistics_of(samples, 10);
    assert_near(s.p10, 1.9, 1e-12); /* R: quantile(1:10, c(.1, .5, .9, .99)) */
    assert_near(s.median, 5.5, 1e-12);
    assert_near(s.p90, 9.1, 1e-12);
    assert_near(s.p99, 9.91, 1e-12);
    assert_near(s.mad, 2.5, 1e-12);
}

static void outliers_are_counted_by_severity_and_kept(void **state)
{
    (void)state;
    /* Quartiles 3 and 9 (type 7): fences -6 and 18 mild, -15 and 27 severe. */
    const double samples[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 28};
    yoke_statistics s = statistics_of(samples, 13);
    assert_int_equal(s.outliers_mild, 1);
    assert_int_equal(s.outliers_severe, 1);
    assert_near(s.max, 28, 0);
}

static void ranks_of_the_median_interval_match_the_published_table(void **state)
{
    (void)state;
    /* Distribution-free 95 % intervals of the median, as tabulated from the binomial:
     * n = 100 gives the 40th and 61st value, n = 20 the 6th and 15th, and so on. */
    const struct {
        size_t n, rank;
    } table[] = {{6, 1},   {7, 1},   {8, 1},   {9, 2},    {10, 2},     {11, 2},  {12, 3},
                 {15, 4},  {20, 6},  {25, 8},  {30, 10},  {40, 14},    {50, 18}, {60, 22},
                 {70, 27}, {80, 31}, {90, 36}, {100, 40}, {2000, 956}, {5, 1},   {1, 1}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(order_median_rank(table[i].n), table[i].rank);
}

static void median_interval_is_read_from_the_ordered_samples(void **state)
{
    (void)state;
    const double samples[] = {70, 10, 100, 30, 50, 20, 80, 40, 90, 60};
    yoke_statistics s = statistics_of(samples, 10);
    assert_near(s.median_low, 20, 0);
    assert_near(s.median_high, 90, 0);
}

static void timings_that_rise_by_30_percent_are_unstable(void **state)
{
    (void)state;
    double samples[30];
    for (size_t i = 0; i < 30; i++)
        samples[i] = 100.0 + 30.0 * (double)i / 29.0;
    yoke_statistics s = statistics_of(samples, 30);
    /* Thirds of 10: medians at 4.5 and 24.5 steps. */
    assert_near(s.drift, (100 + 30 * 24.5 / 29) / (100 + 30 * 4.5 / 29) - 1, 1e-12);
    assert_true(s.unstable);
}

static void timings_that_only_scatter_are_stable(void **state)
{
    (void)state;
    double samples[30];
    for (size_t i = 0; i < 30; i++)
        samples[i] = i % 2 ? 130 : 100;
    assert_false(statistics_of(samples, 30).unstable);
    assert_near(statistics_of(samples, 30).drift, 0, 1e-12);
}

static void a_drift_within_the_noise_is_stable(void **state)
{
    (void)state;
    /* Medians of the thirds 140 and 162.5, but each third's interval covers the other's. */
    const double samples[] = {100, 150, 130, 160, 140, 150, 120, 170, 110, 160, 165, 170};
    yoke_statistics s = statistics_of(samples, 12);
    assert_near(s.drift, 162.5 / 140 - 1, 1e-12);
    assert_false(s.unstable);
}

static void a_small_drift_is_reported_but_stable(void **state)
{
    (void)state;
    double samples[30];
    for (size_t i = 0; i < 30; i++)
        samples[i] = 100.0 + 5.0 * (double)i / 29.0;
    yoke_statistics s = statistics_of(samples, 30);
    assert_true(s.drift > 0.03);
    assert_false(s.unstable);
}

static void one_sample_is_its_own_median_and_interval(void **state)
{
    (void)state;
    const double sample = 42;
    yoke_statistics s = statistics_of(&sample, 1);
    assert_near(s.median, 42, 0);
    assert_near(s.p99, 42, 0);
    assert_near(s.median_low, 42, 0);
    assert_near(s.median_high, 42, 0);
    assert_near(s.mad, 0, 0);
    assert_false(s.unstable);
}

static void no_samples_and_samples_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    yoke_statistics s;
    yoke_error err;
    const double samples[] = {1, NAN, 3};
    assert_int_equal(yoke_statistics_of(samples, 0, &s, &err), YOKE_ERR_USAGE);
    assert_int_equal(yoke_statistics_of(samples, 3, &s, &err), YOKE_ERR_USAGE);
    assert_string_equal(err.text, "statistics: sample 1 is nan");
}

static void series_keeps_every_sample_in_order(void **state)
{
    (void)state;
    yoke_series series = {0};
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(yoke_series_add(&series, (double)i, NULL), YOKE_OK);
    assert_int_equal(series.count, 1000);
    for (size_t i = 0; i < 1000; i++)
        assert_near(series.samples_ns[i], (double)i, 0);
    yoke_series_free(&series);
    assert_null(series.samples_ns);
    yoke_series_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_series_gives_its_published_mean_and_median),
        cmocka_unit_test(quantiles_interpolate_as_type_7_does),
        cmocka_unit_test(outliers_are_counted_by_severity_and_kept),
        cmocka_unit_test(ranks_of_the_median_interval_match_the_published_table),
        cmocka_unit_test(median_interval_is_read_from_the_ordered_samples),
        cmocka_unit_test(timings_that_rise_by_30_percent_are_unstable),
        cmocka_unit_test(timings_that_only_scatter_are_stable),
        cmocka_unit_test(a_drift_within_the_noise_is_stable),
        cmocka_unit_test(a_small_drift_is_reported_but_stable),
        cmocka_unit_test(one_sample_is_its_own_median_and_interval),
        cmocka_unit_test(no_samples_and_samples_that_are_no_numbers_are_refused),
        cmocka_unit_test(series_keeps_every_sample_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
