#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/ratio.h"
#include "measure/student.h"
#include "measure_compare_support.h"
#include "measure_near.h"

/* Published for these numbers by the R package statpsych, of the method's authors, as the example
 * of its function ci.ratio.median2. */
static void interval_of_samples_is_the_published_one(void **state)
{
    (void)state;
    const double b[] = {36, 44, 47, 42, 49, 39, 46, 31, 33, 48};
    const double a[] = {32, 39, 26, 35, 43, 27, 40, 37, 34, 29, 49, 42, 40};
    ratio found;
    assert_int_equal(ratio_of_medians(a, 13, b, 10, &found, NULL), YOKE_OK);
    assert_near(found.value, 1.162162, 1e-6);
    assert_near(found.low, 0.927667, 1e-6);
    assert_near(found.high, 1.455933, 1e-6);
}

static void interval_of_ten_thousand_samples_is_narrow_and_right(void **state)
{
    (void)state;
    static double a[10000], b[10000];
    compare_seed(5);
    for (size_t i = 0; i < 10000; i++) {
        a[i] = 1000 * exp(0.1 * compare_normal());
        b[i] = 1100 * exp(0.1 * compare_normal());
    }
    ratio found;
    assert_int_equal(ratio_of_medians(a, 10000, b, 10000, &found, NULL), YOKE_OK);
    /* A median's error is sqrt(pi / 2 / n) of the deviation. */
    double reach = 1.96 * 0.1 * sqrt(2 * 3.14159265 / 2 / 10000);
    assert_near(log(found.high / found.low) / 2, reach, reach / 5);
    assert_true(found.low < 1.1 && found.high > 1.1);
}

/* The table of the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, both tails. */
static void student_has_the_published_values(void **state)
{
    (void)state;
    static const struct {
        size_t degrees;
        double t;
    } published[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},
                     {9, 2.262},  {18, 2.101}, {30, 2.042}, {99, 1.984}, {100, 1.984}};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        assert_near(student_95(published[i].degrees), published[i].t, 5e-4);
    assert_near(student_95(1000000), 1.96, 5e-4);
}

/* Student's own example of 1908, hours of sleep gained by two drugs; the interval of the difference
 * is that which R prints for t.test(extra ~ group, data = sleep, var.equal = TRUE). */
static void interval_of_runs_is_the_published_one(void **state)
{
    (void)state;
    static const double drug1[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
                        drug2[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
    double a[10], b[10];
    for (size_t i = 0; i < 10; i++) {
        a[i] = exp(drug1[i]);
        b[i] = exp(drug2[i]);
    }
    ratio found = ratio_of_runs(b, 10, a, 10);
    assert_near(log(found.value), 0.75 - 2.33, 1e-12);
    assert_near(log(found.low), -3.363874, 1e-6);
    assert_near(log(found.high), 0.203874, 1e-6);
}

/* One run against three: by hand, the error is the deviation of the three times sqrt(1 + 1/3). */
static void a_run_alone_is_taken_to_vary_as_the_others_do(void **state)
{
    (void)state;
    const double alone[] = {exp(3)}, three[] = {exp(1), exp(2), exp(3)};
    ratio found = ratio_of_runs(three, 3, alone, 1);
    assert_near(log(found.value), 1, 1e-12);
    assert_near(log(found.high / found.low) / 2, 4.302653 * sqrt(4.0 / 3), 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interval_of_samples_is_the_published_one),
        cmocka_unit_test(interval_of_ten_thousand_samples_is_narrow_and_right),
        cmocka_unit_test(student_has_the_published_values),
        cmocka_unit_test(interval_of_runs_is_the_published_one),
        cmocka_unit_test(a_run_alone_is_taken_to_vary_as_the_others_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
