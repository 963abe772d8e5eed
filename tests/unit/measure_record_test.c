#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "unit/measure_near.h"
#include "yoke/record.h"

static yoke_record *new_record(void)
{
    yoke_record *record;
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    return record;
}

static yoke_record_row *new_row(yoke_record *record)
{
    yoke_record_row *row;
    assert_int_equal(yoke_record_add_row(record, "read", "size", &row, NULL), YOKE_OK);
    return row;
}

/* The M4's LM head as published, with a fit: every figure is known. */
static yoke_record_row *new_full_row(yoke_record *record)
{
    yoke_record_row *row = new_row(record);
    const double ns[] = {16371926, 16371927, 16371928};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(yoke_series_add(&row->samples, ns[i], NULL), YOKE_OK);
    assert_int_equal(yoke_series_add(&row->limit_samples, 15e6, NULL), YOKE_OK);
    row->samples.warmup_count = 7;
    row->samples.warmup_settled = true;
    snprintf(row->engine, sizeof row->engine, "cpu");
    snprintf(row->check, sizeof row->check, "right");
    row->format = row->prepared_format = YOKE_F16;
    row->x_format = YOKE_F32;
    row->m = 1;
    row->n = 128256;
    row->k = 4096;
    row->bytes = row->logical_bytes = 1050673152;
    assert_int_equal(yoke_record_row_summarise(row, NULL), YOKE_OK);
    row->naive_gbps = 64.17;
    row->slope_gbps = 65;
    row->fixed_ns = 0; /* known to be nothing: not the same as not known */
    row->limit_gbps = 70;
    row->fraction_of_limit = 65.0 / 70;
    return row;
}

static json_t *json_of(const yoke_record *record)
{
    char *text;
    json_error_t error;
    assert_int_equal(yoke_record_json(record, &text, NULL), YOKE_OK);
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    free(text);
    assert_non_null(json);
    return json;
}

static json_t *first_row(json_t *json)
{
    return json_array_get(json_object_get(json, "rows"), 0);
}

static double number(json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    if (!json_is_number(value))
        fail_msg("%s is no number", name);
    return json_number_value(value);
}

static const char *text(json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    if (!json_is_string(value))
        fail_msg("%s is no text", name);
    return json_string_value(value);
}

static void a_row_has_the_names_and_values_a_reader_expects(void **state)
{
    (void)state;
    yoke_record *record = new_record();
    new_full_row(record);
    json_t *json = json_of(record), *row = first_row(json);
    assert_string_equal(text(row, "suite"), "read");
    assert_string_equal(text(row, "engine"), "cpu");
    assert_string_equal(text(row, "format"), "f16");
    assert_string_equal(text(row, "check"), "right");
    assert_near(number(row, "m"), 1, 0);
    assert_near(number(row, "n"), 128256, 0);
    assert_near(number(row, "k"), 4096, 0);
    assert_near(number(row, "bytes"), 1050673152, 0);
    assert_near(number(row, "logical_bytes"), 1050673152, 0);
    assert_near(number(row, "median_ns"), 16371927, 0);
    assert_near(number(row, "min_ns"), 16371926, 0);
    assert_near(number(row, "p99_ns"), 16371927.98, 1e-6);
    assert_near(number(row, "mad_ns"), 1, 0);
    assert_near(number(row, "naive_gbps"), 64.17, 1e-12);
    assert_near(number(row, "slope_gbps"), 65, 0);
    assert_near(number(row, "fixed_ns"), 0, 0);
    assert_near(number(row, "limit_gbps"), 70, 0);
    assert_near(number(row, "fraction_of_limit"), 65.0 / 70, 1e-12);
    assert_near(number(row, "warmup_count"), 7, 0);
    assert_true(json_is_true(json_object_get(row, "warmup_settled")));
    assert_true(json_is_false(json_object_get(row, "cached")));
    assert_true(json_is_false(json_object_get(row, "unstable")));
    assert_true(json_is_false(json_object_get(row, "failed")));
    json_decref(json);
    yoke_record_free(record);
}

static void every_sample_is_kept(void **state)
{
    (void)state;
    yoke_record *record = new_record();
    new_full_row(record);
    json_t *json = json_of(record);
    json_t *samples = json_object_get(first_row(json), "samples_ns");
    assert_int_equal(json_array_size(samples), 3);
    for (size_t i = 0; i < 3; i++)
        assert_near(json_number_value(json_array_get(samples, i)), 16371926 + (double)i, 0);
    assert_int_equal(json_array_size(json_object_get(first_row(json), "limit_samples_ns")), 1);
    json_decref(json);
    yoke_record_free(record);
}

static void what_is_not_known_is_absent(void **state)
{
    (void)state;
    static const char *const measured[] = {
        "samples_ns",   "median_ns",  "min_ns",     "p99_ns", "slope_gbps",
        "fixed_ns",     "naive_gbps", "limit_gbps", "tflops", "fraction_of_limit",
        "check",        "m",          "bytes",      "format", "device_ns",
        "warmup_count", "reason",     "engine",     "drift",  "unstable",
        "limit_tflops", "turn_m",     "cached",     "task_ns"};
    yoke_record *record = new_record();
    new_row(record);
    json_t *json = json_of(record);
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        if (json_object_get(first_row(json), measured[i]))
            fail_msg("%s is there, though nothing was measured", measured[i]);
    assert_null(json_object_get(json, "elapsed_seconds"));
    assert_null(json_object_get(json_object_get(json, "artefact"), "path"));
    json_decref(json);
    yoke_record_free(record);
}

static void a_failed_row_has_its_reason_and_no_rate(void **state)
{
    (void)state;
    static const char *const rates[] = {"naive_gbps", "slope_gbps", "fixed_ns",
                                        "median_ns",  "tflops",     "fraction_of_limit",
                                        "min_ns",     "p99_ns",     "device_ns"};
    yoke_record *record = new_record();
    yoke_record_row *row = new_full_row(record);
    assert_int_equal(yoke_record_failed(record), 0);
    yoke_record_row_fail(row, "the answer is wrong");
    row->tflops = 1; /* computed of it afterwards */
    assert_int_equal(yoke_record_failed(record), 1);
    json_t *json = json_of(record);
    assert_true(json_is_true(json_object_get(first_row(json), "failed")));
    assert_string_equal(text(first_row(json), "reason"), "the answer is wrong");
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        assert_null(json_object_get(first_row(json), rates[i]));
    json_decref(json);
    yoke_record_free(record);
}

static void the_record_says_where_when_and_how(void **state)
{
    (void)state;
    yoke_record *record = new_record();
    snprintf(record->artefact.kind, sizeof record->artefact.kind, "random");
    record->artefact.format = YOKE_Q8_0;
    record->artefact.seed = 42;
    record->sampling.min_samples = 12;
    assert_int_equal(yoke_record_add_text(&record->options, NULL, "seconds=%d", 90), YOKE_OK);
    assert_int_equal(yoke_record_add_text(&record->notes, NULL, "one"), YOKE_OK);
    assert_int_equal(yoke_record_add_text(&record->notes, NULL, "two"), YOKE_OK);
    assert_int_equal(yoke_record_add_text(&record->notes, NULL, "one"), YOKE_OK);
    yoke_record_finish(record);
    json_t *json = json_of(record);
    assert_near(number(json, "schema"), YOKE_RECORD_SCHEMA, 0);
    assert_int_equal(strlen(text(json, "time_utc")), strlen("2026-01-31T12:00:00Z"));
    assert_true(number(json, "elapsed_seconds") >= 0);
    assert_string_equal(text(json_object_get(json, "versions"), "yoke"), YOKE_VERSION);
    assert_true(strlen(text(json_object_get(json, "host"), "os")) > 0);
    assert_true(strlen(text(json_object_get(json, "host"), "cpu")) > 0);
    assert_near(number(json_object_get(json, "artefact"), "seed"), 42, 0);
    assert_string_equal(text(json_object_get(json, "artefact"), "format"), "q8_0");
    assert_near(number(json_object_get(json, "method"), "min_samples"), 12, 0);
    assert_string_equal(text(json_object_get(json, "method"), "headline"), "median");
    assert_string_equal(text(json_object_get(json, "options"), "seconds"), "90");
    assert_int_equal(json_array_size(json_object_get(json, "notes")), 2);
    json_decref(json);
    yoke_record_free(record);
}

static void names_that_are_not_utf8_do_not_spoil_the_record(void **state)
{
    (void)state;
    yoke_record *record = new_record();
    snprintf(record->artefact.path, sizeof record->artefact.path, "w\xff\"\n.gguf");
    json_t *json = json_of(record);
    assert_string_equal(text(json_object_get(json, "artefact"), "path"), "w?\"\n.gguf");
    json_decref(json);
    yoke_record_free(record);
}

static void an_engine_is_listed_with_what_it_prepared(void **state)
{
    (void)state;
    yoke_record *record = new_record();
    yoke_record_engine engine = {.specification = "cpu,isa=avx2",
                                 .info = {.name = "cpu", .ready = true},
                                 .prepared = {.format = YOKE_F32, .prepared_bytes = 4096}};
    assert_int_equal(yoke_record_add_engine(record, &engine, NULL), YOKE_OK);
    json_t *json = json_of(record);
    json_t *listed = json_array_get(json_object_get(json, "engines"), 0);
    assert_string_equal(text(listed, "specification"), "cpu,isa=avx2");
    assert_string_equal(text(listed, "prepared_format"), "f32");
    assert_near(number(listed, "prepared_bytes"), 4096, 0);
    json_decref(json);
    yoke_record_free(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_has_the_names_and_values_a_reader_expects),
        cmocka_unit_test(every_sample_is_kept),
        cmocka_unit_test(what_is_not_known_is_absent),
        cmocka_unit_test(a_failed_row_has_its_reason_and_no_rate),
        cmocka_unit_test(the_record_says_where_when_and_how),
        cmocka_unit_test(names_that_are_not_utf8_do_not_spoil_the_record),
        cmocka_unit_test(an_engine_is_listed_with_what_it_prepared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
