#include "files/npy.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "files/bytes.h"
#include "files/npy_header.h"
#include "files/npy_layout.h"
#include "files/text.h"

enum { MAGIC_BYTES = 6, VERSION_BYTES = 2 };

typedef struct element_type {
    const char *name; /* what follows the byte order in descr */
    yoke_format format;
} element_type;

static const element_type TYPES[] = {
    {"f4", YOKE_F32}, {"f2", YOKE_F16}, {"f8", YOKE_F64}, {"b1", YOKE_BOOL},  {"u1", YOKE_U8},
    {"i1", YOKE_I8},  {"u2", YOKE_U16}, {"i2", YOKE_I16}, {"u4", YOKE_U32},   {"i4", YOKE_I32},
    {"u8", YOKE_U64}, {"i8", YOKE_I64}, {"c8", YOKE_C64}, {"c16", YOKE_C128},
};

typedef struct npy_data {
    size_t header_start, start; /* of the dictionary and of the elements */
    yoke_format format;
    bool swapped;
    npy_header header;
} npy_data;

static yoke_status YOKE_PRINTF(5, 6) npy_fail(const file_part *part, const char *field, size_t at,
                                              yoke_error *err, const char *format, ...)
{
    char why[192];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: %s, byte %zu: %s", part->path, field, at, why);
}

/* The version and the length of the header, 2 bytes in version 1 and 4 from version 2 on. */
static yoke_status read_preamble(const file_part *part, npy_data *data, yoke_error *err)
{
    const uint8_t *bytes = part->map.bytes;
    size_t size = part->map.size, at = MAGIC_BYTES + VERSION_BYTES;
    if (size < at)
        return npy_fail(part, "version", MAGIC_BYTES, err, "the file ends before it");
    unsigned major = bytes[MAGIC_BYTES], minor = bytes[MAGIC_BYTES + 1];
    if (major < 1 || major > 3 || minor != 0)
        return yoke_error_set(
            err, YOKE_ERR_UNSUPPORTED,
            "%s: version, byte %d: npy v%u.%u, but yoke reads v1.0, v2.0 and v3.0", part->path,
            MAGIC_BYTES, major, minor);
    size_t length_bytes = major == 1 ? 2 : 4;
    if (size - at < length_bytes)
        return npy_fail(part, "header length", at, err, "the file ends before it");
    size_t length = major == 1 ? bytes_u16(bytes + at) : bytes_u32(bytes + at);
    data->header_start = at + length_bytes;
    if (length > size - data->header_start) {
        return npy_fail(part, "header length", at, err,
                        "%zu, but the file ends after %zu more bytes", length,
                        size - data->header_start);
    }
    data->start = data->header_start + length;
    return YOKE_OK;
}

static yoke_status refuse_type(const file_part *part, const npy_data *data, yoke_error *err)
{
    const char *descr = data->header.descr;
    const char *name = descr + (*descr && strchr("<>=|", *descr) != NULL);
    const char *what = *name == 'O'                    ? "Python objects, which are never unpickled"
                       : *name && strchr("SUa", *name) ? "strings"
                       : *name && strchr("Mm", *name)  ? "dates or time spans"
                       : *name == 'V'                  ? "raw bytes without a type"
                                                       : NULL;
    if (what)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "%s: descr, byte %zu: '%s' is an array of %s", part->path,
                              data->header_start, descr, what);
    return npy_fail(part, "descr", data->header_start, err,
                    "'%s' is not an element type that yoke knows", descr);
}

static yoke_status read_type(const file_part *part, npy_data *data, yoke_error *err)
{
    const char *descr = data->header.descr;
    /* '<' little-endian, '>' big-endian, '=' and '|' as this machine has it. */
    bool has_order = *descr && strchr("<>=|", *descr);
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        if (strcmp(descr + has_order, TYPES[i].name) == 0) {
            data->format = TYPES[i].format;
            data->swapped = *descr == '>' && yoke_format_get(TYPES[i].format)->block_bytes > 1;
            return YOKE_OK;
        }
    }
    return refuse_type(part, data, err);
}

static yoke_status count_bytes(const file_part *part, const npy_data *data, size_t *bytes,
                               yoke_error *err)
{
    size_t elements, available = part->map.size - data->start;
    if (!file_shape_elements(data->header.shape, data->header.rank, &elements) ||
        !size_mul(elements, yoke_format_get(data->format)->block_bytes, bytes))
        return npy_fail(part, "shape", data->header_start, err, "its size overflows");
    if (*bytes <= available)
        return YOKE_OK;
    return npy_fail(part, "shape", data->header_start, err,
                    "%zu bytes from byte %zu on, but the file ends at byte %zu", *bytes,
                    data->start, part->map.size);
}

static yoke_status add_array(yoke_file *file, const file_part *part, const npy_data *data,
                             size_t bytes, yoke_error *err)
{
    const char *name = text_base_name(part->path);
    size_t length = strlen(name) - (text_ends_with(name, ".npy") ? strlen(".npy") : 0);
    bool utf8 = text_is_utf8(name, length);
    yoke_tensor tensor = {.name = utf8 ? name : "array",
                          .name_length = utf8 ? length : strlen("array"),
                          .format = data->format,
                          .type_name = data->header.descr,
                          .rank = data->header.rank,
                          .shape = data->header.shape,
                          .offset = data->start,
                          .bytes = bytes};
    return file_add_tensor(file, &tensor, data->header_start, err);
}

static yoke_status fill_copy(yoke_file *file, const file_tensor *tensor, void *copy,
                             yoke_error *err)
{
    (void)err;
    const npy_layout *layout = tensor->source;
    const uint8_t *stored = file->parts[tensor->part].map.bytes + tensor->seen.offset;
    npy_layout_copy(&tensor->seen, *layout, stored, copy);
    return YOKE_OK;
}

/* An array that is big-endian or in Fortran order is used as a copy. */
static yoke_status set_layout(yoke_file *file, const npy_data *data, yoke_error *err)
{
    npy_layout layout = {.swapped = data->swapped,
                         .fortran = data->header.fortran && data->header.rank > 1};
    if (!layout.swapped && !layout.fortran)
        return YOKE_OK;
    npy_layout *kept = arena_take(&file->arena, sizeof *kept);
    if (!kept)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its layout",
                              file->parts[0].path);
    *kept = layout;
    file->tensors[0].fill = fill_copy;
    file->tensors[0].source = kept;
    return YOKE_OK;
}

yoke_status npy_read(yoke_file *file, yoke_error *err)
{
    const file_part *part = &file->parts[file->part_count - 1];
    npy_data data;
    size_t bytes = 0;
    yoke_status status = read_preamble(part, &data, err);
    if (status == YOKE_OK)
        status = npy_header_parse((const char *)part->map.bytes + data.header_start,
                                  data.start - data.header_start, part->path, data.header_start,
                                  &data.header, err);
    if (status == YOKE_OK)
        status = read_type(part, &data, err);
    if (status == YOKE_OK)
        status = count_bytes(part, &data, &bytes, err);
    if (status != YOKE_OK)
        return status;
    snprintf(file->kind, sizeof file->kind, "npy v%u", (unsigned)part->map.bytes[MAGIC_BYTES]);
    status = add_array(file, part, &data, bytes, err);
    return status == YOKE_OK ? set_layout(file, &data, err) : status;
}
