#include "measure/record_place.h"

#include <math.h>
#include <string.h>

#define WHOLE_NUMBER "a whole number, 0 or more"

yoke_status place_malformed(const place *at, const char *field, const char *wanted)
{
    return yoke_error_set(at->err, YOKE_ERR_FORMAT, "%s: %s%s is not %s", at->name, at->field,
                          field, wanted);
}

static yoke_status read_text(const place *at, const json_t *value, const record_field *field,
                             char *text)
{
    const char *given = json_string_value(value);
    if (!given)
        return place_malformed(at, field->name, "a text");
    size_t length = strlen(given);
    if (length >= field->room)
        return yoke_error_set(at->err, YOKE_ERR_FORMAT, "%s: %s%s is longer than %zu bytes",
                              at->name, at->field, field->name, field->room - 1);
    memcpy(text, given, length + 1);
    return YOKE_OK;
}

static yoke_status read_format(const place *at, const json_t *value, const char *name,
                               yoke_format *format)
{
    if (json_is_string(value))
        *format = yoke_format_find(json_string_value(value));
    return *format == YOKE_FORMAT_NONE ? place_malformed(at, name, "a format") : YOKE_OK;
}

static yoke_status read_whole(const place *at, const json_t *value, const char *name,
                              uint64_t largest, uint64_t *whole)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) > largest)
        return place_malformed(at, name, WHOLE_NUMBER);
    *whole = (uint64_t)json_integer_value(value);
    return YOKE_OK;
}

static yoke_status read_size(const place *at, const json_t *value, const char *name, size_t *size)
{
    uint64_t whole = 0;
    yoke_status status = read_whole(at, value, name, SIZE_MAX, &whole);
    *size = (size_t)whole;
    return status;
}

static yoke_status read_real(const place *at, const json_t *value, const char *name, double *real)
{
    *real = json_number_value(value);
    return json_is_number(value) ? YOKE_OK : place_malformed(at, name, "a number");
}

static yoke_status read_bool(const place *at, const json_t *value, const char *name, bool *flag)
{
    *flag = json_is_true(value);
    return json_is_boolean(value) ? YOKE_OK : place_malformed(at, name, "true or false");
}

static yoke_status read_flag(const place *at, const json_t *value, const char *name, int *flag)
{
    bool truth = false;
    yoke_status status = read_bool(at, value, name, &truth);
    *flag = truth;
    return status;
}

static yoke_status read_field(const place *at, const json_t *value, const record_field *field,
                              void *into)
{
    switch (field->kind) {
    case RECORD_TEXT: return read_text(at, value, field, into);
    case RECORD_FORMAT: return read_format(at, value, field->name, into);
    case RECORD_SIZE: return read_size(at, value, field->name, into);
    case RECORD_BYTES: return read_whole(at, value, field->name, UINT64_MAX, into);
    case RECORD_REAL:
    case RECORD_RATE: return read_real(at, value, field->name, into);
    case RECORD_BOOL: return read_bool(at, value, field->name, into);
    case RECORD_FLAG: return read_flag(at, value, field->name, into);
    }
    return YOKE_OK;
}

static void forget_field(const record_field *field, void *into)
{
    memset(into, 0, field->kind == RECORD_TEXT ? 1 : field->room);
    if (field->kind == RECORD_REAL || field->kind == RECORD_RATE)
        *(double *)into = (double)NAN;
    if (field->kind == RECORD_FLAG)
        *(int *)into = -1;
}

yoke_status place_get_fields(const place *at, const json_t *object, const record_table *table,
                             void *into)
{
    for (size_t i = 0; i < table->count; i++) {
        const record_field *field = &table->fields[i];
        const json_t *value = json_object_get(object, field->name);
        void *member = (char *)into + field->offset;
        forget_field(field, member);
        if (!value && field->kind != RECORD_BOOL)
            continue;
        yoke_status status = read_field(at, value, field, member);
        if (status != YOKE_OK)
            return status;
    }
    return YOKE_OK;
}

yoke_status place_get_object(const place *at, const json_t *object, const char *field,
                             const json_t **value)
{
    *value = json_object_get(object, field);
    return json_is_object(*value) ? YOKE_OK : place_malformed(at, field, "an object");
}

yoke_status place_get_array(const place *at, const json_t *object, const char *field,
                            const json_t **value)
{
    *value = json_object_get(object, field);
    return json_is_array(*value) ? YOKE_OK : place_malformed(at, field, "a list");
}

yoke_status place_get_size(const place *at, const json_t *object, const char *field, size_t *size)
{
    const json_t *value = json_object_get(object, field);
    return value ? read_size(at, value, field, size) : YOKE_OK;
}

yoke_status place_get_bool(const place *at, const json_t *object, const char *field, bool *flag)
{
    const json_t *value = json_object_get(object, field);
    return value ? read_bool(at, value, field, flag) : YOKE_OK;
}
