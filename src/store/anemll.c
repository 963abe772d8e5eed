#include "store/anemll.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/anemll_value.h"
#include "yoke/record.h"

#define GIB          0x1p30 /* its "GB" of RAM: utils/system_info.py divides by 1024^3 */
#define MB           1e6    /* its "MB" of a model */
#define NS_OF_MS     1e6
#define MOST_RESULTS 1000
#define DISAGREEING  0.01 /* size over time and the stated rate, relative */

bool anemll_is_report(const json_t *value)
{
    return json_is_array(json_object_get(value, "results")) &&
           json_is_object(json_object_get(value, "system_info"));
}

static void add_note(json_t *record, const char *text)
{
    json_array_append_new(json_object_get(record, "notes"), json_string(text));
}

/* ---- The machine ---- */

static yoke_status add_cpu(const report_place *at, const json_t *cpu, json_t *host)
{
    const char *brand, *architecture = NULL;
    double cores = NAN, threads = NAN;
    yoke_status status = report_text(at, cpu, "brand", &brand);
    if (status == YOKE_OK)
        status = report_text(at, cpu, "architecture", &architecture);
    if (status == YOKE_OK)
        status = report_number(at, cpu, "cores", &cores);
    if (status == YOKE_OK)
        status = report_number(at, cpu, "threads", &threads);
    if (status != YOKE_OK)
        return status;
    set_known_text(host, "cpu", brand);
    json_object_set_new(host, "translated",
                        json_boolean(brand && strncmp(brand, "Apple", 5) == 0 && architecture &&
                                     strcmp(architecture, "x86_64") == 0));
    set_known_whole(host, "cores", cores);
    set_known_whole(host, "logical_cpus", threads);
    return YOKE_OK;
}

static yoke_status add_host(report_place *at, const json_t *system, json_t *record)
{
    json_t *host = json_object();
    const char *macos, *machine = NULL, *os = NULL;
    double ram = NAN;
    json_object_set_new(record, "host", host);
    json_object_set_new(host, "core_sets", json_array());
    snprintf(at->field, sizeof at->field, "system_info.");
    yoke_status status = report_text(at, system, "macos_version", &macos);
    if (status == YOKE_OK)
        status = report_text(at, system, "mac_model", &machine);
    snprintf(at->field, sizeof at->field, "system_info.os.");
    if (status == YOKE_OK)
        status = report_text(at, json_object_get(system, "os"), "name", &os);
    snprintf(at->field, sizeof at->field, "system_info.ram.");
    if (status == YOKE_OK)
        status = report_number(at, json_object_get(system, "ram"), "total_gb", &ram);
    snprintf(at->field, sizeof at->field, "system_info.cpu.");
    if (status == YOKE_OK)
        status = add_cpu(at, json_object_get(system, "cpu"), host);
    set_known_text(host, "os", macos ? macos : os);
    set_known_text(host, "machine", machine);
    set_known_whole(host, "memory_bytes", ram * GIB);
    return status;
}

static yoke_status add_python(report_place *at, const json_t *system, json_t *record)
{
    const char *python;
    snprintf(at->field, sizeof at->field, "system_info.");
    yoke_status status = report_text(at, system, "python_version", &python);
    set_known_text(json_object_get(record, "versions"), "python", python);
    return status;
}

/* ---- Results ---- */

typedef struct result {
    const char *backend;
    double ms, gbps, tflops, memory_mb, size_mb;
} result;

static double positive(double number)
{
    return number > 0 ? number : (double)NAN;
}

static yoke_status read_result(const report_place *at, const json_t *from, result *r)
{
    const char *model;
    yoke_status status = report_text(at, from, "model_name", &model);
    if (status == YOKE_OK)
        status = report_text(at, from, "backend", &r->backend);
    if (status == YOKE_OK)
        status = report_number(at, from, "inference_time_ms", &r->ms);
    if (status == YOKE_OK)
        status = report_number(at, from, "throughput_gb_s", &r->gbps);
    if (status == YOKE_OK)
        status = report_number(at, from, "tflops", &r->tflops);
    if (status == YOKE_OK)
        status = report_number(at, from, "memory_used_mb", &r->memory_mb);
    if (status == YOKE_OK)
        status = report_number(at, from, "model_size_mb", &r->size_mb);
    /* The report writes 0 for what it has not measured. */
    r->ms = positive(r->ms);
    r->gbps = positive(r->gbps);
    r->tflops = positive(r->tflops);
    r->memory_mb = positive(r->memory_mb);
    r->size_mb = positive(r->size_mb);
    return status;
}

/* What has no field of its own, or does not agree. */
static void note_result(const result *r, json_t *record)
{
    char note[256];
    const char *backend = r->backend ? r->backend : "backend not known";
    double gbps = yoke_gbps(r->size_mb * MB, r->ms * NS_OF_MS);
    if (fabs(gbps / r->gbps - 1) > DISAGREEING) {
        snprintf(note, sizeof note,
                 "%.64s: %.2f MB in %.3f ms are %.2f GB/s, and the report says %.2f", backend,
                 r->size_mb, r->ms, gbps, r->gbps);
        add_note(record, note);
    }
    if (isfinite(r->tflops)) {
        snprintf(note, sizeof note, "%.64s: the report says %.4g TFLOPS, by a count not stated",
                 backend, r->tflops);
        add_note(record, note);
    }
    if (isfinite(r->memory_mb)) {
        snprintf(note, sizeof note, "%.64s: the report says %.4g MB of memory used", backend,
                 r->memory_mb);
        add_note(record, note);
    }
}

static void add_row(const result *r, json_t *record)
{
    json_t *row = json_pack("{s:s, s:s, s:b, s:s}", "suite", "read", "case", "predict", "failed", 0,
                            "placement", "unproved");
    set_known_text(row, "engine", r->backend);
    set_known_whole(row, "bytes", r->size_mb * MB);
    set_known_number(row, "mean_ns", r->ms * NS_OF_MS);
    set_known_number(row, "mean_gbps", r->gbps);
    json_array_append_new(json_object_get(record, "rows"), row);
    set_known_whole(json_object_get(record, "artefact"), "bytes", r->size_mb * MB);
    note_result(r, record);
}

/* A text, "[1, 1, 4096]", or the list itself. */
static void set_shape(const json_t *shape, json_t *record)
{
    char *text = json_dumps(shape, JSON_ENCODE_ANY);
    const char *given = json_is_string(shape) ? json_string_value(shape) : text;
    set_known_text(json_object_get(record, "options"), "input_shape", given);
    free(text);
}

static const char *model_of(const json_t *from)
{
    const char *model = json_string_value(json_object_get(from, "model_name"));
    return model ? model : "";
}

/* The results of the model that results[first] is of. */
static yoke_status add_rows(report_place *at, const json_t *results, size_t first, json_t *record)
{
    const char *model = model_of(json_array_get(results, first));
    yoke_status status = YOKE_OK;
    for (size_t i = first; status == YOKE_OK && i < json_array_size(results); i++) {
        result r = {0};
        const json_t *from = json_array_get(results, i);
        if (strcmp(model_of(from), model) != 0)
            continue;
        snprintf(at->field, sizeof at->field, "results[%zu].", i);
        status = read_result(at, from, &r);
        if (status != YOKE_OK)
            break;
        add_row(&r, record);
        set_shape(json_object_get(from, "input_shape"), record);
    }
    return status;
}

/* ---- The record ---- */

static json_t *empty_record(const char *model)
{
    json_t *record = json_pack(
        "{s:i, s:{}, s:{s:s}, s:{s:s, s:s, s:s, s:s, s:s}, s:{}, s:[], s:[], s:[]}", "schema",
        YOKE_RECORD_SCHEMA, "versions", "artefact", "kind", "anemll-bench model", "method",
        "headline", "mean", "tool", "anemll-bench", "clock", "wall time of predict(), time.time()",
        "gbps", "10^9 bytes per second", "figure", "bytes of the weight files over the mean time",
        "options", "engines", "rows", "notes");
    if (!record)
        return NULL;
    set_known_text(json_object_get(record, "artefact"), "tensor", model[0] ? model : NULL);
    add_note(record,
             "from a report of anemll-bench: runs, warm-up, spread and where it ran are not "
             "in it");
    add_note(record, "the engine is the report's label: anemll-bench loads every model for the CPU "
                     "and the Neural Engine");
    return record;
}

static yoke_status add_record(report_place *at, const json_t *report, size_t first, json_t *records)
{
    const json_t *results = json_object_get(report, "results");
    const json_t *system = json_object_get(report, "system_info");
    const char *timestamp;
    json_t *record = empty_record(model_of(json_array_get(results, first)));
    if (json_array_append_new(records, record) != 0)
        return yoke_error_set(at->err, YOKE_ERR_MEMORY, "%s: no memory", at->name);
    at->field[0] = '\0';
    yoke_status status = report_text(at, report, "timestamp", &timestamp);
    /* Of the report, by a clock whose zone is not stated: not a time in UTC. */
    set_known_text(json_object_get(record, "options"), "reported_at_local_time", timestamp);
    if (status == YOKE_OK && json_object_size(system) > 0)
        status = add_host(at, system, record);
    if (status == YOKE_OK)
        status = add_python(at, system, record);
    return status == YOKE_OK ? add_rows(at, results, first, record) : status;
}

static bool is_first_of_model(const json_t *results, size_t index)
{
    const char *model = model_of(json_array_get(results, index));
    for (size_t i = 0; i < index; i++)
        if (strcmp(model_of(json_array_get(results, i)), model) == 0)
            return false;
    return true;
}

static yoke_status check_results(const report_place *at, const json_t *results)
{
    size_t count = json_array_size(results);
    if (count == 0 || count > MOST_RESULTS)
        return yoke_error_set(at->err, YOKE_ERR_FORMAT, "%s: results has %zu entries, not 1 to %d",
                              at->name, count, MOST_RESULTS);
    for (size_t i = 0; i < count; i++)
        if (!json_is_object(json_array_get(results, i)))
            return yoke_error_set(at->err, YOKE_ERR_FORMAT, "%s: results[%zu] is not an object",
                                  at->name, i);
    return YOKE_OK;
}

yoke_status anemll_records(const json_t *report, const char *name, json_t **records,
                           yoke_error *err)
{
    report_place at = {.name = name, .err = err};
    const json_t *results = json_object_get(report, "results");
    yoke_status status = check_results(&at, results);
    *records = json_array();
    for (size_t i = 0; status == YOKE_OK && i < json_array_size(results); i++)
        if (is_first_of_model(results, i))
            status = add_record(&at, report, i, *records);
    if (status != YOKE_OK) {
        json_decref(*records);
        *records = NULL;
    }
    return status;
}
