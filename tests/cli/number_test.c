#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/number.h"

static void bytes_are_decimal(void **state)
{
    (void)state;
    assert_string_equal(number_bytes(0).text, "0 B");
    assert_string_equal(number_bytes(999).text, "999 B");
    assert_string_equal(number_bytes(1000).text, "1.00 kB");
    assert_string_equal(number_bytes(1050673728).text, "1050.67 MB");
    assert_string_equal(number_bytes(UINT64_C(128849018880)).text, "128.85 GB");
    assert_string_equal(number_bytes(UINT64_MAX).text, "18446744.07 TB");
}

static void times_take_the_unit_that_fits(void **state)
{
    (void)state;
    assert_string_equal(number_time(870).text, "870 ns");
    assert_string_equal(number_time(12345).text, "12.3 us");
    assert_string_equal(number_time(16371926.5).text, "16.4 ms");
    assert_string_equal(number_time(2.05e9).text, "2.05 s");
    assert_string_equal(number_time(999600).text, "1.00 ms");
    assert_string_equal(number_time(90e9).text, "90.0 s");
}

static void digits_are_significant_ones(void **state)
{
    (void)state;
    assert_string_equal(number_digits(0.01234, 3).text, "0.0123");
    assert_string_equal(number_digits(64.1753, 3).text, "64.2");
    assert_string_equal(number_digits(1050.6, 3).text, "1051");
    assert_string_equal(number_digits(9.996, 3).text, "10.0");
    assert_string_equal(number_digits(0, 3).text, "0.00");
    assert_string_equal(number_digits(-2.5, 2).text, "-2.5");
    assert_string_equal(number_digits(1e-12, 2).text, "1.0e-12");
    assert_string_equal(number_digits(1e18, 3).text, "1.00e+18");
}

static void unknown_is_a_dash_and_never_zero(void **state)
{
    (void)state;
    assert_string_equal(number_digits(NAN, 3).text, "-");
    assert_string_equal(number_time(NAN).text, "-");
    assert_string_equal(number_percent(INFINITY).text, "-");
}

static void percent_has_one_decimal(void **state)
{
    (void)state;
    assert_string_equal(number_percent(0.97341).text, "97.3 %");
}

static void counts_are_grouped_by_thousands(void **state)
{
    (void)state;
    assert_string_equal(number_count(0).text, "0");
    assert_string_equal(number_count(999).text, "999");
    assert_string_equal(number_count(1000).text, "1,000");
    assert_string_equal(number_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_decimal),
        cmocka_unit_test(times_take_the_unit_that_fits),
        cmocka_unit_test(digits_are_significant_ones),
        cmocka_unit_test(unknown_is_a_dash_and_never_zero),
        cmocka_unit_test(percent_has_one_decimal),
        cmocka_unit_test(counts_are_grouped_by_thousands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
