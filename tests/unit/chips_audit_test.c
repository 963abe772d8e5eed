/* Each rule of the audit on tables of a few rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chips_support.h"

#define HEADER "chip,artefact,artefact_mb,latency_ms,gbps"

/* What the rule finds on the row of this table: its severity, or -1 for nothing with that text. */
static int severity_of(const char *table, const char *rule, size_t row, const char *part)
{
    yoke_chips *chips = chips_of(table);
    yoke_chip_audit *audit = NULL;
    assert_int_equal(yoke_chips_audit(chips, &audit, NULL), YOKE_OK);
    const yoke_chip_finding *f = find(audit, rule, row, part);
    int severity = f ? (int)f->severity : -1;
    yoke_chip_audit_free(audit);
    yoke_chips_free(chips);
    return severity;
}

static void one_percent_divides_a_right_rate_from_a_wrong_one(void **state)
{
    (void)state;
    assert_int_equal(severity_of(HEADER "\nM1,a,1000.000,20.0000,50.400\n", "size/time", 2, ""),
                     -1);
    assert_int_equal(severity_of(HEADER "\nM1,a,1000.000,20.0000,50.600\n", "size/time", 2,
                                 "50.00 GB/s, stated 50.6: 0.99 times"),
                     YOKE_CHIP_ERROR);
}

static void rounding_of_few_digits_is_no_error(void **state)
{
    (void)state;
    /* 0.026 ms may be 0.0255: 2 % */
    assert_int_equal(severity_of(HEADER "\nM1,a,1.000,0.026,39.2\n", "size/time", 2, ""), -1);
}

static void rows_that_are_off_alike_are_told_together_though_the_first_is_in_doubt(void **state)
{
    (void)state;
    static const char table[] = HEADER ",doubt\n"
                                       "M1,a,1000,20,25,typing error\n"
                                       "M2,a,1000,10,50,\n"
                                       "M3,a,1000,8,62.5,\n";
    assert_int_equal(severity_of(table, "size/time", 0, "3 rows are off alike"), YOKE_CHIP_WARNING);
}

static void rate_above_the_whole_chip_is_an_error_and_size_over_time_a_warning(void **state)
{
    (void)state;
    assert_int_equal(severity_of(HEADER "\nM1,a,,,69.5\n", "system bandwidth", 2,
                                 "69.50 GB/s is above the 68.25"),
                     YOKE_CHIP_ERROR);
    assert_int_equal(severity_of(HEADER "\nM1,a,,,68.2\n", "system bandwidth", 2, ""), -1);
    assert_int_equal(
        severity_of(HEADER "\nM1,a,139.0,2.000,\n", "system bandwidth", 2, "not all of it"),
        YOKE_CHIP_WARNING);
    /* the row's own figure goes before the built-in one */
    assert_int_equal(
        severity_of(HEADER ",system_gbps\nM1,a,,,60,50\n", "system bandwidth", 2, "above the 50"),
        YOKE_CHIP_ERROR);
}

static void zero_and_less_are_errors(void **state)
{
    (void)state;
    assert_int_equal(severity_of(HEADER "\nM1,a,1,2,0\n", "above 0", 2, "0 GB/s"), YOKE_CHIP_ERROR);
    assert_int_equal(severity_of(HEADER "\nM1,a,1,-2,\n", "above 0", 2, "-2 ms"), YOKE_CHIP_ERROR);
    assert_int_equal(severity_of(HEADER "\nM1,a,0,2,\n", "above 0", 2, "0 MB"), YOKE_CHIP_ERROR);
}

static void chip_that_nobody_knows_has_no_bound_and_says_so(void **state)
{
    (void)state;
    assert_int_equal(severity_of(HEADER "\nZ80,a,,,5000\n", "system bandwidth", 0, "rows 2"),
                     YOKE_CHIP_NOTE);
}

#define DUAL HEADER ",mode,source\nM4,a,,,60,solo,s\nM4,b,,,61,solo,s\n"

static void parts_add_up_to_the_whole_within_five_percent(void **state)
{
    (void)state;
    assert_int_equal(severity_of(DUAL
                                 "M4,a,,,30,each,s\nM4,b,,,31,each,s\nM4,a+b,,,59,combined,s\n",
                                 "sum of each", 6, ""),
                     -1);
    assert_int_equal(severity_of(DUAL
                                 "M4,a,,,30,each,s\nM4,b,,,35,each,s\nM4,a+b,,,60,combined,s\n",
                                 "sum of each", 6, "65.00 GB/s, combined says 60.00: 8.3 % apart"),
                     YOKE_CHIP_ERROR);
    assert_int_equal(severity_of(DUAL "M4,a,,,30,each,s\nM4,a+b,,,60,combined,s\n", "sum of each",
                                 5, "no row 'each' for b"),
                     YOKE_CHIP_WARNING);
}

static void combined_row_that_names_no_parts_is_all_of_its_run(void **state)
{
    (void)state;
    static const char table[] = DUAL "M4,a,,,30,each,s\nM4,a,,,40,each,s\nM4,pair,,,60,Dual,s\n";
    assert_int_equal(severity_of(table, "sum of each", 6, "the 2 parts add up to 70.00 GB/s"),
                     YOKE_CHIP_ERROR);
    assert_int_equal(severity_of(table, "combined/solo", 6, "60.00 against 61.00 alone"),
                     YOKE_CHIP_NOTE);
}

static void blanks_around_the_plus_of_a_combined_row_do_not_matter(void **state)
{
    (void)state;
    assert_int_equal(severity_of(DUAL
                                 "M4,a,,,30,each,s\nM4,b,,,40,each,s\nM4,a + b,,,60,combined,s\n",
                                 "sum of each", 6, "the 2 parts add up to 70.00 GB/s"),
                     YOKE_CHIP_ERROR);
}

static void parts_of_another_source_or_chip_are_not_taken(void **state)
{
    (void)state;
    assert_int_equal(severity_of(DUAL
                                 "M4,a,,,30,each,s\nM4,b,,,31,each,other\nM4,a+b,,,60,combined,s\n",
                                 "sum of each", 6, "no row 'each' for b"),
                     YOKE_CHIP_WARNING);
}

/* An M4 has one Neural Engine, an M3 Ultra two, and of an M6 it is not known. */
static void gain_is_weighed_against_the_engines_of_the_chip(void **state)
{
    (void)state;
    static const char each[] = "%s,a,,,40,each,s\n%s,b,,,40,each,s\n";
    static const struct {
        const char *chip;
        int severity;
        const char *part;
    } cases[] = {
        {"M4", YOKE_CHIP_ERROR, "1.311: more than one engine gives, and this chip has one"},
        {"M3 Ultra", YOKE_CHIP_NOTE, "its 2 engines add"},
        {"M6", YOKE_CHIP_WARNING, "is not known"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char table[400], parts[100];
        const char *chip = cases[i].chip;
        snprintf(parts, sizeof parts, each, chip, chip);
        snprintf(table, sizeof table,
                 HEADER
                 ",mode,source\n%s,a,,,60,solo,s\n%s,b,,,61,solo,s\n%s%s,a+b,,,80,combined,s\n",
                 chip, chip, parts, chip);
        assert_int_equal(severity_of(table, "combined/solo", 6, cases[i].part), cases[i].severity);
    }
}

static void solo_row_in_doubt_is_no_measure_of_a_gain(void **state)
{
    (void)state;
    assert_int_equal(severity_of(HEADER ",mode,doubt\nM4,a,,,60,solo,\nM4,a,,,90,solo,why\n"
                                        "M4,a,,,40,each,\nM4,b,,,40,each,\nM4,a+b,,,80,dual,\n",
                                 "combined/solo", 6, "80.00 against 60.00 alone (row 2)"),
                     YOKE_CHIP_ERROR);
}

static void combined_without_a_solo_row_cannot_be_weighed(void **state)
{
    (void)state;
    assert_int_equal(severity_of(HEADER ",mode\nM4,a,,,30,each\nM4,b,,,31,each\nM4,a+b,,,60,dual\n",
                                 "combined/solo", 4, "no solo row"),
                     YOKE_CHIP_NOTE);
}

static void factor_is_checked_against_the_baseline_it_names(void **state)
{
    (void)state;
    static const char table[] = HEADER ",factor,baseline\nM1,a,,,60.87,1.0,M1\n"
                                       "M5 Max,a,,,148.39,2.7,M1\nM6,a,,,152.01,2.5,M1\n";
    assert_int_equal(
        severity_of(table, "factor", 3, "148.39 over 60.87 of M1 is 2.438, stated 2.7"),
        YOKE_CHIP_ERROR);
    assert_int_equal(severity_of(table, "factor", 4, ""), -1);
    assert_int_equal(severity_of(table, "factor", 2, ""), -1);
    assert_int_equal(severity_of(HEADER ",factor\nM1,a,,,60.87,1.0\nM6,a,,,152.01,2.5\n", "factor",
                                 2, "name no baseline; M1 (60.87) fits 2 of 2"),
                     YOKE_CHIP_ERROR);
}

static void utilisation_is_the_rate_over_the_system(void **state)
{
    (void)state;
    assert_int_equal(
        severity_of(HEADER ",utilisation_percent\nM4 Max,a,,,118.88,22\n", "utilisation", 2, ""),
        -1);
    assert_int_equal(severity_of(HEADER ",utilisation_percent\nM4 Max,a,,,118.88,30\n",
                                 "utilisation", 2, "30 % stated, 118.88 of 546 GB/s is 21.8 %"),
                     YOKE_CHIP_ERROR);
}

static void same_number_counts_in_one_column_and_with_enough_digits(void **state)
{
    (void)state;
    assert_int_equal(severity_of(HEADER "\nM3 Max,a,1050.67,,120.22\nM3 Ultra,a,1050.67,8.74,\n",
                                 "same number", 2, "M3 Ultra (row 3) 8.74 ms"),
                     YOKE_CHIP_WARNING);
    assert_int_equal(severity_of(HEADER "\nM3 Max,a,1050.67,,120.22\nM3 Ultra,b,1050.67,8.74,\n",
                                 "same number", 2, ""),
                     -1);
    assert_int_equal(severity_of(HEADER ",method\nM3 Max,a,,,120.22,x\nM3 Ultra,a,,,120.22,y\n",
                                 "same number", 2, ""),
                     -1);
    assert_int_equal(
        severity_of(HEADER "\nM3 Max,a,,,120\nM3 Ultra,a,,,120\n", "same number", 2, ""), -1);
}

static void one_artefact_has_one_size(void **state)
{
    (void)state;
    assert_int_equal(severity_of(HEADER "\nM1,a,1050.67,,60\nM2,a,396.06,,60.5\n", "artefact size",
                                 3, "396.06 MB here, 1050.67 in row 2"),
                     YOKE_CHIP_WARNING);
    assert_int_equal(
        severity_of(HEADER "\nM1,a,1050.67,,60\nM2,a,1050.673728,,60.5\n", "artefact size", 3, ""),
        -1);
}

static void palette_needs_its_bits_and_tables(void **state)
{
    (void)state;
    assert_int_equal(severity_of(HEADER "\nM1,a_lut4,100,,50\n", "palette", 0, "rows 2"),
                     YOKE_CHIP_WARNING);
    /* (100 - 20) * 8 / 4 + 20 = 180 MB in 2 ms */
    assert_int_equal(
        severity_of(HEADER ",index_bits,table_mb\nM2,a,100,2,50,4,20\n", "palette", 2, "M2 90.0"),
        YOKE_CHIP_NOTE);
    assert_int_equal(
        severity_of(HEADER ",index_bits,table_mb\nM2,a,100,2,50,4,20\n", "palette", 0, ""), -1);
}

static void missing_provenance_names_the_rows(void **state)
{
    (void)state;
    static const char table[] = HEADER ",source,runs\nM1,a,,,50,s,3\nM2,a,,,51,,\nM3,a,,,52,,3\n"
                                       "M4,a,,,53,,\n";
    assert_int_equal(
        severity_of(table, "provenance", 0, "3 of 4 rows do not say a source: rows 3-5"),
        YOKE_CHIP_WARNING);
    assert_int_equal(
        severity_of(table, "provenance", 0, "2 of 4 rows do not say how many runs: rows 3, 5"),
        YOKE_CHIP_WARNING);
}

static void row_in_doubt_raises_nothing_above_a_note(void **state)
{
    (void)state;
    assert_int_equal(severity_of(HEADER ",doubt\nM1,a,1000,20,60,typing error\n", "size/time", 2,
                                 "(in doubt already)"),
                     YOKE_CHIP_NOTE);
}

static void table_without_rows_has_nothing_wrong(void **state)
{
    (void)state;
    yoke_chips *chips = chips_of(HEADER "\n");
    yoke_chip_audit *audit = NULL;
    assert_int_equal(yoke_chips_audit(chips, &audit, NULL), YOKE_OK);
    assert_null(yoke_chip_audit_finding(audit, 0));
    yoke_chip_audit_free(audit);
    yoke_chips_free(chips);
}

static void errors_come_before_warnings_and_these_before_notes(void **state)
{
    (void)state;
    yoke_chips *chips = chips_of(HEADER "\nZ9,a,,,5\nM1,b,1000,20,60\nM2,b,,,0\n");
    yoke_chip_audit *audit = NULL;
    assert_int_equal(yoke_chips_audit(chips, &audit, NULL), YOKE_OK);
    const yoke_chip_finding *f;
    int before = YOKE_CHIP_ERROR;
    size_t row = 0;
    for (size_t i = 0; (f = yoke_chip_audit_finding(audit, i)); i++) {
        assert_true((int)f->severity <= before);
        assert_true((int)f->severity < before || f->row >= row);
        before = (int)f->severity;
        row = f->row;
    }
    assert_int_equal(yoke_chip_audit_count(audit, YOKE_CHIP_ERROR), 2);
    yoke_chip_audit_free(audit);
    yoke_chips_free(chips);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_percent_divides_a_right_rate_from_a_wrong_one),
        cmocka_unit_test(rounding_of_few_digits_is_no_error),
        cmocka_unit_test(rows_that_are_off_alike_are_told_together_though_the_first_is_in_doubt),
        cmocka_unit_test(rate_above_the_whole_chip_is_an_error_and_size_over_time_a_warning),
        cmocka_unit_test(zero_and_less_are_errors),
        cmocka_unit_test(chip_that_nobody_knows_has_no_bound_and_says_so),
        cmocka_unit_test(parts_add_up_to_the_whole_within_five_percent),
        cmocka_unit_test(combined_row_that_names_no_parts_is_all_of_its_run),
        cmocka_unit_test(blanks_around_the_plus_of_a_combined_row_do_not_matter),
        cmocka_unit_test(parts_of_another_source_or_chip_are_not_taken),
        cmocka_unit_test(gain_is_weighed_against_the_engines_of_the_chip),
        cmocka_unit_test(solo_row_in_doubt_is_no_measure_of_a_gain),
        cmocka_unit_test(combined_without_a_solo_row_cannot_be_weighed),
        cmocka_unit_test(factor_is_checked_against_the_baseline_it_names),
        cmocka_unit_test(utilisation_is_the_rate_over_the_system),
        cmocka_unit_test(same_number_counts_in_one_column_and_with_enough_digits),
        cmocka_unit_test(one_artefact_has_one_size),
        cmocka_unit_test(palette_needs_its_bits_and_tables),
        cmocka_unit_test(missing_provenance_names_the_rows),
        cmocka_unit_test(row_in_doubt_raises_nothing_above_a_note),
        cmocka_unit_test(table_without_rows_has_nothing_wrong),
        cmocka_unit_test(errors_come_before_warnings_and_these_before_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
