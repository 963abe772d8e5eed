#include "engines/coreml/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "base/size.h"
#include "files/coreml/blob.h"
#include "matrix/table.h"

static bool find_elements(yoke_format format, mil_element *stored, mil_element *element)
{
    *element = MIL_FP16;
    switch (format) {
    case YOKE_F32: *stored = *element = MIL_FP32; return true;
    case YOKE_F16: *stored = MIL_FP16; return true;
    case YOKE_LUT1: *stored = MIL_UINT1; return true;
    case YOKE_LUT2: *stored = MIL_UINT2; return true;
    case YOKE_LUT3: *stored = MIL_UINT3; return true;
    case YOKE_LUT4: *stored = MIL_UINT4; return true;
    case YOKE_LUT6: *stored = MIL_UINT6; return true;
    case YOKE_LUT8: *stored = MIL_UINT8; return true;
    case YOKE_INT8: *stored = MIL_INT8; return true;
    default: return false;
    }
}

/* Is every row's scale a value of f16, and its zero one of int8? */
static bool scales_fit(const yoke_matrix *w)
{
    for (size_t row = 0; row < w->rows; row++) {
        float affine[2]; /* scale, zero */
        memcpy(affine, table_entry(w, row), sizeof affine);
        if (f16_to_f32(f16_from_f32(affine[0])) != affine[0] || rintf(affine[1]) != affine[1] ||
            fabsf(affine[1]) > INT8_MAX)
            return false;
    }
    return true;
}

/* The rows that share a palette; 0 when they do not divide the parts. */
static size_t shared_rows(const yoke_matrix *w)
{
    if (w->table_rows == 0)
        return w->rows;
    const bool whole =
        w->table_skip == 0 && COREML_PART_ROWS % w->table_rows == 0 && w->rows % w->table_rows == 0;
    return whole ? w->table_rows : 0;
}

static const char *obstacle(const yoke_matrix *w, coreml_layout *l)
{
    if (!find_elements(w->format, &l->stored, &l->element))
        return "not taken";
    if (w->format == YOKE_INT8 && !scales_fit(w))
        return "its scales or zeros are none of f16 and int8";
    l->palette_rows = coreml_layout_has_palettes(l) ? shared_rows(w) : 1;
    return l->palette_rows == 0 ? "its palettes do not serve whole parts" : NULL;
}

size_t coreml_layout_palettes(const coreml_layout *l, const coreml_part *part)
{
    return size_ceil_div(part->rows, l->palette_rows);
}

/* A blob of so many bytes at *end, which moves on; its offset. */
static uint64_t place(uint64_t *end, uint64_t bytes)
{
    const uint64_t at = *end;
    *end += BLOB_METADATA_BYTES + (bytes + BLOB_ALIGNMENT - 1) / BLOB_ALIGNMENT * BLOB_ALIGNMENT;
    return at;
}

static void place_parts(coreml_layout *l, size_t row_bytes)
{
    uint64_t end = BLOB_HEADER_BYTES;
    for (size_t i = 0; i < l->count; i++) {
        coreml_part *part = &l->parts[i];
        part->begin = i * COREML_PART_ROWS;
        part->rows = size_min(COREML_PART_ROWS, l->rows - part->begin);
        part->values = place(&end, (uint64_t)row_bytes * part->rows);
        if (coreml_layout_has_palettes(l))
            part->table = place(&end, coreml_layout_palettes(l, part) *
                                          yoke_format_get(l->format)->table_bytes);
        if (l->format == YOKE_INT8) {
            part->table = place(&end, part->rows * sizeof(uint16_t));
            part->zeros = place(&end, part->rows);
        }
    }
    l->file_bytes = end;
}

yoke_status coreml_layout_make(const yoke_matrix *w, coreml_layout **out, yoke_error *err)
{
    size_t row_bytes, whole;
    yoke_status status = yoke_format_bytes(w->format, 1, w->cols, &row_bytes, err);
    if (status != YOKE_OK)
        return status;
    if (!size_mul(row_bytes, w->rows, &whole) || whole > INT64_MAX / 4)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "engine coreml: w is too large");
    const size_t count = size_ceil_div(w->rows, COREML_PART_ROWS);
    coreml_layout *l = calloc(1, sizeof *l + count * sizeof l->parts[0]);
    if (!l)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine coreml: preparing w: out of memory");
    *l = (coreml_layout){.format = w->format, .rows = w->rows, .k = w->cols, .count = count};
    const char *why = obstacle(w, l);
    if (why) {
        free(l);
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine coreml: prepare: w is %s: %s",
                              yoke_format_get(w->format)->name, why);
    }
    place_parts(l, row_bytes);
    *out = l;
    return YOKE_OK;
}
