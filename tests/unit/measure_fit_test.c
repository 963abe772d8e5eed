#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/measure_near.h"
#include "yoke/measure.h"

static void published_bytes_and_times_give_their_published_rates(void **state)
{
    (void)state;
    /* M4, github.com/Anemll/anemll-bench/issues/5; GB is 10^9 bytes. */
    assert_near(yoke_gbps(1050673728, 16.371926466623943e6), 64.1753, 5e-5);
    assert_near(yoke_gbps(396055616, 6.446663538614909e6), 61.4358, 5e-5);
}

static void a_rate_without_time_is_no_number(void **state)
{
    (void)state;
    assert_true(isnan(yoke_gbps(1, 0)));
    assert_true(isnan(yoke_gbps(1, -1)));
}

static void fit_recovers_a_known_bandwidth_and_fixed_cost(void **state)
{
    (void)state;
    const double bytes[] = {262668432, 525336864, 1050673728};
    double ns[3];
    for (size_t i = 0; i < 3; i++)
        ns[i] = 250e3 + bytes[i] / 64.0;
    yoke_fit fit;
    assert_int_equal(yoke_fit_line(bytes, ns, 3, &fit, NULL), YOKE_OK);
    assert_near(1 / fit.slope, 64, 1e-9);
    assert_near(fit.fixed, 250e3, 1e-3);
    assert_near(fit.residual, 0, 1e-12);
}

static void two_points_are_met_exactly(void **state)
{
    (void)state;
    const double x[] = {2, 4}, y[] = {7, 11};
    yoke_fit fit;
    assert_int_equal(yoke_fit_line(x, y, 2, &fit, NULL), YOKE_OK);
    assert_near(fit.slope, 2, 1e-12);
    assert_near(fit.fixed, 3, 1e-12);
    assert_near(fit.slope_error, 0, 0);
    assert_near(fit.fixed_error, 0, 0);
}

static void scattered_points_weigh_by_their_relative_error(void **state)
{
    (void)state;
    /* By hand: weights 1, 1, 1/4; means 5/3 and 10/9; Sxx 1, Sxy 1/3;
     * relative residuals 1/9, -2/9, 2/9. */
    const double x[] = {1, 2, 3}, y[] = {1, 1, 2};
    yoke_fit fit;
    assert_int_equal(yoke_fit_line(x, y, 3, &fit, NULL), YOKE_OK);
    assert_near(fit.slope, 1.0 / 3, 1e-12);
    assert_near(fit.fixed, 5.0 / 9, 1e-12);
    assert_near(fit.residual, sqrt(1.0 / 27), 1e-12);
    assert_near(fit.slope_error, 1.0 / 3, 1e-12);
    assert_near(fit.fixed_error, sqrt((4.0 / 9 + 25.0 / 9) / 9), 1e-12);
}

static void points_that_make_no_line_are_refused(void **state)
{
    (void)state;
    yoke_fit fit;
    yoke_error err;
    const double x[] = {1, 2}, same[] = {3, 3}, y[] = {1, 2}, zero[] = {1, 0}, nan[] = {1, NAN};
    assert_int_equal(yoke_fit_line(x, y, 0, &fit, &err), YOKE_ERR_USAGE);
    assert_int_equal(yoke_fit_line(x, y, 1, &fit, &err), YOKE_ERR_USAGE);
    assert_int_equal(yoke_fit_line(same, y, 2, &fit, &err), YOKE_ERR_USAGE);
    assert_int_equal(yoke_fit_line(x, zero, 2, &fit, &err), YOKE_ERR_USAGE);
    assert_int_equal(yoke_fit_line(x, nan, 2, &fit, &err), YOKE_ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_bytes_and_times_give_their_published_rates),
        cmocka_unit_test(a_rate_without_time_is_no_number),
        cmocka_unit_test(fit_recovers_a_known_bandwidth_and_fixed_cost),
        cmocka_unit_test(two_points_are_met_exactly),
        cmocka_unit_test(scattered_points_weigh_by_their_relative_error),
        cmocka_unit_test(points_that_make_no_line_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
