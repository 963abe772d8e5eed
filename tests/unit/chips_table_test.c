/* The tables that are built in. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chips_support.h"

static yoke_chips *builtin(void)
{
    yoke_chips *chips = NULL;
    yoke_error err = {0};
    yoke_status status = yoke_chips_open(NULL, NULL, &chips, &err);
    if (status != YOKE_OK)
        print_error("%s\n", err.text);
    assert_int_equal(status, YOKE_OK);
    return chips;
}

static void every_row_parses_and_has_a_source_and_a_provenance(void **state)
{
    (void)state;
    yoke_chips *chips = builtin();
    assert_true(yoke_chips_count(chips) > 150);
    const yoke_chip_measurement *m;
    for (size_t i = 0; (m = yoke_chips_measurement(chips, i)); i++) {
        if (!*m->source || !*m->provenance || !*m->engine || isnan(yoke_chip_rate(m, NULL)))
            print_error("row %zu\n", m->row);
        assert_true(*m->source && *m->provenance && *m->engine);
        assert_false(isnan(yoke_chip_rate(m, NULL)));
    }
    const yoke_chip_fact *fact;
    for (size_t i = 0; (fact = yoke_chips_fact_at(chips, i)); i++)
        assert_true(*fact->source && *fact->provenance);
    const yoke_chip_statement *statement;
    for (size_t i = 0; (statement = yoke_chips_statement(chips, i)); i++)
        assert_true(*statement->source && *statement->who);
    yoke_chips_free(chips);
}

static void built_in_tables_are_the_files_of_the_tree(void **state)
{
    (void)state;
    yoke_chips *files = NULL, *chips = builtin();
    assert_int_equal(yoke_chips_open(YOKE_TEST_DATA "/../../data/chips/measurements.csv",
                                     YOKE_TEST_DATA "/../../data/chips/chips.csv", &files, NULL),
                     YOKE_OK);
    assert_int_equal(yoke_chips_count(files), yoke_chips_count(chips));
    for (size_t i = 0; i < yoke_chips_count(chips); i++) {
        const yoke_chip_measurement *a = yoke_chips_measurement(files, i),
                                    *b = yoke_chips_measurement(chips, i);
        assert_string_equal(a->chip, b->chip);
        assert_string_equal(a->note, b->note);
    }
    yoke_chips_free(files);
    yoke_chips_free(chips);
}

/* The row of a chip and artefact from a source. */
static const yoke_chip_measurement *row_of(const yoke_chips *chips, const char *chip,
                                           const char *artefact, const char *source)
{
    const yoke_chip_measurement *m;
    for (size_t i = 0; (m = yoke_chips_measurement(chips, i)); i++)
        if (strcmp(m->chip, chip) == 0 && strcmp(m->artefact, artefact) == 0 &&
            strstr(m->source, source) && m->mode == YOKE_CHIP_SOLO)
            return m;
    fail_msg("no row of %s, %s, %s", chip, artefact, source);
    return NULL;
}

static void published_figures_stand_as_published(void **state)
{
    (void)state;
    yoke_chips *chips = builtin();
    assert_true(row_of(chips, "M2 Ultra", "llama_lm_head", "issues/2")->gbps.value == 61.67598);
    assert_true(row_of(chips, "M4 Pro", "llama_lm_head", "Results.MD")->gbps.value == 126.36);
    assert_true(row_of(chips, "M5 Max", "llama_lm_head", "Results.MD")->milliseconds.value == 7.08);
    assert_true(
        row_of(chips, "M6", "chain 4096x4096 conv1x1, int8 dense", "M6_INT8")->milliseconds.value ==
        0.103);
    assert_true(yoke_chips_fact(chips, "M4 Max", "system_gbps")->number == 546);
    assert_true(yoke_chips_fact(chips, "M3 Ultra", "ane_count")->number == 2);
    assert_string_equal(yoke_chips_fact(chips, "M6", "ane_architecture")->text, "h18g");
    yoke_chips_free(chips);
}

static void doubted_row_says_why(void **state)
{
    (void)state;
    yoke_chips *chips = builtin();
    assert_non_null(strstr(row_of(chips, "M3 Max", "llama_lm_head", "")->doubt, "M3 Ultra"));
    yoke_chips_free(chips);
}

/* Of every pair of contradicting statements at least one is not supported. */
static void statements_of_a_topic_do_contradict_each_other(void **state)
{
    (void)state;
    yoke_chips *chips = builtin();
    const yoke_chip_statement *s;
    size_t supported = 0, contradicted = 0;
    for (size_t i = 0; (s = yoke_chips_statement(chips, i)); i++) {
        double figure;
        yoke_chip_verdict verdict = yoke_chips_weigh(chips, s, &figure);
        assert_int_equal(isnan(figure), verdict == YOKE_CHIP_UNDECIDED);
        supported += verdict == YOKE_CHIP_SUPPORTED;
        contradicted += verdict == YOKE_CHIP_CONTRADICTED;
    }
    assert_true(supported >= 8);
    assert_true(contradicted >= 8);
    yoke_chips_free(chips);
}

static yoke_chip_verdict verdict_of(const yoke_chips *chips, const char *topic, const char *who)
{
    const yoke_chip_statement *s;
    for (size_t i = 0; (s = yoke_chips_statement(chips, i)); i++)
        if (strcmp(s->topic, topic) == 0 && strcmp(s->who, who) == 0) {
            double figure;
            return yoke_chips_weigh(chips, s, &figure);
        }
    fail_msg("nobody says %s", topic);
    return YOKE_CHIP_UNDECIDED;
}

static void data_decides_between_statements(void **state)
{
    (void)state;
    yoke_chips *chips = builtin();
    assert_int_equal(verdict_of(chips, "both clusters", "the results page"),
                     YOKE_CHIP_CONTRADICTED);
    assert_int_equal(verdict_of(chips, "both clusters", "the maintainer"), YOKE_CHIP_SUPPORTED);
    assert_int_equal(verdict_of(chips, "whose 120", "the results page of 2025"),
                     YOKE_CHIP_UNDECIDED);
    assert_int_equal(verdict_of(chips, "M3 time", "the results page before 2025-10-29"),
                     YOKE_CHIP_SUPPORTED);
    yoke_chips_free(chips);
}

static void one_row_within_the_bounds_supports_a_statement(void **state)
{
    (void)state;
    yoke_chips *chips =
        chips_of("chip,artefact,artefact_mb,latency_ms,gbps\nM4 Max,llama_lm_head,1050.67,8.74,\n"
                 "M4 Max,llama_lm_head,1050.67,10.00,\n");
    assert_int_equal(verdict_of(chips, "M4 Max", "a contributor"), YOKE_CHIP_SUPPORTED);
    assert_int_equal(verdict_of(chips, "M4 Max", "the results page"), YOKE_CHIP_CONTRADICTED);
    assert_int_equal(verdict_of(chips, "both clusters", "the tool"), YOKE_CHIP_UNDECIDED);
    yoke_chips_free(chips);
}

static void audit_of_the_built_in_table_finds_no_error(void **state)
{
    (void)state;
    yoke_chips *chips = builtin();
    yoke_chip_audit *audit = NULL;
    assert_int_equal(yoke_chips_audit(chips, &audit, NULL), YOKE_OK);
    const yoke_chip_finding *f = yoke_chip_audit_finding(audit, 0);
    if (yoke_chip_audit_count(audit, YOKE_CHIP_ERROR) > 0)
        print_error("%s\n", f->text);
    assert_int_equal(yoke_chip_audit_count(audit, YOKE_CHIP_ERROR), 0);
    yoke_chip_audit_free(audit);
    yoke_chips_free(chips);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_parses_and_has_a_source_and_a_provenance),
        cmocka_unit_test(built_in_tables_are_the_files_of_the_tree),
        cmocka_unit_test(published_figures_stand_as_published),
        cmocka_unit_test(doubted_row_says_why),
        cmocka_unit_test(statements_of_a_topic_do_contradict_each_other),
        cmocka_unit_test(data_decides_between_statements),
        cmocka_unit_test(one_row_within_the_bounds_supports_a_statement),
        cmocka_unit_test(audit_of_the_built_in_table_finds_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
