/* The record out of its JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/mapping.h"
#include "measure/record_parts.h"
#include "measure/record_place.h"

static yoke_status add_host(place *at, const json_t *root, yoke_record *record)
{
    const json_t *object;
    if (!json_object_get(root, "host"))
        return YOKE_OK;
    yoke_status status = place_get_object(at, root, "host", &object);
    if (status != YOKE_OK)
        return status;
    record->host = calloc(1, sizeof *record->host);
    if (!record->host)
        return yoke_error_set(at->err, YOKE_ERR_MEMORY, "%s: no memory for the host", at->name);
    return record_parse_host(at, object, record->host);
}

/* ---- Lists of texts ---- */

static yoke_status append_pair(yoke_record_texts *list, const char *key, const char *value,
                               yoke_error *err)
{
    size_t bytes;
    char *text = size_add(strlen(key) + 2, strlen(value), &bytes) ? malloc(bytes) : NULL;
    if (!text)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "record: no memory for a text");
    snprintf(text, bytes, "%s=%s", key, value);
    yoke_status status = record_append_text(list, text, err);
    free(text);
    return status;
}

/* The members of root.name that are texts, as "key=value". Others are passed over when `mixed`. */
static yoke_status add_pairs(const place *at, const json_t *root, const char *name, bool mixed,
                             yoke_record_texts *list)
{
    const json_t *object;
    const char *key;
    json_t *value;
    yoke_status status = place_get_object(at, root, name, &object);
    if (status != YOKE_OK)
        return status;
    json_object_foreach((json_t *)object, key, value)
    {
        bool text = json_is_string(value);
        if (!text && !mixed)
            return yoke_error_set(at->err, YOKE_ERR_FORMAT, "%s: %s.%s is not a text", at->name,
                                  name, key);
        if (strchr(key, '='))
            return yoke_error_set(at->err, YOKE_ERR_FORMAT, "%s: %s.%s has a '=' in its name",
                                  at->name, name, key);
        if (text)
            status = append_pair(list, key, json_string_value(value), at->err);
        if (status != YOKE_OK)
            return status;
    }
    return YOKE_OK;
}

static yoke_status add_notes(place *at, const json_t *root, yoke_record *record)
{
    const json_t *notes;
    yoke_status status = place_get_array(at, root, "notes", &notes);
    for (size_t i = 0; status == YOKE_OK && i < json_array_size(notes); i++) {
        const char *note = json_string_value(json_array_get(notes, i));
        if (!note)
            return yoke_error_set(at->err, YOKE_ERR_FORMAT, "%s: notes[%zu] is not a text",
                                  at->name, i);
        status = record_append_text(&record->notes, note, at->err);
    }
    return status;
}

/* ---- Engines and rows ---- */

typedef yoke_status add_item(const place *at, const json_t *object, yoke_record *record);

/* Adds each object of the list root.name. */
static yoke_status add_list(place *at, const json_t *root, const char *name, add_item *add,
                            yoke_record *record)
{
    const json_t *list;
    yoke_status status = place_get_array(at, root, name, &list);
    for (size_t i = 0; status == YOKE_OK && i < json_array_size(list); i++) {
        const json_t *object = json_array_get(list, i);
        if (!json_is_object(object))
            return yoke_error_set(at->err, YOKE_ERR_FORMAT, "%s: %s[%zu] is not an object",
                                  at->name, name, i);
        snprintf(at->field, sizeof at->field, "%s[%zu].", name, i);
        status = add(at, object, record);
    }
    at->field[0] = '\0';
    return status;
}

static yoke_status add_engine(const place *at, const json_t *object, yoke_record *record)
{
    yoke_record_engine engine = {0};
    yoke_status status = place_get_fields(at, object, &record_engine_table, &engine);
    return status == YOKE_OK ? yoke_record_add_engine(record, &engine, at->err) : status;
}

static yoke_status add_series(const place *at, const json_t *object, const char *name,
                              yoke_series *series)
{
    const json_t *samples;
    if (!json_object_get(object, name))
        return YOKE_OK;
    yoke_status status = place_get_array(at, object, name, &samples);
    for (size_t i = 0; status == YOKE_OK && i < json_array_size(samples); i++) {
        const json_t *sample = json_array_get(samples, i);
        status = json_is_number(sample)
                     ? yoke_series_add(series, json_number_value(sample), at->err)
                     : place_malformed(at, name, "a list of numbers");
    }
    return status;
}

static yoke_status add_samples(const place *at, const json_t *object, yoke_record_row *row)
{
    yoke_series *samples = &row->samples;
    yoke_status status = add_series(at, object, "samples_ns", samples);
    if (status == YOKE_OK)
        status = add_series(at, object, "limit_samples_ns", &row->limit_samples);
    size_t count = samples->count;
    if (status == YOKE_OK)
        status = place_get_size(at, object, "sample_count", &count);
    if (status == YOKE_OK && count != samples->count)
        status = place_malformed(at, "sample_count", "how many samples_ns there are");
    if (status == YOKE_OK)
        status = place_get_size(at, object, "warmup_count", &samples->warmup_count);
    if (status == YOKE_OK)
        status = place_get_bool(at, object, "warmup_settled", &samples->warmup_settled);
    if (status == YOKE_OK)
        status = place_get_size(at, object, "outliers_mild", &row->time.outliers_mild);
    if (status == YOKE_OK)
        status = place_get_size(at, object, "outliers_severe", &row->time.outliers_severe);
    if (status == YOKE_OK)
        status = place_get_bool(at, object, "unstable", &row->time.unstable);
    row->time.count = isfinite(row->time.median) ? samples->count : 0;
    return status;
}

static yoke_status check_failed(const place *at, const yoke_record_row *row)
{
    for (size_t i = 0; i < record_row_table.count; i++) {
        const record_field *field = &record_row_table.fields[i];
        if (field->kind == RECORD_RATE &&
            !isnan(*(const double *)((const char *)row + field->offset)))
            return place_malformed(at, field->name, "for a failed row to have");
    }
    return YOKE_OK;
}

static yoke_status add_row(const place *at, const json_t *object, yoke_record *record)
{
    yoke_record_row *row;
    yoke_status status = yoke_record_add_row(record, "", "", &row, at->err);
    if (status == YOKE_OK)
        status = place_get_fields(at, object, &record_row_table, row);
    if (status == YOKE_OK && row->suite[0] == '\0')
        status = place_malformed(at, "suite", "a text");
    if (status == YOKE_OK && row->what[0] == '\0')
        status = place_malformed(at, "case", "a text");
    if (status == YOKE_OK)
        status = place_get_bool(at, object, "cached", &row->cached);
    if (status == YOKE_OK)
        status = add_samples(at, object, row);
    return status == YOKE_OK && row->failed ? check_failed(at, row) : status;
}

/* ---- The whole ---- */

static yoke_status check_schema(const place *at, const json_t *root)
{
    const json_t *schema = json_object_get(root, "schema");
    if (!json_is_integer(schema))
        return place_malformed(at, "schema", "a whole number: no yoke record");
    if (json_integer_value(schema) == YOKE_RECORD_SCHEMA)
        return YOKE_OK;
    return yoke_error_set(at->err, YOKE_ERR_UNSUPPORTED,
                          "%s: schema %lld of the record, and this yoke reads schema %d", at->name,
                          (long long)json_integer_value(schema), YOKE_RECORD_SCHEMA);
}

/* The object root.name, by its table, into `into`. */
static yoke_status add_object(place *at, const json_t *root, const char *name,
                              const record_table *table, void *into)
{
    const json_t *object;
    yoke_status status = place_get_object(at, root, name, &object);
    snprintf(at->field, sizeof at->field, "%s.", name);
    if (status == YOKE_OK)
        status = place_get_fields(at, object, table, into);
    at->field[0] = '\0';
    return status;
}

static yoke_status fill(place *at, const json_t *root, yoke_record *record)
{
    yoke_status status = check_schema(at, root);
    if (status == YOKE_OK)
        status = add_pairs(at, root, "versions", false, &record->versions);
    if (status == YOKE_OK)
        status = place_get_fields(at, root, &record_own_table, record);
    if (status == YOKE_OK)
        status = add_host(at, root, record);
    if (status == YOKE_OK)
        status = add_object(at, root, "artefact", &record_artefact_table, &record->artefact);
    if (status == YOKE_OK)
        status = add_pairs(at, root, "method", true, &record->method);
    if (status == YOKE_OK)
        status = add_object(at, root, "method", &record_sampling_table, &record->sampling);
    if (status == YOKE_OK)
        status = add_pairs(at, root, "options", false, &record->options);
    if (status == YOKE_OK)
        status = add_list(at, root, "engines", add_engine, record);
    if (status == YOKE_OK)
        status = add_list(at, root, "rows", add_row, record);
    return status == YOKE_OK ? add_notes(at, root, record) : status;
}

yoke_status yoke_record_parse(const char *json, size_t length, const char *name,
                              yoke_record **record, yoke_error *err)
{
    json_error_t reason;
    place at = {.name = name, .err = err};
    json_t *root = json_loadb(json ? json : "", length, JSON_REJECT_DUPLICATES, &reason);
    if (!root)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: byte %d: %s", name, reason.position,
                              reason.text);
    yoke_record *r = record_empty();
    yoke_status status =
        r ? fill(&at, root, r) : yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory", name);
    json_decref(root);
    if (status == YOKE_OK)
        *record = r;
    else
        yoke_record_free(r);
    return status;
}

yoke_status yoke_record_load(const char *path, yoke_record **record, yoke_error *err)
{
    mapping map;
    yoke_status status = mapping_open(path, &map, err);
    if (status != YOKE_OK)
        return status;
    status = yoke_record_parse((const char *)map.bytes, map.size, path, record, err);
    mapping_close(&map);
    return status;
}
