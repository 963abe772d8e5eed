#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/measure_near.h"
#include "unit/record_full.h"
#include "yoke/record.h"

static char *text_of(const yoke_record *record)
{
    char *text;
    assert_int_equal(yoke_record_json(record, &text, NULL), YOKE_OK);
    return text;
}

static yoke_record *parsed(const char *text)
{
    yoke_record *record = NULL;
    yoke_error err = {0};
    if (yoke_record_parse(text, strlen(text), "a.json", &record, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return record;
}

/* Frees the record. */
static void assert_survives(yoke_record *record)
{
    char *written = text_of(record);
    yoke_record *read = parsed(written);
    char *again = text_of(read);
    assert_string_equal(again, written);
    free(again);
    free(written);
    yoke_record_free(read);
    yoke_record_free(record);
}

static void a_record_with_every_field_is_written_again_as_it_was(void **state)
{
    (void)state;
    assert_survives(record_full());
}

static void a_record_of_which_nothing_is_known_is_written_again_as_it_was(void **state)
{
    (void)state;
    yoke_record *record;
    yoke_record_row *row;
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    free(record->host);
    record->host = NULL;
    record->load_before = (double)NAN;
    record->time_utc[0] = '\0';
    assert_int_equal(yoke_record_add_row(record, "read", "size", &row, NULL), YOKE_OK);
    assert_survives(record);
}

static void a_failed_row_keeps_its_samples_and_reason(void **state)
{
    (void)state;
    yoke_record *record = record_full();
    yoke_record_row_fail(record->rows[0], "the answer is wrong");
    assert_survives(record);
}

#define FRAME(fields)                                                                              \
    "{\"schema\": 1, \"versions\": {}, \"artefact\": {}, \"method\": {}, \"options\": {}, "        \
    "\"engines\": [], \"notes\": []" fields "}"
#define ROW(fields)                                                                                \
    FRAME(", \"rows\": [{\"suite\": \"read\", \"case\": \"size\", \"failed\": false" fields "}]")

/* A text that nobody's writer made, so that reading is not only the inverse of writing. */
static void values_of_a_text_written_by_hand_come_back(void **state)
{
    (void)state;
    yoke_record *record = parsed(
        "{\"schema\": 1, \"versions\": {\"yoke\": \"0.0.9\"}, \"time_utc\": "
        "\"2026-01-31T12:00:00Z\",\"elapsed_seconds\": 12,"
        "\"host\": {\"os\": \"macOS\", \"cpu\": \"Apple M4\", \"translated\": false, \"cores\": "
        "10, \"features\": \"neon of_tomorrow neon_i8mm\", \"on_battery\": true, "
        "\"core_sets\": [{\"cpus\": [0, 7], \"kind\": \"performance\"}]},"
        "\"artefact\": {\"kind\": \"random\", \"bytes\": 1050673152, \"format\": \"f16\"},"
        "\"method\": {\"headline\": \"mean\", \"min_samples\": 300},"
        "\"options\": {\"seconds\": \"90\"}, \"engines\": [{\"name\": \"ane\", \"ready\": true}],"
        "\"rows\": [{\"suite\": \"read\", \"case\": \"size\", \"failed\": false, "
        "\"engine\": \"ane\", \"n\": 128256, \"mean_gbps\": 64.175, \"samples_ns\": [1, 2.5], "
        "\"median_ns\": 1.75, \"of_tomorrow\": {}}], \"notes\": [\"first\"]}");
    assert_string_equal(record->versions.texts[0], "yoke=0.0.9");
    assert_string_equal(record->method.texts[0], "headline=mean");
    assert_string_equal(record->options.texts[0], "seconds=90");
    assert_string_equal(record->notes.texts[0], "first");
    assert_near(record->elapsed_seconds, 12, 0);
    assert_true(isnan(record->load_before));
    assert_string_equal(record->host->cpu, "Apple M4");
    assert_int_equal(record->host->features, YOKE_CPU_NEON | YOKE_CPU_NEON_I8MM);
    assert_int_equal(record->host->core_sets[0].cpus[1], 7);
    assert_int_equal(record->host->on_battery, 1);
    assert_int_equal(record->host->low_power, -1);
    assert_int_equal(record->artefact.format, YOKE_F16);
    assert_int_equal(record->artefact.bytes, 1050673152);
    assert_int_equal(record->sampling.min_samples, 300);
    assert_true(record->engines[0].info.ready);
    const yoke_record_row *row = record->rows[0];
    assert_string_equal(row->engine, "ane");
    assert_int_equal(row->n, 128256);
    assert_int_equal(row->m, 0);
    assert_near(row->mean_gbps, 64.175, 0);
    assert_true(isnan(row->naive_gbps));
    assert_int_equal(row->samples.count, 2);
    assert_int_equal(row->time.count, 2);
    assert_near(row->samples.samples_ns[1], 2.5, 0);
    yoke_record_free(record);
}

static void refused(const char *text, yoke_status status, const char *line)
{
    yoke_record *record = NULL;
    yoke_error err = {0};
    assert_int_equal(yoke_record_parse(text, strlen(text), "a.json", &record, &err), status);
    assert_string_equal(err.text, line);
    assert_null(record);
}

static void what_is_wrong_is_named_by_its_path(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } bad[] = {
        {"[]", "a.json: schema is not a whole number: no yoke record"},
        {"{\"schema\": 1}", "a.json: versions is not an object"},
        {FRAME(""), "a.json: rows is not a list"},
        {FRAME(", \"rows\": [3]"), "a.json: rows[0] is not an object"},
        {FRAME(", \"rows\": [{}]"), "a.json: rows[0].failed is not true or false"},
        {FRAME(", \"rows\": [{\"failed\": true}]"), "a.json: rows[0].suite is not a text"},
        {FRAME(", \"rows\": [{\"suite\": \"a\", \"failed\": true}]"),
         "a.json: rows[0].case is not a text"},
        {FRAME(", \"rows\": [], \"host\": 1"), "a.json: host is not an object"},
        {FRAME(", \"rows\": [], \"time_utc\": 1"), "a.json: time_utc is not a text"},
        {FRAME(", \"rows\": [], \"host\": {\"translated\": false}"),
         "a.json: host.core_sets is not a list"},
        {FRAME(", \"rows\": [], \"host\": {\"translated\": false, \"core_sets\": "
               "[{\"cpus\": [-1]}]}"),
         "a.json: host.core_sets[0].cpus is not a list of CPU numbers"},
        {FRAME(", \"rows\": [], \"host\": {\"translated\": false, \"low_power\": 0}"),
         "a.json: host.low_power is not true or false"},
        {ROW(", \"median_ns\": \"fast\""), "a.json: rows[0].median_ns is not a number"},
        {ROW(", \"format\": \"f17\""), "a.json: rows[0].format is not a format"},
        {ROW(", \"n\": -1"), "a.json: rows[0].n is not a whole number, 0 or more"},
        {ROW(", \"n\": 1.5"), "a.json: rows[0].n is not a whole number, 0 or more"},
        {ROW(", \"wait\": \"a long, long, long wait\""),
         "a.json: rows[0].wait is longer than 15 bytes"},
        {ROW(", \"samples_ns\": [1, null]"), "a.json: rows[0].samples_ns is not a list of numbers"},
        {ROW(", \"samples_ns\": [1], \"sample_count\": 2"),
         "a.json: rows[0].sample_count is not how many samples_ns there are"},
        {FRAME(", \"rows\": [{\"suite\": \"a\", \"case\": \"b\", \"failed\": true, "
               "\"tflops\": 1}]"),
         "a.json: rows[0].tflops is not for a failed row to have"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused(bad[i].text, YOKE_ERR_FORMAT, bad[i].line);
}

static void another_schema_is_named(void **state)
{
    (void)state;
    refused("{\"schema\": 7}", YOKE_ERR_UNSUPPORTED,
            "a.json: schema 7 of the record, and this yoke reads schema 1");
}

static void a_text_that_is_no_json_is_refused_with_the_byte(void **state)
{
    (void)state;
    yoke_record *record = NULL;
    yoke_error err = {0};
    assert_int_equal(yoke_record_parse("{\"schema\": ]", 12, "a.json", &record, &err),
                     YOKE_ERR_FORMAT);
    assert_non_null(strstr(err.text, "a.json: byte 12: "));
    assert_int_equal(yoke_record_parse(NULL, 0, "a.json", &record, &err), YOKE_ERR_FORMAT);
}

static void a_record_is_read_from_its_file(void **state)
{
    (void)state;
    char path[] = "/tmp/yoke-record-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    yoke_record *record = record_full(), *read = NULL;
    char *written = text_of(record);
    fputs(written, stream);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(yoke_record_load(path, &read, NULL), YOKE_OK);
    char *again = text_of(read);
    assert_string_equal(again, written);
    remove(path);
    yoke_error err = {0};
    assert_int_equal(yoke_record_load(path, &read, &err), YOKE_ERR_IO);
    assert_non_null(strstr(err.text, path));
    free(written);
    free(again);
    yoke_record_free(record);
    yoke_record_free(read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_with_every_field_is_written_again_as_it_was),
        cmocka_unit_test(a_record_of_which_nothing_is_known_is_written_again_as_it_was),
        cmocka_unit_test(a_failed_row_keeps_its_samples_and_reason),
        cmocka_unit_test(values_of_a_text_written_by_hand_come_back),
        cmocka_unit_test(what_is_wrong_is_named_by_its_path),
        cmocka_unit_test(another_schema_is_named),
        cmocka_unit_test(a_text_that_is_no_json_is_refused_with_the_byte),
        cmocka_unit_test(a_record_is_read_from_its_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
