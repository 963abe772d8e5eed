#include "engines/coreml/weights.h"

#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "base/size.h"
#include "files/coreml/blob.h"
#include "files/coreml/created.h"
#include "matrix/table.h"

typedef struct writer {
    const coreml_layout *layout;
    const yoke_matrix *w;
    created file;
} writer;

static yoke_status write_metadata(const writer *to, mil_element element, uint64_t at,
                                  uint64_t bytes, yoke_error *err)
{
    uint8_t metadata[BLOB_METADATA_BYTES];
    blob_write_metadata(metadata, element, bytes, at);
    return created_write(&to->file, metadata, sizeof metadata, at, err);
}

static yoke_status write_blob(const writer *to, mil_element element, uint64_t at, const void *data,
                              size_t bytes, yoke_error *err)
{
    yoke_status status = write_metadata(to, element, at, bytes, err);
    return status == YOKE_OK ? created_write(&to->file, data, bytes, at + BLOB_METADATA_BYTES, err)
                             : status;
}

/* Without the gaps that there may be between rows. */
static yoke_status write_values(const writer *to, const coreml_part *part, yoke_error *err)
{
    const yoke_format_info *format = yoke_format_get(to->w->format);
    const size_t row_bytes = to->w->cols / format->block * format->block_bytes;
    const size_t stride = yoke_matrix_stride(to->w) / format->block * format->block_bytes;
    const char *from = (const char *)to->w->data + part->begin * stride;
    if (stride == row_bytes)
        return write_blob(to, to->layout->stored, part->values, from, row_bytes * part->rows, err);
    yoke_status status =
        write_metadata(to, to->layout->stored, part->values, (uint64_t)row_bytes * part->rows, err);
    uint64_t at = part->values + BLOB_METADATA_BYTES;
    for (size_t row = 0; row < part->rows && status == YOKE_OK; row++, at += row_bytes)
        status = created_write(&to->file, from + row * stride, row_bytes, at, err);
    return status;
}

static yoke_status write_palettes(const writer *to, const coreml_part *part, yoke_error *err)
{
    const size_t count = coreml_layout_palettes(to->layout, part);
    const size_t bytes = count * yoke_format_get(to->w->format)->table_bytes;
    return write_blob(to, MIL_FP16, part->table, table_entry(to->w, part->begin), bytes, err);
}

/* A scale and a zero for each row. */
static yoke_status write_scales(const writer *to, const coreml_part *part, yoke_error *err)
{
    uint16_t *scales = malloc(part->rows * sizeof *scales);
    int8_t *zeros = malloc(part->rows);
    yoke_status status = YOKE_OK;
    if (!scales || !zeros)
        status = yoke_error_set(err, YOKE_ERR_MEMORY, "engine coreml: preparing w: out of memory");
    for (size_t row = 0; row < part->rows && status == YOKE_OK; row++) {
        float affine[2];
        memcpy(affine, table_entry(to->w, part->begin + row), sizeof affine);
        scales[row] = f16_from_f32(affine[0]);
        zeros[row] = (int8_t)affine[1];
    }
    if (status == YOKE_OK)
        status = write_blob(to, MIL_FP16, part->table, scales, part->rows * sizeof *scales, err);
    if (status == YOKE_OK)
        status = write_blob(to, MIL_INT8, part->zeros, zeros, part->rows, err);
    free(scales);
    free(zeros);
    return status;
}

static yoke_status write_part(const writer *to, const coreml_part *part, yoke_error *err)
{
    yoke_status status = write_values(to, part, err);
    if (status == YOKE_OK && coreml_layout_has_palettes(to->layout))
        status = write_palettes(to, part, err);
    if (status == YOKE_OK && to->layout->format == YOKE_INT8)
        status = write_scales(to, part, err);
    return status;
}

static yoke_status write_all(const writer *to, yoke_error *err)
{
    const coreml_layout *l = to->layout;
    const size_t blobs = coreml_layout_has_palettes(l) ? 2 : l->format == YOKE_INT8 ? 3 : 1;
    uint8_t header[BLOB_HEADER_BYTES];
    blob_write_header(header, (uint32_t)(l->count * blobs));
    yoke_status status = created_write(&to->file, header, sizeof header, 0, err);
    for (size_t i = 0; i < l->count && status == YOKE_OK; i++)
        status = write_part(to, &l->parts[i], err);
    return status;
}

yoke_status coreml_weights_write(const coreml_layout *l, const yoke_matrix *w, const char *path,
                                 yoke_error *err)
{
    writer to = {.layout = l, .w = w};
    yoke_status status = created_open(&to.file, path, err);
    return status == YOKE_OK ? created_close(&to.file, write_all(&to, err), err) : status;
}
