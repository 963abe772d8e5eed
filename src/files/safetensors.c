#include "files/safetensors.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/bytes.h"
#include "files/text.h"

enum { HEADER_START = 8 };

typedef struct dtype {
    const char *name;
    yoke_format format; /* NONE: yoke has no such format; the element is a byte */
} dtype;

static const dtype DTYPES[] = {
    {"F32", YOKE_F32},         {"F16", YOKE_F16},         {"BF16", YOKE_BF16},
    {"F64", YOKE_F64},         {"I64", YOKE_I64},         {"I32", YOKE_I32},
    {"I16", YOKE_I16},         {"I8", YOKE_I8},           {"U8", YOKE_U8},
    {"BOOL", YOKE_BOOL},       {"U16", YOKE_U16},         {"U32", YOKE_U32},
    {"U64", YOKE_U64},         {"C64", YOKE_C64},         {"F8_E4M3", YOKE_F8_E4M3},
    {"F8_E5M2", YOKE_F8_E5M2}, {"F8_E8M0", YOKE_F8_E8M0}, {"F8_E4M3FNUZ", YOKE_FORMAT_NONE},
    {"F6_E2M3", YOKE_F6_E2M3}, {"F6_E3M2", YOKE_F6_E3M2}, {"F8_E5M2FNUZ", YOKE_FORMAT_NONE},
    {"F4", YOKE_F4_E2M1},
};

/* A header being read. Entry by entry, so that no tree of the whole of it is ever in memory. */
typedef struct header {
    yoke_file *file;
    const file_part *part;
    size_t at, end; /* what is left of it */
    size_t entry;   /* where the entry being read begins */
    bool metadata;  /* there was one */
} header;

static yoke_status header_fail(const header *h, size_t at, yoke_error *err, const char *why)
{
    return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: header, byte %zu: %s", h->part->path, at, why);
}

static uint8_t header_peek(header *h)
{
    while (h->at < h->end && h->part->map.bytes[h->at] &&
           strchr(" \t\r\n", h->part->map.bytes[h->at]))
        h->at++;
    return h->at < h->end ? h->part->map.bytes[h->at] : 0;
}

/* The next JSON value. */
static yoke_status header_value(header *h, json_t **value, yoke_error *err)
{
    json_error_t error;
    *value = json_loadb(
        (const char *)h->part->map.bytes + h->at, h->end - h->at,
        JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    size_t used = error.position > 0 ? (size_t)error.position : 0;
    if (*value) {
        h->at += used;
        return YOKE_OK;
    }
    if (json_error_code(&error) == json_error_out_of_memory)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for the header", h->part->path);
    return header_fail(h, size_min(h->at + used, h->end), err, error.text);
}

static yoke_status YOKE_PRINTF(5, 6)
    tensor_fail(const header *h, const yoke_tensor *tensor, const char *field, yoke_error *err,
                const char *format, ...)
{
    char why[192];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: tensor \"%s\" (header, byte %zu): %s: %s",
                          h->part->path, text_shown(tensor->name, tensor->name_length).text,
                          h->entry, field, why);
}

/* Strings may hold NULs. */
static bool is_text(const json_t *string, const char *text)
{
    return json_string_length(string) == strlen(text) &&
           memcmp(json_string_value(string), text, strlen(text)) == 0;
}

static yoke_status read_dtype(const header *h, const json_t *entry, yoke_tensor *tensor,
                              yoke_error *err)
{
    const json_t *value = json_object_get(entry, "dtype");
    const char *name = json_string_value(value);
    if (!name)
        return tensor_fail(h, tensor, "dtype", err, "missing, or not a string");
    for (size_t i = 0; i < sizeof DTYPES / sizeof *DTYPES; i++) {
        if (is_text(value, DTYPES[i].name)) {
            tensor->type_name = DTYPES[i].name;
            tensor->format = DTYPES[i].format;
            return YOKE_OK;
        }
    }
    return tensor_fail(h, tensor, "dtype", err, "unknown type \"%s\"",
                       text_shown(name, json_string_length(value)).text);
}

/* `numbers` non-negative integers from an array. False, with the index in *count, for anything
 * else. */
static bool read_numbers(const json_t *array, uint64_t *numbers, size_t *count)
{
    size_t size = json_array_size(array);
    for (*count = 0; *count < size; ++*count) {
        const json_t *number = json_array_get(array, *count);
        if (!json_is_integer(number) || json_integer_value(number) < 0)
            return false;
        numbers[*count] = (uint64_t)json_integer_value(number);
    }
    return true;
}

static yoke_status read_shape(const header *h, const json_t *entry, uint64_t *shape,
                              yoke_tensor *tensor, yoke_error *err)
{
    const json_t *array = json_object_get(entry, "shape");
    size_t rank;
    if (!json_is_array(array))
        return tensor_fail(h, tensor, "shape", err, "missing, or not an array");
    if (json_array_size(array) > FILE_MAX_RANK)
        return tensor_fail(h, tensor, "shape", err, "more than 64 dimensions");
    if (!read_numbers(array, shape, &rank))
        return tensor_fail(h, tensor, "shape", err, "a dimension is not a whole number >= 0");
    tensor->rank = (unsigned)rank;
    tensor->shape = shape;
    return YOKE_OK;
}

static yoke_status count_bytes(const header *h, yoke_tensor *tensor, yoke_error *err)
{
    const yoke_format_info *element =
        yoke_format_get(tensor->format == YOKE_FORMAT_NONE ? YOKE_U8 : tensor->format);
    size_t elements, bytes;
    if (!file_shape_elements(tensor->shape, tensor->rank, &elements) ||
        !size_mul(elements / element->block, element->block_bytes, &bytes))
        return tensor_fail(h, tensor, "shape", err, "its size overflows");
    if (elements % element->block != 0)
        return tensor_fail(h, tensor, "shape", err, "its elements do not fill whole bytes");
    tensor->bytes = bytes;
    return YOKE_OK;
}

static yoke_status read_offsets(const header *h, const json_t *entry, yoke_tensor *tensor,
                                yoke_error *err)
{
    const json_t *array = json_object_get(entry, "data_offsets");
    uint64_t range[2];
    size_t count;
    if (json_array_size(array) != 2 || !read_numbers(array, range, &count))
        return tensor_fail(h, tensor, "data_offsets", err, "not two whole numbers >= 0");
    size_t available = h->part->map.size - h->end;
    if (range[0] > range[1])
        return tensor_fail(h, tensor, "data_offsets", err, "begin %ju is behind end %ju",
                           (uintmax_t)range[0], (uintmax_t)range[1]);
    if (range[1] > available)
        return tensor_fail(h, tensor, "data_offsets", err,
                           "end %ju is behind the end of the data, %zu bytes from byte %zu on",
                           (uintmax_t)range[1], available, h->end);
    if (range[1] - range[0] != tensor->bytes)
        return tensor_fail(h, tensor, "data_offsets", err, "%ju bytes, but type and shape make %ju",
                           (uintmax_t)(range[1] - range[0]), (uintmax_t)tensor->bytes);
    tensor->offset = h->end + range[0];
    return YOKE_OK;
}

static yoke_status read_tensor(const header *h, const json_t *name, const json_t *entry,
                               yoke_error *err)
{
    uint64_t shape[FILE_MAX_RANK];
    yoke_tensor tensor = {.name = json_string_value(name), .name_length = json_string_length(name)};
    if (!json_is_object(entry))
        return tensor_fail(h, &tensor, "entry", err, "not an object");
    yoke_status status = read_dtype(h, entry, &tensor, err);
    if (status == YOKE_OK)
        status = read_shape(h, entry, shape, &tensor, err);
    if (status == YOKE_OK)
        status = count_bytes(h, &tensor, err);
    if (status == YOKE_OK)
        status = read_offsets(h, entry, &tensor, err);
    if (status == YOKE_OK)
        status = file_add_tensor(h->file, &tensor, h->entry, err);
    return status;
}

static yoke_status check_metadata(header *h, json_t *metadata, yoke_error *err)
{
    const char *key;
    json_t *value;
    if (h->metadata)
        return header_fail(h, h->entry, err, "__metadata__ appears twice");
    h->metadata = true;
    if (!json_is_object(metadata))
        return header_fail(h, h->entry, err, "__metadata__ is not an object");
    json_object_foreach(metadata, key, value)
    {
        if (!json_is_string(value))
            return header_fail(h, h->entry, err, "__metadata__ has a value that is not a string");
    }
    return YOKE_OK;
}

/* "name": value */
static yoke_status read_entry(header *h, yoke_error *err)
{
    json_t *name = NULL, *value = NULL;
    h->entry = h->at;
    if (header_peek(h) != '"')
        return header_fail(h, h->at, err, "a name in quotes is missing");
    h->entry = h->at;
    yoke_status status = header_value(h, &name, err);
    if (status == YOKE_OK && header_peek(h) != ':')
        status = header_fail(h, h->at, err, "':' is missing");
    if (status == YOKE_OK) {
        h->at++;
        status = header_value(h, &value, err);
    }
    if (status == YOKE_OK)
        status = is_text(name, "__metadata__") ? check_metadata(h, value, err)
                                               : read_tensor(h, name, value, err);
    json_decref(name);
    json_decref(value);
    return status;
}

static yoke_status read_entries(header *h, yoke_error *err)
{
    if (header_peek(h) != '{' || h->at != HEADER_START)
        return header_fail(h, HEADER_START, err, "it does not begin with '{'");
    h->at++;
    if (header_peek(h) == '}') {
        h->at++;
    } else {
        uint8_t next;
        do {
            yoke_status status = read_entry(h, err);
            if (status != YOKE_OK)
                return status;
            next = header_peek(h);
            if (next != ',' && next != '}')
                return header_fail(h, h->at, err, "',' or '}' is missing");
            h->at++;
        } while (next == ',');
    }
    header_peek(h);
    return h->at == h->end ? YOKE_OK : header_fail(h, h->at, err, "more follows the closing '}'");
}

/* The tensors must cover the data without overlap, gap or rest: nothing can hide between them. */
static yoke_status check_cover(const header *h, size_t first, yoke_error *err)
{
    const yoke_tensor **order = file_by_offset(h->file, first);
    if (!order)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its tensors", h->part->path);
    yoke_status status = YOKE_OK;
    uint64_t covered = h->end;
    size_t count = h->file->tensor_count - first;
    for (size_t i = 0; i < count && status == YOKE_OK; i++) {
        if (order[i]->offset != covered)
            status = yoke_error_set(
                err, YOKE_ERR_FORMAT,
                "%s: tensor \"%s\": data_offsets: its data begins at byte %ju, %s byte %ju",
                h->part->path, text_shown(order[i]->name, order[i]->name_length).text,
                (uintmax_t)order[i]->offset,
                order[i]->offset < covered ? "overlapping another tensor's, which ends at"
                                           : "leaving a gap after",
                (uintmax_t)covered);
        covered = order[i]->offset + order[i]->bytes;
    }
    free(order);
    if (status == YOKE_OK && covered != h->part->map.size)
        status = yoke_error_set(err, YOKE_ERR_FORMAT,
                                "%s: the tensors end at byte %ju, but the file has %zu bytes",
                                h->part->path, (uintmax_t)covered, h->part->map.size);
    return status;
}

static yoke_status check_length(const file_part *part, yoke_error *err)
{
    size_t size = part->map.size;
    if (size < HEADER_START)
        return yoke_error_set(err, YOKE_ERR_FORMAT,
                              "%s: header length, byte 0: 8 bytes expected, the file has %zu",
                              part->path, size);
    uint64_t length = bytes_u64(part->map.bytes);
    if (length > SAFETENSORS_HEADER_LIMIT)
        return yoke_error_set(err, YOKE_ERR_FORMAT,
                              "%s: header length, byte 0: %ju is over the limit of %u bytes",
                              part->path, (uintmax_t)length, SAFETENSORS_HEADER_LIMIT);
    if (length > size - HEADER_START)
        return yoke_error_set(err, YOKE_ERR_FORMAT,
                              "%s: header length, byte 0: %ju, but the file ends after %zu bytes",
                              part->path, (uintmax_t)length, size);
    return YOKE_OK;
}

yoke_status safetensors_read_part(yoke_file *file, yoke_error *err)
{
    const file_part *part = &file->parts[file->part_count - 1];
    yoke_status status = check_length(part, err);
    if (status != YOKE_OK)
        return status;
    header h = {.file = file,
                .part = part,
                .at = HEADER_START,
                .end = HEADER_START + (size_t)bytes_u64(part->map.bytes)};
    size_t first = file->tensor_count;
    status = read_entries(&h, err);
    return status == YOKE_OK ? check_cover(&h, first, err) : status;
}

yoke_status safetensors_read(yoke_file *file, yoke_error *err)
{
    snprintf(file->kind, sizeof file->kind, "safetensors");
    return safetensors_read_part(file, err);
}
