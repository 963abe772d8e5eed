/* The cross-chip table as it was published finds its errors by rule. The expected findings follow
 * from the published digits alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chips_support.h"

static yoke_chips *chips;
static yoke_chip_audit *audit;

static int open_published(void **state)
{
    (void)state;
    yoke_error err = {0};
    if (yoke_chips_open(YOKE_TEST_DATA "/chips_as_published.csv", NULL, &chips, &err) != YOKE_OK)
        print_error("%s\n", err.text);
    return yoke_chips_audit(chips, &audit, &err) == YOKE_OK ? 0 : -1;
}

static int close_published(void **state)
{
    (void)state;
    yoke_chip_audit_free(audit);
    yoke_chips_free(chips);
    return 0;
}

/* The row of a chip that states this rate. */
static size_t row_of(const char *chip, double gbps)
{
    const yoke_chip_measurement *m;
    for (size_t i = 0; (m = yoke_chips_measurement(chips, i)); i++)
        if (strcmp(m->chip, chip) == 0 && m->gbps.value == gbps)
            return m->row;
    fail_msg("no row of %s with %g", chip, gbps);
    return 0;
}

static void assert_found(yoke_chip_severity severity, const char *rule, size_t row,
                         const char *part)
{
    const yoke_chip_finding *f = find(audit, rule, row, part);
    if (!f)
        print_error("%s, row %zu: no '%s'\n", rule, row, part);
    assert_non_null(f);
    assert_int_equal(f->severity, severity);
}

static void time_column_of_thirteen_rows_is_of_another_artefact(void **state)
{
    (void)state;
    size_t count = 0;
    const yoke_chip_finding *f;
    for (size_t i = 0; (f = yoke_chip_audit_finding(audit, i)); i++)
        count += strcmp(f->rule, "size/time") == 0 && f->severity == YOKE_CHIP_ERROR;
    assert_int_equal(count, 13);
    assert_found(YOKE_CHIP_ERROR, "size/time", row_of("M1", 60.87), "139.72 GB/s, stated 60.87");
    assert_found(YOKE_CHIP_ERROR, "size/time", row_of("M4 Pro", 126.36), "272.90 GB/s");
    assert_found(YOKE_CHIP_WARNING, "size/time", 0, "13 rows are off alike");
}

static void wrong_correction_of_the_m3_time_is_found_and_the_old_one_is_right(void **state)
{
    (void)state;
    size_t wrong = row_of("M3", 63.10);
    assert_found(YOKE_CHIP_ERROR, "size/time", wrong, "6.95 ms is 151.18 GB/s, stated 63.1");
    const yoke_chip_measurement *m;
    for (size_t i = 0; (m = yoke_chips_measurement(chips, i)); i++)
        if (m->milliseconds.value == 16.65)
            assert_null(find(audit, "size/time", m->row, ""));
}

static void number_of_the_m3_max_is_that_of_the_m3_ultra(void **state)
{
    (void)state;
    assert_found(YOKE_CHIP_WARNING, "same number", row_of("M3 Max", 120.22), "M3 Ultra");
}

static void baseline_of_the_factors_is_not_one_chip_and_not_the_m1(void **state)
{
    (void)state;
    size_t row = row_of("M1", 60.87);
    assert_found(YOKE_CHIP_ERROR, "factor", row, "'M1 series' is not one chip");
    assert_found(YOKE_CHIP_ERROR, "factor", row, "M1 (60.87) fits 0 of 16");
    /* 63.10 / 54.90 */
    assert_found(YOKE_CHIP_ERROR, "factor", row,
                 "M1 Pro (54.90) fits 15 of 16 (not M3: 1.149, stated 1.2)");
}

static void rates_of_one_chip_that_disagree_are_found(void **state)
{
    (void)state;
    assert_found(YOKE_CHIP_WARNING, "repeats", row_of("M4 Max", 118.88),
                 "118.88 to 120.24 GB/s, 1.1 % apart");
    assert_found(YOKE_CHIP_WARNING, "repeats", row_of("M6", 136.66),
                 "131.79 to 136.66 GB/s, 3.7 % apart");
}

static void two_models_at_once_gain_nothing(void **state)
{
    (void)state;
    size_t row = row_of("M5 Max", 147.62);
    assert_found(YOKE_CHIP_NOTE, "combined/solo", row, "0.994: no gain");
    assert_found(YOKE_CHIP_NOTE, "size/time", 0, "147.88 for 147.62");
    assert_found(YOKE_CHIP_NOTE, "combined/solo", row_of("M6", 135.94), "differ by 3.7 %");
    assert_found(YOKE_CHIP_NOTE, "combined/solo", row_of("M3 Ultra", 120.29), "no gain");
    assert_null(find(audit, "sum of each", row, ""));
}

static void six_bit_indices_read_as_eight_fit_the_m6_and_not_the_m1(void **state)
{
    (void)state;
    /* 396.06 * 8 / 6 / 3.27 and / 7.52: no tables are stated in this file */
    size_t row = row_of("M6", 120.96);
    assert_found(YOKE_CHIP_NOTE, "palette", row, "M6 161.3");
    assert_found(YOKE_CHIP_NOTE, "palette", row, "M1 70.2 (above its 68.25: not padded there)");
}

static void system_bandwidth_of_the_m5_is_not_apples(void **state)
{
    (void)state;
    assert_found(YOKE_CHIP_WARNING, "system bandwidth", row_of("M5", 70.21), "154 GB/s here, 153");
}

static void firmware_and_wall_time_are_two_methods(void **state)
{
    (void)state;
    assert_found(YOKE_CHIP_NOTE, "methods", row_of("M6", 150), "133.92 by predict-mean");
}

static void what_is_right_is_left_alone(void **state)
{
    (void)state;
    const yoke_chip_finding *f;
    for (size_t i = 0; (f = yoke_chip_audit_finding(audit, i)); i++) {
        assert_string_not_equal(f->rule, "utilisation");
        assert_string_not_equal(f->rule, "above 0");
    }
    assert_null(find(audit, "size/time", row_of("M6", 152.01), ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_column_of_thirteen_rows_is_of_another_artefact),
        cmocka_unit_test(wrong_correction_of_the_m3_time_is_found_and_the_old_one_is_right),
        cmocka_unit_test(number_of_the_m3_max_is_that_of_the_m3_ultra),
        cmocka_unit_test(baseline_of_the_factors_is_not_one_chip_and_not_the_m1),
        cmocka_unit_test(rates_of_one_chip_that_disagree_are_found),
        cmocka_unit_test(two_models_at_once_gain_nothing),
        cmocka_unit_test(six_bit_indices_read_as_eight_fit_the_m6_and_not_the_m1),
        cmocka_unit_test(system_bandwidth_of_the_m5_is_not_apples),
        cmocka_unit_test(firmware_and_wall_time_are_two_methods),
        cmocka_unit_test(what_is_right_is_left_alone),
    };
    return cmocka_run_group_tests(tests, open_published, close_published);
}
