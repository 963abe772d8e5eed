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

static void set_flag(json_t *object, const char *name, int flag)
{
    if (flag >= 0)
        set(object, name, json_boolean(flag));
}

static void set_field(json_t *object, const record_field *field, const void *at)
{
    switch (field->kind) {
    case RECORD_TEXT: set_text(object, field->name, at); break;
    case RECORD_FORMAT: set_format(object, field->name, *(const yoke_format *)at); break;
    case RECORD_SIZE: set_size(object, field->name, *(const size_t *)at); break;
    case RECORD_BYTES: set_size(object, field->name, *(const uint64_t *)at); break;
    case RECORD_REAL:
    case RECORD_RATE: set_real(object, field->name, *(const double *)at); break;
    case RECORD_BOOL: set(object, field->name, json_boolean(*(const bool *)at)); break;
    case RECORD_FLAG: set_flag(object, field->name, *(const int *)at); break;
    }
}

static void set_fields(json_t *object, const record_table *table, const void *from)
{
    for (size_t i = 0; i < table->count; i++)
        set_field(object, &table->fields[i], (const char *)from + table->fields[i].offset);
}

static json_t *fields_json(const record_table *table, const void *from)
{
    json_t *object = json_object();
    set_fields(object, table, from);
    return object;
}

static json_t *core_set_json(const yoke_core_set *cores)
{
    json_t *object = fields_json(&record_core_set_table, cores), *cpus = json_array();
    for (size_t i = 0; i < cores->cpu_count; i++)
        json_array_append_new(cpus, json_integer(cores->cpus[i]));
    set(object, "cpus", cpus);
    return object;
}

static json_t *host_json(const yoke_host *host)
{
    char features[256];
    json_t *object = fields_json(&record_host_table, host), *sets = json_array();
    set_text(object, "features",
             yoke_host_features_text(host->features, features, sizeof features));
    for (size_t i = 0; i < host->core_set_count; i++)
        json_array_append_new(sets, core_set_json(&host->core_sets[i]));
    set(object, "core_sets", sets);
    return object;
}

/* The texts "key=value" as members. */
static json_t *pairs_json(const yoke_record_texts *pairs)
{
    json_t *object = json_object();
    for (size_t i = 0; i < pairs->count; i++) {
        char *key = strdup(pairs->texts[i]);
        char *value = key ? strchr(key, '=') : NULL;
        if (value) {
            *value = '\0';
            set_text(object, key, value + 1);
        }
        free(key);
    }
    return object;
}

static json_t *method_json(const yoke_record *record)
{
    json_t *object = pairs_json(&record->method);
    set_fields(object, &record_sampling_table, &record->sampling);
    return object;
}

static json_t *notes_json(const yoke_record_texts *notes)
{
    json_t *array = json_array();
    for (size_t i = 0; i < notes->count; i++)
        json_array_append_new(array, text_value(notes->texts[i]));
    return array;
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

/* Whatever was computed of a row that failed, it has no rate. */
static void drop_rates(json_t *object)
{
    for (size_t i = 0; i < record_row_table.count; i++)
        if (record_row_table.fields[i].kind == RECORD_RATE)
            json_object_del(object, record_row_table.fields[i].name);
}

static json_t *row_json(const yoke_record_row *row)
{
    json_t *object = fields_json(&record_row_table, row);
    if (row->failed)
        drop_rates(object);
    if (row->bytes != 0)
        set(object, "cached", json_boolean(row->cached));
    set_samples(object, row);
    return object;
}

static json_t *record_value(const yoke_record *record)
{
    json_t *object = json_object(), *engines = json_array(), *rows = json_array();
    set_size(object, "schema", YOKE_RECORD_SCHEMA);
    set(object, "versions", pairs_json(&record->versions));
    set_fields(object, &record_own_table, record);
    if (record->host)
        set(object, "host", host_json(record->host));
    set(object, "artefact", fields_json(&record_artefact_table, &record->artefact));
    set(object, "method", method_json(record));
    set(object, "options", pairs_json(&record->options));
    for (size_t i = 0; i < record->engine_count; i++)
        json_array_append_new(engines, fields_json(&record_engine_table, &record->engines[i]));
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
