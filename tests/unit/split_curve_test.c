#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "split/curve.h"
#include "unit/measure_near.h"
#include "unit/split_random.h"

static void add(curve *c, size_t m, size_t n, double ns)
{
    yoke_curve_point point = {.m = m, .n = n, .median_ns = ns, .count = 10};
    assert_int_equal(curve_add(c, &point, NULL), YOKE_OK);
}

static double time_at(const curve *c, size_t m, size_t n)
{
    line l;
    curve_over_n(c, m, &l);
    return line_time(&l, n);
}

static void time_is_linear_between_the_sizes_measured(void **state)
{
    (void)state;
    curve c = {0};
    add(&c, 1, 300, 500); /* in no order */
    add(&c, 1, 100, 200);
    add(&c, 1, 200, 300);
    assert_near(time_at(&c, 1, 100), 200, 1e-9);
    assert_near(time_at(&c, 1, 150), 250, 1e-9);
    assert_near(time_at(&c, 1, 275), 450, 1e-9);
    assert_near(time_at(&c, 1, 300), 500, 1e-9);
    curve_free(&c);
}

static void a_point_measured_again_replaces_the_old_one(void **state)
{
    (void)state;
    curve c = {0};
    add(&c, 1, 100, 200);
    add(&c, 1, 200, 300);
    add(&c, 1, 200, 400);
    assert_int_equal(c.rows[0].count, 2);
    assert_near(time_at(&c, 1, 150), 300, 1e-9);
    curve_free(&c);
}

static void times_that_fall_are_pooled_into_their_mean(void **state)
{
    (void)state;
    curve c = {0};
    add(&c, 1, 100, 100);
    add(&c, 1, 200, 260);
    add(&c, 1, 300, 240);
    add(&c, 1, 400, 230);
    add(&c, 1, 500, 400);
    /* (260 + 240 + 230) / 3 */
    assert_near(time_at(&c, 1, 200), 730.0 / 3, 1e-9);
    assert_near(time_at(&c, 1, 300), 730.0 / 3, 1e-9);
    assert_near(time_at(&c, 1, 400), 730.0 / 3, 1e-9);
    assert_near(time_at(&c, 1, 500), 400, 1e-9);
    curve_free(&c);
}

static void below_the_smallest_size_the_first_line_goes_on_to_the_fixed_cost(void **state)
{
    (void)state;
    curve c = {0};
    add(&c, 1, 100, 1100);
    add(&c, 1, 200, 1200);
    add(&c, 1, 300, 5000);
    assert_near(time_at(&c, 1, 0), 1000, 1e-9);
    assert_near(time_at(&c, 1, 40), 1040, 1e-9);
    curve_free(&c);
}

static void fixed_cost_is_never_negative(void **state)
{
    (void)state;
    curve c = {0};
    add(&c, 1, 100, 100);
    add(&c, 1, 200, 300); /* would meet 0 at -100 */
    assert_near(time_at(&c, 1, 0), 0, 0);
    assert_near(time_at(&c, 1, 50), 50, 1e-9);
    curve_free(&c);
}

static void one_size_alone_counts_in_proportion(void **state)
{
    (void)state;
    curve c = {0};
    add(&c, 1, 100, 100);
    assert_near(time_at(&c, 1, 30), 30, 1e-9);
    assert_near(time_at(&c, 1, 250), 250, 1e-9);
    curve_free(&c);
}

static void beyond_the_largest_size_the_last_rising_line_goes_on(void **state)
{
    (void)state;
    curve c = {0};
    add(&c, 1, 100, 100);
    add(&c, 1, 200, 150);
    assert_near(time_at(&c, 1, 400), 250, 1e-9);
    add(&c, 1, 300, 240);
    add(&c, 1, 400, 220); /* pooled: 230 at both; from 200 to 400 it rises by 80 */
    assert_near(time_at(&c, 1, 500), 230 + 100 * 80.0 / 200, 1e-9);
    curve_free(&c);
}

static void time_that_never_rises_goes_on_in_proportion(void **state)
{
    (void)state;
    curve c = {0};
    add(&c, 1, 100, 120);
    add(&c, 1, 200, 80);
    assert_near(time_at(&c, 1, 0), 100, 1e-9);
    assert_near(time_at(&c, 1, 200), 100, 1e-9);
    assert_near(time_at(&c, 1, 400), 200, 1e-9);
    curve_free(&c);
}

static void over_m_it_is_linear_between_constant_below_and_proportional_beyond(void **state)
{
    (void)state;
    curve c = {0};
    add(&c, 8, 100, 1000);
    add(&c, 8, 200, 2000);
    add(&c, 16, 150, 4500); /* other sizes at another m */
    add(&c, 16, 250, 7500);
    assert_near(time_at(&c, 8, 150), 1500, 1e-9);
    assert_near(time_at(&c, 12, 150), (1500 + 4500) / 2.0, 1e-9);
    assert_near(time_at(&c, 10, 200), 0.75 * 2000 + 0.25 * 6000, 1e-9);
    assert_near(time_at(&c, 12, 400), (4000 + 12000) / 2.0, 1e-9);
    assert_near(time_at(&c, 1, 150), 1500, 1e-9);
    assert_near(time_at(&c, 32, 150), 9000, 1e-9);
    curve_free(&c);
}

static void along_m_more_rows_never_take_less(void **state)
{
    (void)state;
    curve c = {0};
    add(&c, 2, 100, 300);
    add(&c, 4, 100, 200);
    add(&c, 8, 100, 500);
    line l;
    curve_over_m(&c, 100, &l);
    assert_near(line_time(&l, 1), 300, 1e-9);
    assert_near(line_time(&l, 4), 300, 1e-9);
    assert_near(line_time(&l, 6), 400, 1e-9);
    assert_near(line_time(&l, 16), 1000, 1e-9);
    curve_free(&c);
}

static void more_sizes_than_a_curve_holds_are_refused(void **state)
{
    (void)state;
    curve c = {0};
    yoke_error err;
    for (size_t i = 1; i <= YOKE_CURVE_MAX_N; i++)
        add(&c, 1, 16 * i, (double)i);
    yoke_curve_point point = {.m = 1, .n = 8, .median_ns = 1};
    assert_int_equal(curve_add(&c, &point, &err), YOKE_ERR_USAGE);
    assert_non_null(strstr(err.text, "32 window sizes"));
    for (size_t i = 2; i <= YOKE_CURVE_MAX_M; i++)
        add(&c, i, 16, 1);
    point.m = YOKE_CURVE_MAX_M + 1;
    assert_int_equal(curve_add(&c, &point, &err), YOKE_ERR_USAGE);
    assert_non_null(strstr(err.text, "32 values of m"));
    curve_free(&c);
}

/* Points that rise, fall and repeat, some by no more than rounding. */
static void random_curve(uint64_t *seed, size_t largest, curve *c)
{
    size_t rows = random_size(seed, 1, 4);
    for (size_t i = 0; i < rows; i++) {
        size_t m = random_size(seed, 1, 64), points = random_size(seed, 1, 8);
        double slope = random_real(seed, 0.001, 3);
        for (size_t j = 0; j < points; j++) {
            size_t n = random_size(seed, 1, largest);
            double ns = 1 + slope * (double)n * random_real(seed, 0.7, 1.3);
            if (random_size(seed, 0, 3) == 0)
                ns = 100 * (1 + (double)random_size(seed, 0, 3) * 0x1p-52);
            add(c, m, n, ns);
        }
    }
}

static void time_never_falls_with_size_and_reach_is_its_inverse(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int round = 0; round < 2000; round++) {
        curve c = {0};
        line l;
        random_curve(&seed, 300, &c);
        if (round % 2)
            curve_over_n(&c, random_size(&seed, 1, 80), &l);
        else
            curve_over_m(&c, random_size(&seed, 1, 400), &l);
        const size_t limit = 400;
        for (size_t at = 0; at < limit; at++)
            assert_true(line_time(&l, at) <= line_time(&l, at + 1));
        for (int tries = 0; tries < 20; tries++) {
            /* Exactly at a size's time, just before it, or anywhere. */
            double time = line_time(&l, random_size(&seed, 0, limit));
            if (tries % 3 == 1)
                time = nextafter(time, 0);
            if (tries % 3 == 2)
                time *= random_real(&seed, 0.9, 1.2);
            size_t right = 0;
            while (right < limit && line_time(&l, right + 1) <= time)
                right++;
            assert_int_equal(line_reach(&l, time, limit), right);
        }
        curve_free(&c);
    }
}

static void time_never_falls_between_sizes_too_large_for_doubles(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 1000; round++) {
        curve c = {0};
        add(&c, 1, (size_t)1 << 61, random_real(&seed, 1, 2));
        add(&c, 1, (size_t)1 << 62, random_real(&seed, 2, 100));
        line l;
        curve_over_n(&c, 1, &l);
        for (size_t bit = 61; bit <= 62; bit++)
            assert_true(line_time(&l, ((size_t)1 << bit) - 1) <= line_time(&l, (size_t)1 << bit));
        curve_free(&c);
    }
}

static void reach_of_a_long_time_stops_at_the_limit(void **state)
{
    (void)state;
    curve c = {0};
    add(&c, 1, 100, 100);
    line l;
    curve_over_n(&c, 1, &l);
    assert_int_equal(line_reach(&l, 1e300, PTRDIFF_MAX), PTRDIFF_MAX);
    assert_int_equal(line_reach(&l, 1e300, 50), 50);
    assert_int_equal(line_reach(&l, -1, 50), 0);
    curve_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_linear_between_the_sizes_measured),
        cmocka_unit_test(a_point_measured_again_replaces_the_old_one),
        cmocka_unit_test(times_that_fall_are_pooled_into_their_mean),
        cmocka_unit_test(below_the_smallest_size_the_first_line_goes_on_to_the_fixed_cost),
        cmocka_unit_test(fixed_cost_is_never_negative),
        cmocka_unit_test(one_size_alone_counts_in_proportion),
        cmocka_unit_test(beyond_the_largest_size_the_last_rising_line_goes_on),
        cmocka_unit_test(time_that_never_rises_goes_on_in_proportion),
        cmocka_unit_test(over_m_it_is_linear_between_constant_below_and_proportional_beyond),
        cmocka_unit_test(along_m_more_rows_never_take_less),
        cmocka_unit_test(more_sizes_than_a_curve_holds_are_refused),
        cmocka_unit_test(time_never_falls_with_size_and_reach_is_its_inverse),
        cmocka_unit_test(time_never_falls_between_sizes_too_large_for_doubles),
        cmocka_unit_test(reach_of_a_long_time_stops_at_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
