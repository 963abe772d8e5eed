/* The record as JSON. What is not known is left out, never written as 0. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/record_fields.h"
#include "yoke/record.h"

/* Setting NULL (out of memory, or nothing to say) is refused by jansson and changes nothing; that
 * memory ran out is noticed when the text is made. */
static void set(json_t *object, const char *name, json_t *value)
{
    json_object_set_new(object, name, value);
}

static void set_real(json_t *object, const char *name, double value)
{
    if (isfinite(value))
        set(object, name, json_real(value));
}

static void set_size(json_t *object, const char *name, uint64_t value)
{
    if (value != 0 && value <= INT64_MAX)
        set(object, name, json_integer((json_int_t)value));
}

/* Paths and names from files need not be UTF-8: what is not ASCII then becomes '?'. */
static json_t *text_value(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char *plain = strdup(text);
    if (!plain)
        return NULL;
    for (unsigned char *c = (unsigned char *)plain; *c; c++)
        if (*c >= 0x80)
            *c = '?';
    value = json_string(plain);
    free(plain);
    return value;
}

static void set_text(json_t *object, const char *name, const char *text)
{
    if (text[0])
        set(object, name, text_value(text));
}

static void set_format(json_t *object, const char *name, yoke_format format)
{
    if (format != YOKE_FORMAT_NONE)
        set_text(object, name, yoke_format_get(format)->name);
}

static void set_known_flag(json_t *object, const char *name, int flag)
{
    if (flag >= 0)
        set(object, name, json_boolean(flag));
}

static json_t *core_set_json(const yoke_core_set *cores)
{
    json_t *object = json_object(), *cpus = json_array();
    for (size_t i = 0; i < cores->cpu_count; i++)
        json_array_append_new(cpus, json_integer(cores->cpus[i]));
    set(object, "cpus", cpus);
    set_text(object, "kind", cores->kind);
    return object;
}

static json_t *host_json(const yoke_host *host)
{
    char features[256];
    json_t *object = json_object(), *sets = json_array();
    set_text(object, "os", host->os);
    set_text(object, "cpu", host->cpu);
    set_text(object, "machine", host->machine);
    set_text(object, "hypervisor", host->hypervisor);
    set(object, "translated", json_boolean(host->translated));
    set_text(object, "features",
             yoke_host_features_text(host->features, features, sizeof features));
    set_size(object, "packages", host->packages);
    set_size(object, "numa_nodes", host->numa_nodes);
    set_size(object, "cores", host->cores);
    set_size(object, "logical_cpus", host->logical_cpus);
    set_size(object, "l1d_bytes", host->l1d_bytes);
    set_size(object, "l2_bytes", host->l2_bytes);
    set_size(object, "l3_bytes", host->l3_bytes);
    set_size(object, "cache_bytes", host->cache_bytes);
    set_size(object, "memory_bytes", host->memory_bytes);
    set_size(object, "usable_threads", host->usable_threads);
    set_text(object, "usable_reason", host->usable_reason);
    for (size_t i = 0; i < host->core_set_count; i++)
        json_array_append_new(sets, core_set_json(&host->core_sets[i]));
    set(object, "core_sets", sets);
    set_text(object, "governor", host->governor);
    set_known_flag(object, "low_power", host->low_power);
    set_known_flag(object, "on_battery", host->on_battery);
    return object;
}

static json_t *identity_json(const yoke_identity *artefact)
{
    json_t *object = json_object();
    set_text(object, "kind", artefact->kind);
    set_text(object, "path", artefact->path);
    set_text(object, "tensor", artefact->tensor);
    set_size(object, "seed", artefact->seed);
    set_format(object, "format", artefact->format);
    set_size(object, "n", artefact->n);
    set_size(object, "k", artefact->k);
    set_size(object, "bytes", artefact->bytes);
    set_text(object, "hash", artefact->hash);
    set_text(object, "hash_of", artefact->hash_of);
    set_real(object, "zero_pages", artefact->zero_pages);
    return object;
}

static json_t *method_json(const yoke_sampling *sampling)
{
    json_t *object = json_object();
    set_text(object, "headline", "median");
    set_text(object, "clock", "monotonic, wall time of the call");
    set_text(object, "gbps", "10^9 bytes per second");
    set_text(object, "order", "subjects in turns, A B A B");
    set_text(object, "quantiles", "linear interpolation, type 7");
    set_text(object, "median_interval", "95 %, order statistics");
    set_text(object, "fit", "least squares of median time over bytes, weights 1/time^2");
    set_size(object, "min_samples", sampling->min_samples);
    set_real(object, "min_seconds", sampling->min_seconds);
    set_size(object, "max_samples", sampling->max_samples);
    set_real(object, "max_seconds", sampling->max_seconds);
    set_size(object, "warmup_window", sampling->warmup_window);
    set_real(object, "warmup_spread", sampling->warmup_spread);
    set_size(object, "warmup_max", sampling->warmup_max);
    return object;
}

static json_t *options_json(const yoke_record_texts *options)
{
    json_t *object = json_object();
    for (size_t i = 0; i < options->count; i++) {
        char *key = strdup(options->texts[i]);
        char *value = key ? strchr(key, '=') : NULL;
        if (value) {
            *value = '\0';
            set_text(object, key, value + 1);
        }
        free(key);
    }
    return object;
}

static json_t *notes_json(const yoke_record_texts *notes)
{
    json_t *array = json_array();
    for (size_t i = 0; i < notes->count; i++)
        json_array_append_new(array, text_value(notes->texts[i]));
    return array;
}

static json_t *engine_json(const yoke_record_engine *engine)
{
    const yoke_engine_facts *facts = &engine->info.facts;
    json_t *object = json_object();
    set_text(object, "specification", engine->specification);
    set_text(object, "name", engine->info.name);
    set_text(object, "description", engine->info.description);
    set(object, "ready", json_boolean(engine->info.ready));
    set_text(object, "reason", engine->info.reason);
    set_format(object, "accumulate", facts->accumulate);
    set_size(object, "granule_m", facts->granule_m);
    set_size(object, "granule_n", facts->granule_n);
    set_format(object, "prepared_format", engine->prepared.format);
    set_text(object, "prepared_layout", engine->prepared.layout);
    set_size(object, "prepared_bytes", engine->prepared.prepared_bytes);
    set_size(object, "copied_bytes", engine->prepared.copied_bytes);
    set_size(object, "prepare_ns", engine->prepared.elapsed_ns);
    return object;
}

static void set_field(json_t *object, const yoke_record_row *row, const record_field *field)
{
    const char *at = (const char *)row + field->offset;
    switch (field->kind) {
    case RECORD_TEXT: set_text(object, field->name, at); break;
    case RECORD_FORMAT: set_format(object, field->name, *(const yoke_format *)at); break;
    case RECORD_SIZE: set_size(object, field->name, *(const size_t *)at); break;
    case RECORD_BYTES: set_size(object, field->name, *(const uint64_t *)at); break;
    case RECORD_REAL:
    case RECORD_RATE: set_real(object, field->name, *(const double *)at); break;
    }
}

static json_t *samples_json(const yoke_series *series)
{
    json_t *array = json_array();
    for (size_t i = 0; i < series->count; i++)
        json_array_append_new(array, json_real(series->samples_ns[i]));
    return array;
}

static void set_samples(json_t *object, const yoke_record_row *row)
{
    if (row->limit_samples.count > 0)
        set(object, "limit_samples_ns", samples_json(&row->limit_samples));
    if (row->samples.count == 0)
        return;
    set(object, "samples_ns", samples_json(&row->samples));
    set_size(object, "sample_count", row->samples.count);
    set(object, "warmup_count", json_integer((json_int_t)row->samples.warmup_count));
    set(object, "warmup_settled", json_boolean(row->samples.warmup_settled));
    if (row->failed)
        return;
    set(object, "outliers_mild", json_integer((json_int_t)row->time.outliers_mild));
    set(object, "outliers_severe", json_integer((json_int_t)row->time.outliers_severe));
    set(object, "unstable", json_boolean(row->time.unstable));
}

static json_t *row_json(const yoke_record_row *row)
{
    json_t *object = json_object();
    for (size_t i = 0; i < record_row_field_count; i++)
        set_field(object, row, &record_row_fields[i]);
    if (row->bytes != 0)
        set(object, "cached", json_boolean(row->cached));
    set(object, "failed", json_boolean(row->failed));
    set_samples(object, row);
    return object;
}

static json_t *versions_json(void)
{
    json_t *object = json_object();
    set_text(object, "yoke", yoke_version());
    set_text(object, "jansson", JANSSON_VERSION);
#ifdef __VERSION__
    set_text(object, "compiler", __VERSION__);
#endif
    return object;
}

static json_t *record_value(const yoke_record *record)
{
    json_t *object = json_object(), *engines = json_array(), *rows = json_array();
    set_size(object, "schema", YOKE_RECORD_SCHEMA);
    set(object, "versions", versions_json());
    set_text(object, "time_utc", record->time_utc);
    set_real(object, "elapsed_seconds", record->elapsed_seconds);
    if (record->host)
        set(object, "host", host_json(record->host));
    set_real(object, "load_average_before", record->load_before);
    set_real(object, "load_average_after", record->load_after);
    set(object, "artefact", identity_json(&record->artefact));
    set(object, "method", method_json(&record->sampling));
    set(object, "options", options_json(&record->options));
    for (size_t i = 0; i < record->engine_count; i++)
        json_array_append_new(engines, engine_json(&record->engines[i]));
    set(object, "engines", engines);
    for (size_t i = 0; i < record->row_count; i++)
        json_array_append_new(rows, row_json(record->rows[i]));
    set(object, "rows", rows);
    set(object, "notes", notes_json(&record->notes));
    return object;
}

yoke_status yoke_record_json(const yoke_record *record, char **text, yoke_error *err)
{
    json_t *value = record_value(record);
    char *dumped = json_dumps(value, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    json_decref(value);
    if (!dumped)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "record: no memory for its JSON");
    *text = dumped;
    return YOKE_OK;
}
