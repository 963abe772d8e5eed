/* A bench on a machine that counts: over the stand-in for IOReport. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "standin/apple/ioreport/control.h"
#include "unit/standin_framework.h"
#include "yoke/bench.h"

static void (*set)(const standin_channel *, size_t);

static int load(void **state)
{
    (void)state;
    return standin_open("IOReport", "standin_ioreport_set", &set);
}

static yoke_record *run_read(void)
{
    const char *const engine = "cpu:0,threads=1";
    yoke_context *context;
    yoke_artefact *artefact;
    yoke_record *record;
    yoke_error err = {0};
    yoke_bench_options options = {.suites = YOKE_BENCH_READ, .seconds = 0.1, .cache_bytes = 1};
    assert_int_equal(yoke_context_create(NULL, &context, NULL), YOKE_OK);
    assert_int_equal(yoke_artefact_random(64, 32, 1, NULL, &artefact, NULL), YOKE_OK);
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    if (yoke_bench_run(context, &engine, 1, artefact, &options, record, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    yoke_artefact_free(artefact);
    yoke_context_free(context);
    return record;
}

/* The channel moves by 1.5 J in the interval, which belong to so many runs. */
static void largest_product_has_its_part_of_what_was_counted(void **state)
{
    (void)state;
    static const standin_channel cpu = {
        .group = "Energy Model", .subgroup = "", .name = "CPU Energy", .unit = "mJ", .step = 1500};
    set(&cpu, 1);
    yoke_record *record = run_read();
    const yoke_record_row *row = record->rows[record->row_count - 1];
    assert_int_equal(row->n, 64);
    assert_false(row->failed);
    double runs = 1.5 / row->counted_joules;
    assert_true(runs >= 3 && fabs(runs - round(runs)) < 1e-6 * runs);
    assert_string_equal(row->counted_joules_by, "IOReport Energy Model: CPU Energy");
    assert_true(isnan(row->counted_bytes));
    assert_string_equal(row->counted_bytes_by, "");
    assert_true(isnan(record->rows[0]->counted_joules));
    yoke_record_free(record);
}

static void nothing_is_said_where_nothing_is_counted(void **state)
{
    (void)state;
    set(NULL, 0);
    yoke_record *record = run_read();
    for (size_t i = 0; i < record->row_count; i++) {
        assert_true(isnan(record->rows[i]->counted_bytes));
        assert_string_equal(record->rows[i]->counted_bytes_by, "");
    }
    yoke_record_free(record);
}

int main(void)
{
    standins_use();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(largest_product_has_its_part_of_what_was_counted),
        cmocka_unit_test(nothing_is_said_where_nothing_is_counted),
    };
    return cmocka_run_group_tests(tests, load, nothing_is_left);
}
