#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/import.h"
#include "unit/measure_near.h"
#include "unit/store_support.h"

/* As anemll-bench writes it; the figures are those of its issue 5, an M4 with 16 GB. */
static const char report[] =
    "{\"timestamp\": \"2025-03-10 20:05:28\","
    " \"system_info\": {"
    "  \"os\": {\"name\": \"Darwin\", \"version\": \"Darwin Kernel 24.3.0\", \"release\": "
    "\"24.3.0\"},"
    "  \"cpu\": {\"brand\": \"Apple M4\", \"architecture\": \"arm64\", \"cores\": 10, \"threads\": "
    "10},"
    "  \"ram\": {\"total_gb\": 16.0, \"available_gb\": 5.27},"
    "  \"python_version\": \"3.11.7\", \"mac_model\": \"Mac16,1\","
    "  \"macos_version\": \"macOS Sequoia 15.3.1 (24D70)\", \"apple_silicon\": true,"
    "  \"neural_engine\": {\"available\": true, \"cores\": \"Unknown\", \"tflops\": \"Unknown\"}},"
    " \"results\": ["
    "  {\"model_name\": \"llama_lm_head\", \"backend\": \"ANE\", \"inference_time_ms\": 16.371926,"
    "   \"memory_used_mb\": 0.0, \"throughput_gb_s\": 64.17533, \"tflops\": null,"
    "   \"input_shape\": \"[1, 1, 4096]\", \"model_size_mb\": 1050.673728},"
    "  {\"model_name\": \"llama_lm_head_lut6\", \"backend\": \"ANE\", \"inference_time_ms\": "
    "6.446664,"
    "   \"memory_used_mb\": 0.0, \"throughput_gb_s\": 61.43575, \"tflops\": null,"
    "   \"input_shape\": \"[1, 1, 4096]\", \"model_size_mb\": 396.055616},"
    "  {\"model_name\": \"llama_lm_head\", \"backend\": \"CPU\", \"inference_time_ms\": null,"
    "   \"memory_used_mb\": 0.0, \"throughput_gb_s\": 0.0, \"tflops\": null,"
    "   \"input_shape\": \"[1, 1, 4096]\", \"model_size_mb\": 0.0}]}";

static store_records imported(const char *text)
{
    store_records records = {0};
    yoke_error err = {0};
    if (store_import_text(text, strlen(text), "report.json", &records, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return records;
}

static yoke_record *parsed(const store_record *record)
{
    yoke_record *read = NULL;
    yoke_error err = {0};
    if (yoke_record_parse(record->json, strlen(record->json), "", &read, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return read;
}

static bool has(const yoke_record_texts *list, const char *part)
{
    for (size_t i = 0; i < list->count; i++)
        if (strstr(list->texts[i], part))
            return true;
    return false;
}

static void a_report_becomes_a_record_for_each_model(void **state)
{
    (void)state;
    store_records records = imported(report);
    assert_int_equal(records.count, 2);
    assert_string_equal(records.items[0].artefact, "llama_lm_head");
    assert_string_equal(records.items[1].artefact, "llama_lm_head_lut6");
    yoke_record *record = parsed(&records.items[0]);
    assert_int_equal(record->artefact.bytes, 1050673728);
    assert_int_equal(record->row_count, 2);
    const yoke_record_row *row = record->rows[0];
    assert_string_equal(row->suite, "read");
    assert_string_equal(row->engine, "ANE");
    assert_string_equal(row->placement, "unproved");
    assert_int_equal(row->bytes, 1050673728);
    assert_near(row->time.mean, 16371926, 1e-6);
    assert_near(row->mean_gbps, 64.17533, 1e-12);
    yoke_record_free(record);
    store_records_free(&records);
}

static void its_machine_is_that_of_the_report(void **state)
{
    (void)state;
    store_records records = imported(report);
    assert_string_equal(records.items[0].machine, "Apple M4");
    yoke_record *record = parsed(&records.items[0]);
    assert_string_equal(record->host->cpu, "Apple M4");
    assert_string_equal(record->host->machine, "Mac16,1");
    assert_string_equal(record->host->os, "macOS Sequoia 15.3.1 (24D70)");
    assert_int_equal(record->host->cores, 10);
    assert_int_equal(record->host->memory_bytes, UINT64_C(17179869184));
    assert_true(has(&record->versions, "python=3.11.7"));
    assert_false(has(&record->versions, "yoke="));
    yoke_record_free(record);
    store_records_free(&records);
}

/* So that it is never taken for a median, nor for a slope. */
static void its_figures_keep_the_name_of_their_method(void **state)
{
    (void)state;
    store_records records = imported(report);
    assert_string_equal(records.items[0].method, "mean");
    assert_string_equal(records.items[0].figure_of, "mean_gbps");
    assert_near(records.items[0].figure, 64.17533, 1e-12);
    yoke_record *record = parsed(&records.items[0]);
    const yoke_record_row *row = record->rows[0];
    assert_true(has(&record->method, "headline=mean"));
    assert_true(has(&record->method, "tool=anemll-bench"));
    assert_true(isnan(row->naive_gbps) && isnan(row->slope_gbps) && isnan(row->time.median));
    yoke_record_free(record);
    store_records_free(&records);
}

static void null_unknown_and_empty_zeros_are_absent(void **state)
{
    (void)state;
    store_records records = imported(report);
    yoke_record *record = parsed(&records.items[0]);
    const yoke_record_row *row = record->rows[1];
    assert_string_equal(row->engine, "CPU");
    assert_true(isnan(row->mean_gbps) && isnan(row->time.mean) && isnan(row->tflops));
    assert_int_equal(row->bytes, 0);
    assert_string_equal(record->time_utc, ""); /* the zone of the report's clock is not known */
    assert_true(has(&record->options, "reported_at_local_time=2025-03-10 20:05:28"));
    assert_null(strstr(records.items[0].json, "memory used"));
    assert_null(strstr(records.items[0].json, "null"));
    assert_null(strstr(records.items[0].json, "Unknown"));
    yoke_record_free(record);
    store_records_free(&records);
}

static void a_report_of_next_to_nothing_is_a_record_of_next_to_nothing(void **state)
{
    (void)state;
    store_records records = imported(
        "{\"timestamp\": null, \"system_info\": {\"mac_model\": \"Unknown Mac Model\", \"cpu\": "
        "null, \"os\": {\"name\": \"Unknown\"}}, \"results\": [{\"model_name\": null}]}");
    yoke_record *record = parsed(&records.items[0]);
    assert_string_equal(record->host->machine, "");
    assert_string_equal(record->host->os, "");
    assert_string_equal(record->rows[0]->engine, "");
    assert_string_equal(record->artefact.tensor, "");
    assert_true(isnan(records.items[0].figure));
    yoke_record_free(record);
    store_records_free(&records);
}

/* The M1 row of its first table: the time is of another model than the rate. */
static void a_rate_that_does_not_follow_from_size_and_time_is_noted(void **state)
{
    (void)state;
    store_records records = imported(
        "{\"system_info\": {}, \"results\": [{\"model_name\": \"llama_lm_head\", \"backend\": "
        "\"ANE\", \"inference_time_ms\": 7.52, \"throughput_gb_s\": 60.87, \"model_size_mb\": "
        "1050.67}]}");
    yoke_record *record = parsed(&records.items[0]);
    assert_true(has(&record->notes, "ANE: 1050.67 MB in 7.520 ms are 139.72 GB/s, and the report "
                                    "says 60.87"));
    assert_null(record->host);
    yoke_record_free(record);
    store_records_free(&records);
    records = imported(report);
    assert_null(strstr(records.items[0].json, "and the report says"));
    store_records_free(&records);
}

static void records_follow_each_other_on_lines_or_not(void **state)
{
    (void)state;
    store_record first = support_record(1), second = support_record(2);
    char text[2000];
    snprintf(text, sizeof text, "\n%s\n%s %s", first.json, second.json, report);
    store_records records = imported(text);
    assert_int_equal(records.count, 4);
    assert_string_equal(records.items[0].json, first.json);
    assert_string_equal(records.items[1].hash, second.hash);
    store_record_free(&first);
    store_record_free(&second);
    store_records_free(&records);
}

static void refused(const char *text, const char *line)
{
    store_records records = {0};
    yoke_error err = {0};
    assert_int_not_equal(store_import_text(text, strlen(text), "a.json", &records, &err), YOKE_OK);
    if (!strstr(err.text, line))
        fail_msg("%s", err.text);
    store_records_free(&records);
}

#define REPORT(result) "{\"system_info\": {}, \"results\": [" result "]}"

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    refused(" ", "a.json: byte 0: holds no record");
    refused("{}", "a.json: byte 0: neither a yoke record nor a report of anemll-bench");
    refused("[1]", "a.json: byte 0: neither");
    refused("{\"schema\": 1", "a.json: byte 12: ");
    refused("{\"schema\": 2}", "a.json: schema 2 of the record, and this yoke reads schema 1");
    refused(REPORT(""), "a.json: results has 0 entries, not 1 to 1000");
    refused(REPORT("3"), "a.json: results[0] is not an object");
    refused(REPORT("{\"inference_time_ms\": \"fast\"}"),
            "a.json: results[0].inference_time_ms is not a number, 0 or more");
    refused(REPORT("{}, {\"model_name\": 7}"), "a.json: results[1].model_name is not a text");
    refused("{\"system_info\": {\"cpu\": {\"cores\": []}}, \"results\": [{}]}",
            "a.json: system_info.cpu.cores is not a number, 0 or more");
}

static void a_bad_value_after_good_ones_is_named_by_its_byte(void **state)
{
    (void)state;
    store_record first = support_record(1);
    char text[2000], line[64];
    snprintf(text, sizeof text, "%s\n{}", first.json);
    snprintf(line, sizeof line, "a.json: byte %zu: neither", strlen(first.json) + 1);
    refused(text, line);
    store_record_free(&first);
}

static void a_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    store_records records = {0};
    yoke_error err = {0};
    assert_int_equal(store_import_file("/nowhere/a.json", &records, &err), YOKE_ERR_IO);
    assert_non_null(strstr(err.text, "/nowhere/a.json: cannot open"));
    assert_int_equal(store_import_file("/tmp", &records, &err), YOKE_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_becomes_a_record_for_each_model),
        cmocka_unit_test(its_machine_is_that_of_the_report),
        cmocka_unit_test(its_figures_keep_the_name_of_their_method),
        cmocka_unit_test(null_unknown_and_empty_zeros_are_absent),
        cmocka_unit_test(a_report_of_next_to_nothing_is_a_record_of_next_to_nothing),
        cmocka_unit_test(a_rate_that_does_not_follow_from_size_and_time_is_noted),
        cmocka_unit_test(records_follow_each_other_on_lines_or_not),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(a_bad_value_after_good_ones_is_named_by_its_byte),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
