#include "files/gguf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/gguf_header.h"
#include "files/gguf_types.h"
#include "files/text.h"

enum { MAX_DIMENSIONS = 4 };

/* One tensor as described; offset counts from the start of the data. */
typedef struct description {
    gguf_string name;
    shown_text shown;
    size_t at;
    unsigned dimensions;
    uint64_t shape[MAX_DIMENSIONS]; /* outermost first */
    gguf_type type;
    uint64_t offset, bytes;
} description;

static yoke_status YOKE_PRINTF(6, 7)
    tensor_fail(const gguf_cursor *c, const description *tensor, const char *field, size_t at,
                yoke_error *err, const char *format, ...)
{
    char where[sizeof tensor->shown.text + 40];
    snprintf(where, sizeof where, "tensor \"%s\": %s", tensor->shown.text, field);
    char why[192];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return gguf_fail(c, where, at, err, "%s", why);
}

static yoke_status read_name(gguf_cursor *c, description *tensor, yoke_error *err)
{
    tensor->at = c->at;
    yoke_status status = gguf_text(c, "tensor name", &tensor->name, err);
    if (status != YOKE_OK)
        return status;
    tensor->shown = text_shown(tensor->name.text, tensor->name.length);
    if (!text_is_utf8(tensor->name.text, tensor->name.length))
        return gguf_fail(c, "tensor name", tensor->at, err, "it is not UTF-8");
    return YOKE_OK;
}

/* The file lists the innermost dimension (columns) first. */
static yoke_status read_shape(gguf_cursor *c, description *tensor, yoke_error *err)
{
    size_t at = c->at;
    uint32_t dimensions;
    yoke_status status = gguf_u32(c, "n_dims", &dimensions, err);
    if (status != YOKE_OK)
        return status;
    if (dimensions > MAX_DIMENSIONS) {
        return tensor_fail(c, tensor, "n_dims", at, err, "%u dimensions, at most 4 are allowed",
                           (unsigned)dimensions);
    }
    tensor->dimensions = dimensions;
    for (unsigned i = dimensions; i-- > 0 && status == YOKE_OK;)
        status = gguf_u64(c, "dimension", &tensor->shape[i], err);
    return status;
}

static yoke_status read_type(gguf_cursor *c, description *tensor, yoke_error *err)
{
    size_t at = c->at;
    uint32_t id;
    yoke_status status = gguf_u32(c, "type", &id, err);
    if (status != YOKE_OK)
        return status;
    tensor->type = gguf_type_get(id);
    if (tensor->type.format != YOKE_FORMAT_NONE)
        return YOKE_OK;
    if (tensor->type.name)
        return tensor_fail(c, tensor, "type", at, err, "type %u (%s) was removed from ggml",
                           (unsigned)id, tensor->type.name);
    return tensor_fail(c, tensor, "type", at, err, "type %u is unknown", (unsigned)id);
}

static yoke_status count_bytes(const gguf_cursor *c, description *tensor, yoke_error *err)
{
    const yoke_format_info *format = yoke_format_get(tensor->type.format);
    uint64_t cols = tensor->dimensions ? tensor->shape[tensor->dimensions - 1] : 1;
    size_t elements, bytes;
    if (cols % format->block != 0) {
        return tensor_fail(c, tensor, "dimensions", tensor->at, err,
                           "%ju columns are not a multiple of the %zu that %s stores together",
                           (uintmax_t)cols, format->block, tensor->type.name);
    }
    if (!file_shape_elements(tensor->shape, tensor->dimensions, &elements) ||
        !size_mul(elements / format->block, format->block_bytes, &bytes))
        return tensor_fail(c, tensor, "dimensions", tensor->at, err, "their product overflows");
    tensor->bytes = bytes;
    return YOKE_OK;
}

static yoke_status read_offset(gguf_cursor *c, description *tensor, size_t alignment,
                               yoke_error *err)
{
    size_t at = c->at;
    yoke_status status = gguf_u64(c, "offset", &tensor->offset, err);
    if (status != YOKE_OK || tensor->offset % alignment == 0)
        return status;
    return tensor_fail(c, tensor, "offset", at, err, "%ju is not a multiple of the alignment %zu",
                       (uintmax_t)tensor->offset, alignment);
}

static yoke_status read_tensor(gguf_cursor *c, yoke_file *file, size_t alignment, yoke_error *err)
{
    description tensor;
    yoke_status status = read_name(c, &tensor, err);
    if (status == YOKE_OK)
        status = read_shape(c, &tensor, err);
    if (status == YOKE_OK)
        status = read_type(c, &tensor, err);
    if (status == YOKE_OK)
        status = count_bytes(c, &tensor, err);
    if (status == YOKE_OK)
        status = read_offset(c, &tensor, alignment, err);
    if (status != YOKE_OK)
        return status;
    yoke_tensor found = {.name = tensor.name.text,
                         .name_length = tensor.name.length,
                         .format = tensor.type.format,
                         .type_name = tensor.type.name,
                         .rank = tensor.dimensions,
                         .shape = tensor.shape,
                         .offset = tensor.offset,
                         .bytes = tensor.bytes};
    return file_add_tensor(file, &found, tensor.at, err);
}

static yoke_status YOKE_PRINTF(4, 5) data_fail(const gguf_cursor *c, const yoke_tensor *tensor,
                                               yoke_error *err, const char *format, ...)
{
    char why[192];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: tensor \"%s\": offset: %s", c->path,
                          text_shown(tensor->name, tensor->name_length).text, why);
}

/* Makes a tensor's offset that in the file, once it is known where the data starts. */
static yoke_status place_tensor(const gguf_cursor *c, yoke_tensor *tensor, size_t start,
                                yoke_error *err)
{
    size_t size = c->map->size;
    uint64_t offset = tensor->offset;
    if (__builtin_add_overflow(offset, start, &tensor->offset))
        return data_fail(c, tensor, err, "%ju from byte %zu on overflows", (uintmax_t)offset,
                         start);
    /* Without tensors, or with empty ones only, files may end before the data would start. */
    if (tensor->bytes == 0 || (tensor->offset <= size && tensor->bytes <= size - tensor->offset))
        return YOKE_OK;
    return data_fail(c, tensor, err,
                     "its %ju bytes from byte %ju on are not all there: the file ends at byte %zu",
                     (uintmax_t)tensor->bytes, (uintmax_t)tensor->offset, size);
}

/* In the order of their bytes, each begins behind the one before. *end: behind the last. */
static yoke_status check_overlap(const gguf_cursor *c, const yoke_file *file, size_t first,
                                 size_t *end, yoke_error *err)
{
    const yoke_tensor **order = file_by_offset(file, first);
    if (!order)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its tensors", c->path);
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < file->tensor_count - first && status == YOKE_OK; i++) {
        if (order[i]->bytes == 0)
            continue;
        if (order[i]->offset < *end)
            status = data_fail(c, order[i], err,
                               "byte %ju lies in another tensor, which ends at byte %zu",
                               (uintmax_t)order[i]->offset, *end);
        *end = (size_t)(order[i]->offset + order[i]->bytes);
    }
    free(order);
    return status;
}

/* Padding may follow, but not another file: that is what parts joined by cat look like. */
static yoke_status check_rest(const gguf_cursor *c, size_t end, size_t alignment, yoke_error *err)
{
    size_t padded;
    if (!size_add(end, (alignment - end % alignment) % alignment, &padded) ||
        padded >= c->map->size || c->map->size - padded < 4 ||
        memcmp(c->map->bytes + padded, "GGUF", 4) != 0)
        return YOKE_OK;
    return gguf_fail(c, "rest of the file", padded, err,
                     "another GGUF file begins here: were parts joined byte by byte?");
}

static yoke_status read_tensors(gguf_cursor *c, yoke_file *file, const gguf_header *header,
                                yoke_error *err)
{
    size_t first = file->tensor_count, start;
    yoke_status status = YOKE_OK;
    for (uint64_t i = 0; i < header->tensor_count && status == YOKE_OK; i++)
        status = read_tensor(c, file, header->alignment, err);
    if (status != YOKE_OK)
        return status;
    if (!size_add(c->at, (header->alignment - c->at % header->alignment) % header->alignment,
                  &start))
        return gguf_fail(c, "start of the data", c->at, err, "it overflows");
    for (size_t i = first; i < file->tensor_count && status == YOKE_OK; i++)
        status = place_tensor(c, &file->tensors[i].seen, start, err);
    size_t end = start;
    if (status == YOKE_OK)
        status = check_overlap(c, file, first, &end, err);
    return status == YOKE_OK ? check_rest(c, end, header->alignment, err) : status;
}

yoke_status gguf_read_part(yoke_file *file, gguf_split *split, yoke_error *err)
{
    const file_part *part = &file->parts[file->part_count - 1];
    gguf_cursor c = {.map = &part->map, .path = part->path};
    gguf_header header;
    yoke_status status = gguf_read_header(&c, &header, err);
    if (status == YOKE_OK)
        status = read_tensors(&c, file, &header, err);
    *split = header.split;
    snprintf(file->kind, sizeof file->kind, "gguf v%u", (unsigned)header.version);
    return status;
}

yoke_status gguf_read(yoke_file *file, yoke_error *err)
{
    gguf_split split;
    yoke_status status = gguf_read_part(file, &split, err);
    return status == YOKE_OK ? gguf_split_check(file, &split, err) : status;
}
