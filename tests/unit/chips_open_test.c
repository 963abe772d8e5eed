#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chips_support.h"

#define HEADER "chip,artefact,artefact_mb,latency_ms,gbps\n"

static void refused(const char *text, bool as_facts, const char *message)
{
    yoke_chips *chips = NULL;
    yoke_error err = {0};
    assert_int_equal(chips_open_bytes(text, strlen(text), as_facts, &chips, &err), YOKE_ERR_FORMAT);
    assert_null(chips);
    if (!strstr(err.text, message))
        print_error("%s\n", err.text);
    assert_non_null(strstr(err.text, message));
}

static void measurement_has_its_values_and_what_is_missing_is_unknown(void **state)
{
    (void)state;
    yoke_chips *chips = chips_of(HEADER "M9,head,100.50,2.0,\n");
    assert_int_equal(yoke_chips_count(chips), 1);
    const yoke_chip_measurement *m = yoke_chips_measurement(chips, 0);
    assert_int_equal(m->row, 2);
    assert_string_equal(m->chip, "M9");
    assert_string_equal(m->source, "");
    assert_int_equal(m->mode, YOKE_CHIP_SOLO);
    assert_true(m->megabytes.value == 100.5);
    assert_true(fabs(m->megabytes.half - 0.005) < 1e-12);
    assert_true(fabs(m->milliseconds.half - 0.05) < 1e-12);
    assert_true(isnan(m->gbps.value));
    assert_true(isnan(m->ram_gb.value));
    bool derived;
    assert_true(fabs(yoke_chip_rate(m, &derived) - 50.25) < 1e-9);
    assert_true(derived);
    assert_null(yoke_chips_measurement(chips, 1));
    yoke_chips_free(chips);
}

static void stated_rate_goes_before_size_over_time(void **state)
{
    (void)state;
    yoke_chips *chips = chips_of(HEADER "M9,head,100,2,49\n");
    bool derived;
    assert_true(yoke_chip_rate(yoke_chips_measurement(chips, 0), &derived) == 49);
    assert_false(derived);
    yoke_chips_free(chips);
}

static void columns_may_have_other_names_other_order_and_company(void **state)
{
    (void)state;
    yoke_chips *chips =
        chips_of("colour,gbps,latency_ms,artifact_mb,model_artifact,chip,mode,"
                 "system_bw_gbps,source_path\nred,50,2,100,head,unknown,dual,68,s\n");
    const yoke_chip_measurement *m = yoke_chips_measurement(chips, 0);
    assert_string_equal(m->artefact, "head");
    assert_string_equal(m->chip, "");
    assert_string_equal(m->source, "s");
    assert_int_equal(m->mode, YOKE_CHIP_COMBINED);
    assert_true(m->system_gbps.value == 68);
    yoke_chips_free(chips);
}

static void number_with_a_unit_is_refused_with_row_and_column(void **state)
{
    (void)state;
    refused(HEADER "M1,head,100,2,50\nM2,head,100,2.0 ms,50\n", false,
            "row 3, column 4 (latency_ms), byte 71: '2.0 ms' is not a plain number");
}

static void what_is_no_plain_number_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"1e3",
                                      "\"1,050.67\"",
                                      "inf",
                                      "nan",
                                      "0x10",
                                      " 5",
                                      "5 ",
                                      "5.",
                                      ".5",
                                      "-",
                                      "1.2.3",
                                      "~150",
                                      "1'000",
                                      "12345678901234567890",
                                      "0.1234567890123456789",
                                      "9999999999999"};
    char text[200];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, HEADER "M1,head,%s,2,50\n", bad[i]);
        refused(text, false, "row 2, column 3 (artefact_mb), byte 50: '");
    }
}

static void mode_runs_and_provenance_are_of_known_forms(void **state)
{
    (void)state;
    refused("chip,artefact,latency_ms,gbps,mode\nM1,head,1,2,both\n", false,
            "(mode), byte 47: 'both' is not solo, each or combined");
    refused("chip,artefact,latency_ms,gbps,runs\nM1,head,1,2,many\n", false,
            "(runs), byte 47: 'many' is not a number of runs");
    refused("chip,artefact,latency_ms,gbps,provenance\nM1,head,1,2,hearsay\n", false,
            "'hearsay' is not primary, secondary or derived");
    yoke_chips *chips = chips_of("chip,artefact,latency_ms,gbps,runs\nM1,head,1,2,5x50\n");
    assert_string_equal(yoke_chips_measurement(chips, 0)->runs, "5x50");
    yoke_chips_free(chips);
}

static void needed_columns_and_names_are_asked_for(void **state)
{
    (void)state;
    refused("chip,latency_ms,gbps\nM1,1,2\n", false, "row 1: has no column 'artefact'");
    refused(HEADER "M1,,100,2,50\n", false, "row 2, column 2 (artefact), byte 45: is empty");
}

static void facts_are_above_zero_and_never_empty(void **state)
{
    (void)state;
    refused("chip,fact,value,source\nM1,ane_cores,0,s\n", true, "not a plain number above 0");
    refused("chip,fact,value,source\nM1,ane_cores,,s\n", true,
            "column 3 (value), byte 36: is empty");
    refused("chip,fact,value,source\nM1,ane_cores,16,\n", true, "(source)");
    yoke_chips *chips = NULL;
    const char *text = "chip,fact,value,source\nM1,ane_architecture,h13,s\n";
    assert_int_equal(chips_open_bytes(text, strlen(text), true, &chips, NULL), YOKE_OK);
    assert_string_equal(yoke_chips_fact(chips, "M1", "ane_architecture")->text, "h13");
    assert_null(yoke_chips_fact(chips, "M1", "ane_cores"));
    yoke_chips_free(chips);
}

static void file_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    yoke_chips *chips = NULL;
    yoke_error err = {0};
    assert_int_equal(yoke_chips_open("/no/such.csv", NULL, &chips, &err), YOKE_ERR_IO);
    assert_non_null(strstr(err.text, "/no/such.csv: cannot read: "));
    assert_int_equal(yoke_chips_open("/tmp", NULL, &chips, &err), YOKE_ERR_IO);
    assert_int_equal(yoke_chips_open("/dev/zero", NULL, &chips, &err), YOKE_ERR_FORMAT);
}

static void more_rows_than_an_audit_can_compare_are_refused(void **state)
{
    (void)state;
    const size_t rows = 6000, bytes = sizeof HEADER + rows * 16;
    char *text = calloc(bytes, 1);
    assert_non_null(text);
    strcpy(text, HEADER);
    char *end = text + strlen(text);
    for (size_t i = 0; i < rows; i++)
        end += sprintf(end, "M1,h,1,1,1\n");
    refused(text, false, "row 5002: more than 5000");
    free(text);
}

static void tier_begins_where_the_next_rate_is_eight_percent_lower(void **state)
{
    (void)state;
    double rates[] = {50, 108, 100, 92.5, 55};
    size_t tiers[5];
    assert_int_equal(yoke_chip_tiers(rates, 5, tiers), 4);
    const double sorted[] = {108, 100, 92.5, 55, 50};
    const size_t expected[] = {1, 1, 2, 3, 4}; /* 108 is not more than 8 % above 100 */
    assert_memory_equal(rates, sorted, sizeof sorted);
    assert_memory_equal(tiers, expected, sizeof expected);
    assert_int_equal(yoke_chip_tiers(rates, 0, tiers), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measurement_has_its_values_and_what_is_missing_is_unknown),
        cmocka_unit_test(stated_rate_goes_before_size_over_time),
        cmocka_unit_test(columns_may_have_other_names_other_order_and_company),
        cmocka_unit_test(number_with_a_unit_is_refused_with_row_and_column),
        cmocka_unit_test(what_is_no_plain_number_is_refused),
        cmocka_unit_test(mode_runs_and_provenance_are_of_known_forms),
        cmocka_unit_test(needed_columns_and_names_are_asked_for),
        cmocka_unit_test(facts_are_above_zero_and_never_empty),
        cmocka_unit_test(file_that_cannot_be_read_is_named),
        cmocka_unit_test(more_rows_than_an_audit_can_compare_are_refused),
        cmocka_unit_test(tier_begins_where_the_next_rate_is_eight_percent_lower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
