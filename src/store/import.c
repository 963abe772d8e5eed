#include "store/import.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "store/anemll.h"

static yoke_status append(const char *json, size_t length, const char *name, store_records *records,
                          yoke_error *err)
{
    size_t bytes;
    store_record *items =
        size_mul(records->count + 1, sizeof *items, &bytes) ? realloc(records->items, bytes) : NULL;
    if (!items)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory", name);
    records->items = items;
    yoke_status status = store_record_make(json, length, name, &items[records->count], err);
    if (status == YOKE_OK)
        records->count++;
    return status;
}

static yoke_status append_report(const json_t *report, const char *name, store_records *records,
                                 yoke_error *err)
{
    json_t *made;
    yoke_status status = anemll_records(report, name, &made, err);
    for (size_t i = 0; status == YOKE_OK && i < json_array_size(made); i++) {
        char *json = json_dumps(json_array_get(made, i), JSON_COMPACT | JSON_REAL_PRECISION(15));
        status = json ? append(json, strlen(json), name, records, err)
                      : yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory", name);
        free(json);
    }
    json_decref(made);
    return status;
}

/* One value of the text, which begins `at` bytes into the file. */
static yoke_status append_value(const char *text, size_t length, size_t at, const char *name,
                                size_t *used, store_records *records, yoke_error *err)
{
    json_error_t reason;
    json_t *value =
        json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &reason);
    if (!value)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: byte %zu: %s", name,
                              at + (size_t)reason.position, reason.text);
    *used = (size_t)reason.position;
    yoke_status status;
    if (json_object_get(value, "schema"))
        status = append(text, *used, name, records, err);
    else if (anemll_is_report(value))
        status = append_report(value, name, records, err);
    else
        status = yoke_error_set(err, YOKE_ERR_FORMAT,
                                "%s: byte %zu: neither a yoke record nor a report of anemll-bench",
                                name, at);
    json_decref(value);
    return status;
}

static size_t skip_blanks(const char *text, size_t length, size_t at)
{
    while (at < length && memchr(" \t\r\n", text[at], 4))
        at++;
    return at;
}

yoke_status store_import_text(const char *text, size_t length, const char *name,
                              store_records *records, yoke_error *err)
{
    size_t at = skip_blanks(text, length, 0);
    if (at == length)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: byte 0: holds no record", name);
    while (at < length) {
        size_t used = 0;
        yoke_status status = append_value(text + at, length - at, at, name, &used, records, err);
        if (status != YOKE_OK)
            return status;
        at = skip_blanks(text, length, at + used);
    }
    return YOKE_OK;
}

/* The whole of a file. */
static char *slurp(FILE *file, size_t *length)
{
    char *text = NULL;
    size_t room = 0;
    *length = 0;
    for (;;) {
        if (*length == room) {
            char *larger = size_mul(room > 0 ? room : 32768, 2, &room) ? realloc(text, room) : NULL;
            if (!larger)
                break;
            text = larger;
        }
        size_t got = fread(text + *length, 1, room - *length, file);
        if (got == 0)
            return text;
        *length += got;
    }
    free(text);
    return NULL;
}

yoke_status store_import_file(const char *path, store_records *records, yoke_error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
    size_t length;
    char *text = slurp(file, &length);
    yoke_status status = YOKE_OK;
    if (ferror(file))
        status = yoke_error_set(err, YOKE_ERR_IO, "%s: cannot read: %s", path, strerror(errno));
    else if (!text)
        status = yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory", path);
    else
        status = store_import_text(text, length, path, records, err);
    fclose(file);
    free(text);
    return status;
}

void store_records_free(store_records *records)
{
    for (size_t i = 0; i < records->count; i++)
        store_record_free(&records->items[i]);
    free(records->items);
    *records = (store_records){0};
}
