#include "files/gguf_values.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "files/bytes.h"
#include "files/text.h"

enum value_type { TYPE_STRING = 8, TYPE_ARRAY = 9, TYPE_COUNT = 13 };

/* By value_type: u8 i8 u16 i16 u32 i32 f32 bool string array u64 i64 f64. */
static const struct {
    uint8_t size;
    bool integer, has_sign;
} VALUES[TYPE_COUNT] = {
    {1, true, false}, {1, true, true},   {2, true, false},  {2, true, true},   {4, true, false},
    {4, true, true},  {4, false, false}, {1, false, false}, {0, false, false}, {0, false, false},
    {8, true, false}, {8, true, true},   {8, false, false},
};

/* Arrays in arrays: more than any writer makes. */
enum { MAX_NESTING = 8 };

/* A text-mode copy turns every byte over 0x7f into EF BF BD; lengths then read as nonsense. */
static bool copied_as_text(const mapping *map)
{
    static const uint8_t MARKS[] = {0xef, 0xbf, 0xbd, 0xef, 0xbf, 0xbd};
    size_t looked_at = size_min(map->size, 1 << 16);
    for (size_t at = 0; at + sizeof MARKS <= looked_at; at++)
        if (memcmp(map->bytes + at, MARKS, sizeof MARKS) == 0)
            return true;
    return false;
}

yoke_status gguf_fail(const gguf_cursor *c, const char *field, size_t at, yoke_error *err,
                      const char *format, ...)
{
    char why[192];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return yoke_error_set(
        err, YOKE_ERR_FORMAT, "%s: %s, byte %zu: %s%s", c->path, field, at, why,
        copied_as_text(c->map) ? " (it holds runs of EF BF BD: suspect a copy in text mode)" : "");
}

static size_t gguf_left(const gguf_cursor *c)
{
    return c->map->size - c->at;
}

static yoke_status gguf_need(const gguf_cursor *c, const char *field, uint64_t bytes,
                             yoke_error *err)
{
    if (bytes <= gguf_left(c))
        return YOKE_OK;
    return gguf_fail(c, field, c->at, err, "%ju bytes needed, but the file ends after %zu",
                     (uintmax_t)bytes, gguf_left(c));
}

yoke_status gguf_u32(gguf_cursor *c, const char *field, uint32_t *value, yoke_error *err)
{
    yoke_status status = gguf_need(c, field, 4, err);
    if (status == YOKE_OK) {
        *value = bytes_u32(c->map->bytes + c->at);
        c->at += 4;
    }
    return status;
}

yoke_status gguf_u64(gguf_cursor *c, const char *field, uint64_t *value, yoke_error *err)
{
    yoke_status status = gguf_need(c, field, 8, err);
    if (status == YOKE_OK) {
        *value = bytes_u64(c->map->bytes + c->at);
        c->at += 8;
    }
    return status;
}

yoke_status gguf_text(gguf_cursor *c, const char *field, gguf_string *value, yoke_error *err)
{
    uint64_t length;
    yoke_status status = gguf_count(c, field, 1, &length, err);
    if (status == YOKE_OK) {
        *value = (gguf_string){(const char *)c->map->bytes + c->at, (size_t)length};
        c->at += value->length;
    }
    return status;
}

yoke_status gguf_count(gguf_cursor *c, const char *field, size_t least, uint64_t *value,
                       yoke_error *err)
{
    size_t at = c->at;
    yoke_status status = gguf_u64(c, field, value, err);
    if (status != YOKE_OK || *value <= gguf_left(c) / least)
        return status;
    return gguf_fail(c, field, at, err, "a length of %ju does not fit the %zu bytes that follow",
                     (uintmax_t)*value, gguf_left(c));
}

static yoke_status skip_scalars(gguf_cursor *c, const char *key, uint32_t type, uint64_t count,
                                yoke_error *err)
{
    yoke_status status = YOKE_OK;
    if (type == TYPE_STRING) {
        gguf_string string;
        for (uint64_t i = 0; i < count && status == YOKE_OK; i++)
            status = gguf_text(c, key, &string, err);
        return status;
    }
    size_t bytes = VALUES[type].size * (size_t)count; /* count was checked against the file */
    status = gguf_need(c, key, bytes, err);
    if (status == YOKE_OK)
        c->at += bytes;
    return status;
}

static yoke_status check_type(const gguf_cursor *c, const char *key, uint32_t type, size_t at,
                              yoke_error *err)
{
    if (type < TYPE_COUNT)
        return YOKE_OK;
    return gguf_fail(c, key, at, err, "unknown value type %u", (unsigned)type);
}

/* An array's element type and count; count fits the rest of the file. */
static yoke_status array_header(gguf_cursor *c, const char *key, uint32_t *type, uint64_t *count,
                                yoke_error *err)
{
    size_t at = c->at;
    yoke_status status = gguf_u32(c, key, type, err);
    if (status == YOKE_OK)
        status = check_type(c, key, *type, at, err);
    if (status != YOKE_OK)
        return status;
    /* A string is at least its length, an array its type and length. */
    size_t least = *type == TYPE_ARRAY ? 12 : *type == TYPE_STRING ? 8 : VALUES[*type].size;
    return gguf_count(c, key, least, count, err);
}

/* Arrays may hold arrays: left[d] arrays are still to be read at depth d. */
static yoke_status skip_array(gguf_cursor *c, const char *key, yoke_error *err)
{
    uint64_t left[MAX_NESTING] = {1};
    size_t depth = 0;
    for (;;) {
        while (left[depth] == 0)
            if (depth-- == 0)
                return YOKE_OK;
        left[depth]--;
        uint32_t type;
        uint64_t count;
        yoke_status status = array_header(c, key, &type, &count, err);
        if (status == YOKE_OK && type != TYPE_ARRAY)
            status = skip_scalars(c, key, type, count, err);
        else if (status == YOKE_OK && ++depth == MAX_NESTING)
            status = gguf_fail(c, key, c->at, err, "arrays are nested too deeply");
        if (status != YOKE_OK)
            return status;
        if (type == TYPE_ARRAY)
            left[depth] = count;
    }
}

yoke_status gguf_skip(gguf_cursor *c, const char *key, uint32_t type, yoke_error *err)
{
    yoke_status status = check_type(c, key, type, c->at - 4, err);
    if (status != YOKE_OK)
        return status;
    return type == TYPE_ARRAY ? skip_array(c, key, err) : skip_scalars(c, key, type, 1, err);
}

yoke_status gguf_integer(gguf_cursor *c, const char *key, uint32_t type, uint64_t *value,
                         yoke_error *err)
{
    if (type >= TYPE_COUNT || !VALUES[type].integer)
        return gguf_fail(c, key, c->at - 4, err, "its type is not an integer");
    size_t size = VALUES[type].size;
    yoke_status status = gguf_need(c, key, size, err);
    if (status != YOKE_OK)
        return status;
    *value = 0;
    memcpy(value, c->map->bytes + c->at, size);
    if (VALUES[type].has_sign && c->map->bytes[c->at + size - 1] & 0x80)
        return gguf_fail(c, key, c->at, err, "it is negative");
    c->at += size;
    return YOKE_OK;
}

bool gguf_string_is(gguf_string string, const char *text)
{
    return string.length == strlen(text) && memcmp(string.text, text, string.length) == 0;
}
