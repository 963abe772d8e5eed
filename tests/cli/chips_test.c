#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

#define HEADER "chip,engine,artefact,method,artefact_mb,latency_ms,gbps,ram_gb,source\n"

static const char *file_of(const char *text)
{
    return program_file("chips.csv", text, strlen(text));
}

static void assert_has(const program *p, const char *part)
{
    if (!text_has(p->out, part))
        print_error("no \"%s\" in:\n%s%s", part, p->out, p->err);
    assert_true(text_has(p->out, part));
}

static void table_is_sorted_tiered_and_used_against_the_system(void **state)
{
    (void)state;
    const char *path = file_of(HEADER "M1,ANE,head,predict-mean,1050.67,,60.87,,s1\n"
                                      "M4 Pro,ANE,head,predict-mean,1050.67,,126.36,24,s2\n"
                                      "M2,ANE,head,predict-mean,1050.67,17.38,,,s3\n");
    program p = program_run("chips", "--data", path);
    assert_int_equal(p.exit_code, 0);
    assert_has(&p, "ANE, head (1050.67 MB), predict-mean, solo\n");
    assert_has(&p, "   1  M4 Pro   24  126.36              ");
    assert_has(&p, "273  46.3 %");
    assert_has(&p, "60.5*  17.38 ");
    assert_has(&p, "tier 1, 126.4 to 126.4 GB/s: M4 Pro\ntier 2, 60.5 to 60.9 GB/s: M1, M2\n");
    assert_true(strstr(p.out, "M4 Pro ") < strstr(p.out, "M1 "));
    program_free(&p);
}

static void chips_without_a_row_are_named(void **state)
{
    (void)state;
    program p = program_run("chips", "--artefact", "llama_lm_head", "--method", "Predict mean");
    assert_int_equal(p.exit_code, 0);
    assert_has(&p, "\nno row: M3 Pro, M3 Max\n");
    assert_has(&p, "kept apart: row 9, M3 Max, 120.2 GB/s: one number with M3 Ultra 8.74 ms");
    program_free(&p);
}

static void artefacts_and_methods_never_share_a_table(void **state)
{
    (void)state;
    const char *path = file_of(HEADER "M1,ANE,a,mean,100,,60,,s\nM2,ANE,a,mean,100,,61,,s\n"
                                      "M1,ANE,b,mean,100,,62,,s\nM2,ANE,b,mean,100,,63,,s\n"
                                      "M1,ANE,a,slope,100,,64,,s\nM2,ANE,a,slope,100,,65,,s\n"
                                      "M1,GPU,a,mean,100,,40,,s\nM2,GPU,a,mean,100,,41,,s\n");
    program p = program_run("chips", "--data", path);
    static const char *const headings[] = {
        "\nANE, a (100 MB), mean, solo\n", "\nANE, b (100 MB), mean, solo\n",
        "\nANE, a (100 MB), slope, solo\n", "\nGPU, a (100 MB), mean, solo\n"};
    const char *at = p.out;
    for (size_t i = 0; i < 4; i++) {
        at = strstr(at, headings[i]);
        assert_non_null(at);
        const char *end = strstr(at, "tier 1,");
        assert_non_null(end);
        assert_int_equal(text_lines(at) - text_lines(end), 5); /* blank, two headings, two rows */
    }
    program_free(&p);
}

static void column_with_one_chip_is_listed_until_it_is_asked_for(void **state)
{
    (void)state;
    const char *path = file_of(HEADER "M1,ANE,only,mean,100,,60,,s\n");
    program p = program_run("chips", "--data", path);
    assert_false(text_has(p.out, "ANE, only"));
    assert_has(&p, "ANE     only      mean    solo  M1       1\n");
    program_free(&p);
    p = program_run("chips", "--data", path, "--artefact", "ONLY");
    assert_has(&p, "\nANE, only (100 MB), mean, solo\n");
    program_free(&p);
}

static void a_fast_row_without_a_name_hides_no_tiers(void **state)
{
    (void)state;
    const char *path = file_of(HEADER ",ANE,a,mean,100,,90,,s\nM1,ANE,a,mean,100,,60,,s\n"
                                      "M2,ANE,a,mean,100,,61,,s\n");
    program p = program_run("chips", "--data", path);
    assert_has(&p, "tier 2, 60.0 to 61.0 GB/s: M2, M1\n");
    program_free(&p);
}

static void whole_name_of_an_artefact_goes_before_a_part(void **state)
{
    (void)state;
    program p = program_run("chips", "--artefact", "llama_lm_head");
    assert_has(&p, "ANE, llama_lm_head (");
    assert_false(text_has(p.out, "lut6 ("));
    program_free(&p);
    p = program_run("chips", "--artefact", "lut6");
    assert_has(&p, "ANE, llama_lm_head_lut6 (");
    program_free(&p);
}

static void chip_shows_what_is_known_of_it_with_sources(void **state)
{
    (void)state;
    program p = program_run("chips", "--chip", "m5");
    assert_int_equal(p.exit_code, 0);
    assert_has(&p, "system_gbps       153    secondary, https://machinelearning.apple.com/");
    assert_has(&p, "system_gbps       154    secondary, Anemll/anemll-bench");
    assert_has(&p, "supported     Apple: 153 GB/s\n");
    assert_has(&p, "contradicted  the results page: 154 GB/s\n");
    program_free(&p);
}

static void chip_without_a_measurement_is_shown_with_none(void **state)
{
    (void)state;
    program p = program_run("chips", "--chip", "M3 Pro");
    assert_int_equal(p.exit_code, 0);
    assert_has(&p, "0 of 164 published measurements\n");
    assert_has(&p, "gpu_cores         18 ");
    assert_has(&p, "\nno row of it in any table\n");
    program_free(&p);
}

static void choice_that_nothing_fits_is_refused(void **state)
{
    (void)state;
    program p = program_run("chips", "--chip", "M99");
    program_assert_refused(&p, "there is no chip 'M99'");
    p = program_run("chips", "--artefact", "nothing");
    program_assert_refused(&p, "no measurement has artefact 'nothing'");
    p = program_run("chips", "--chip", "M1", "--method", "firmware");
    program_assert_refused(&p, "no measurement has chip 'M1' method firmware");
    p = program_run("chips", "bedit");
    program_assert_refused(&p, "does not take 'bedit'");
    p = program_run("chips", "audit", "--chip", "M1");
    program_assert_refused(&p, "audit looks at every row");
    p = program_run("chips", "audit", "one", "two");
    program_assert_refused(&p, "not 'two' too");
}

static void audit_of_the_built_in_table_ends_with_0(void **state)
{
    (void)state;
    program p = program_run("chips", "audit");
    assert_int_equal(p.exit_code, 0);
    assert_has(&p, "\n0 errors, ");
    program_free(&p);
}

static void audit_of_the_table_as_published_ends_with_1(void **state)
{
    (void)state;
    program p = program_run("chips", "audit", YOKE_TEST_DATA "/chips_as_published.csv");
    assert_int_equal(p.exit_code, 1);
    assert_has(&p, "error: row 10: size/time: M3, llama_lm_head: 1050.67 MB in 6.95 ms");
    assert_has(&p, "\n14 errors, ");
    program_free(&p);
}

static void audit_with_warnings_only_ends_with_0(void **state)
{
    (void)state;
    program p = program_run("chips", "audit", file_of("chip,artefact,latency_ms,gbps\nM1,a,,50\n"));
    assert_int_equal(p.exit_code, 0);
    assert_has(&p, "warning: provenance: ");
    program_free(&p);
}

static void bad_table_is_refused_with_row_and_column(void **state)
{
    (void)state;
    program p =
        program_run("chips", "audit", file_of("chip,artefact,latency_ms,gbps\nM1,a,7 ms,5\n"));
    program_assert_refused(&p,
                           "row 2, column 3 (latency_ms), byte 35: '7 ms' is not a plain number");
    p = program_run("chips", "--data", file_of("chip,artefact,latency_ms,gbps\nM1,a,7\n"));
    program_assert_refused(&p, "row 2, column 4, byte 36: the row has 3 fields, the header 4");
    p = program_run("chips", "--facts", file_of("chip,fact,value,source\nM1,ane_count,none,s\n"));
    program_assert_refused(&p, "row 2, column 3 (value)");
    p = program_run("chips", "audit", "/no/such.csv");
    program_assert_refused(&p, "/no/such.csv: cannot read");
}

static void facts_may_be_replaced(void **state)
{
    (void)state;
    static const char facts[] = "chip,fact,value,source\nM1,system_gbps,50,s\n";
    const char *path = program_file("facts.csv", facts, strlen(facts));
    program p = program_run("chips", "audit", "--facts", path,
                            file_of("chip,artefact,latency_ms,gbps\nM1,a,,60\n"));
    assert_int_equal(p.exit_code, 1);
    assert_has(&p, "60.00 GB/s is above the 50");
    program_free(&p);
}

static void shared_table_of_measurements_reads_and_is_audited(void **state)
{
    (void)state;
    const char *path = YOKE_TEST_SHARED "/data/chips.csv";
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("%s is not here\n", path);
        skip();
    }
    fclose(file);
    program p = program_run("chips", "audit", path);
    assert_int_equal(p.exit_code, 0);
    assert_has(&p, "same number under two chips: M3 Max");
    assert_has(&p, "in 152 rows\n");
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_sorted_tiered_and_used_against_the_system),
        cmocka_unit_test(chips_without_a_row_are_named),
        cmocka_unit_test(artefacts_and_methods_never_share_a_table),
        cmocka_unit_test(column_with_one_chip_is_listed_until_it_is_asked_for),
        cmocka_unit_test(a_fast_row_without_a_name_hides_no_tiers),
        cmocka_unit_test(whole_name_of_an_artefact_goes_before_a_part),
        cmocka_unit_test(chip_shows_what_is_known_of_it_with_sources),
        cmocka_unit_test(chip_without_a_measurement_is_shown_with_none),
        cmocka_unit_test(choice_that_nothing_fits_is_refused),
        cmocka_unit_test(audit_of_the_built_in_table_ends_with_0),
        cmocka_unit_test(audit_of_the_table_as_published_ends_with_1),
        cmocka_unit_test(audit_with_warnings_only_ends_with_0),
        cmocka_unit_test(bad_table_is_refused_with_row_and_column),
        cmocka_unit_test(facts_may_be_replaced),
        cmocka_unit_test(shared_table_of_measurements_reads_and_is_audited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
