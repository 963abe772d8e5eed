#include "engines/ane/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/coreml/blob.h"

enum { PART_GRANULE = 64 }; /* of rows where w is cut: whole palettes */

static size_t palette_bytes(const ane_encoding *e, size_t padded)
{
    if (e->kind != ANE_LUT)
        return 0;
    const size_t groups = e->palette_rows ? padded / e->palette_rows : 1;
    return groups * ((size_t)2 << e->bits);
}

/* A blob at the end of the file. */
static bool place(size_t *file_bytes, size_t bytes, size_t *at)
{
    *at = *file_bytes;
    if (!size_add(bytes, BLOB_METADATA_BYTES + *file_bytes, &bytes) ||
        bytes > SIZE_MAX - BLOB_ALIGNMENT)
        return false;
    *file_bytes = size_round_up(bytes, BLOB_ALIGNMENT);
    return true;
}

static bool place_part(const ane_encoding *e, ane_group *g, ane_part *part)
{
    size_t bytes;
    if (!size_mul(part->padded, ane_encoding_row_bytes(e, g->k_padded), &bytes) ||
        !place(&g->file_bytes, bytes, &part->weight_at))
        return false;
    if (e->kind == ANE_LUT)
        return place(&g->file_bytes, palette_bytes(e, part->padded), &part->palette_at);
    return e->kind != ANE_INT8 || e->zero_shared ||
           place(&g->file_bytes, part->padded, &part->zeros_at);
}

static bool fill_group(const ane_options *options, const ane_encoding *e, size_t part_rows,
                       ane_group *g)
{
    g->file_bytes = options->surface ? 0 : BLOB_HEADER_BYTES;
    for (size_t done = 0; done < g->count; done += part_rows) {
        const size_t count = size_min(part_rows, g->count - done);
        ane_part *part = &g->parts[g->part_count++];
        const size_t granule = e->palette_rows > ANE_GRANULE ? e->palette_rows : ANE_GRANULE;
        *part = (ane_part){g->begin + done, count, size_round_up(count, granule), 0, 0, 0};
        if (!options->surface && !place_part(e, g, part))
            return false;
    }
    return true;
}

/* Rows of a part, the same for all but the last: outputs of one size. */
static size_t rows_of_parts(const ane_options *options, const ane_encoding *e, size_t k_padded)
{
    const size_t row_bytes = ane_encoding_row_bytes(e, k_padded);
    size_t most = size_min(options->part_rows, options->program_bytes / row_bytes);
    most = most < PART_GRANULE ? PART_GRANULE : most / PART_GRANULE * PART_GRANULE;
    const size_t parts = size_ceil_div(e->w->rows, most);
    return size_round_up(size_ceil_div(e->w->rows, parts), PART_GRANULE);
}

static size_t parts_of_groups(const ane_options *options, const ane_encoding *e, size_t part_rows,
                              size_t k_padded)
{
    const size_t fit = options->program_bytes / part_rows / ane_encoding_row_bytes(e, k_padded);
    const size_t most = options->surface ? 1 : size_min(options->parts, fit);
    return most ? most : 1;
}

yoke_status ane_layout_make(const ane_options *options, const ane_encoding *e, ane_layout *out,
                            yoke_error *err)
{
    const size_t n = e->w->rows, k = e->w->cols;
    const size_t ranges = size_ceil_div(k, options->axis);
    const size_t range = size_round_up(size_ceil_div(k, ranges), ANE_GRANULE);
    const size_t part_rows = rows_of_parts(options, e, range);
    const size_t group_rows = part_rows * parts_of_groups(options, e, part_rows, range);
    const size_t row_groups = size_ceil_div(n, group_rows);
    ane_layout made = {.ranges = ranges, .group_count = row_groups * ranges};
    made.groups = calloc(made.group_count, sizeof *made.groups);
    if (!made.groups)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: preparing w: out of memory");
    for (size_t i = 0; i < made.group_count; i++) {
        ane_group *g = &made.groups[i];
        g->begin = i / ranges * group_rows;
        g->count = size_min(group_rows, n - g->begin);
        g->k_begin = i % ranges * range;
        g->k_count = size_min(range, k - g->k_begin);
        g->k_padded = size_round_up(g->k_count, ANE_GRANULE);
        if (!fill_group(options, e, part_rows, g)) {
            ane_layout_free(&made);
            return yoke_error_set(err, YOKE_ERR_SHAPE, "engine ane: w of %zu by %zu is too large",
                                  n, k);
        }
    }
    made.most_rows = size_round_up(size_min(group_rows, n), PART_GRANULE);
    *out = made;
    return YOKE_OK;
}

void ane_layout_free(ane_layout *l)
{
    free(l->groups);
    *l = (ane_layout){.groups = NULL};
}

static void *write_metadata(uint8_t *file, mil_element element, size_t bytes, size_t at)
{
    blob_write_metadata(file + at, element, bytes, at);
    return file + at + BLOB_METADATA_BYTES;
}

/* One palette for all is of the form of ios16, whose indices are bytes. */
static mil_element index_element(const ane_encoding *e)
{
    if (e->kind == ANE_F16)
        return MIL_FP16;
    if (e->kind == ANE_INT8)
        return MIL_INT8;
    if (ane_encoding_has_one_palette(e))
        return MIL_UINT8;
    switch (e->bits) {
    case 1: return MIL_UINT1;
    case 2: return MIL_UINT2;
    case 3: return MIL_UINT3;
    case 4: return MIL_UINT4;
    case 6: return MIL_UINT6;
    default: return MIL_UINT8;
    }
}

static void write_tables(const ane_part *part, const ane_encoding *e, uint8_t *file)
{
    if (part->palette_at) {
        const size_t bytes = palette_bytes(e, part->padded), entry = (size_t)2 << e->bits;
        uint8_t *to = write_metadata(file, MIL_FP16, bytes, part->palette_at);
        const size_t step = e->palette_rows ? e->palette_rows : part->count;
        for (size_t row = 0; row < part->count; row += step, to += entry)
            ane_encoding_palette(e, part->begin + row, (uint16_t *)(void *)to);
    }
    if (part->zeros_at) {
        int8_t *to = write_metadata(file, MIL_INT8, part->padded, part->zeros_at);
        for (size_t row = 0; row < part->count; row++)
            to[row] = ane_encoding_zero(e, part->begin + row);
    }
}

static yoke_status write_part(const ane_group *g, const ane_part *part, const ane_encoding *e,
                              uint8_t *file, double *largest, yoke_error *err)
{
    const size_t row_bytes = ane_encoding_row_bytes(e, g->k_padded);
    uint8_t *to = write_metadata(file, index_element(e), part->padded * row_bytes, part->weight_at);
    for (size_t row = 0; row < part->count; row++, to += row_bytes) {
        double sum;
        yoke_status status =
            ane_encoding_write(e, part->begin + row, g->k_begin, g->k_count, to, &sum, err);
        if (status != YOKE_OK)
            return status;
        *largest = fmax(*largest, sum);
    }
    write_tables(part, e, file);
    return YOKE_OK;
}

bool ane_layout_move(ane_group *g, size_t *bytes)
{
    if (g->file_bytes == 0)
        return true;
    const size_t by = *bytes - BLOB_HEADER_BYTES;
    for (size_t i = 0; i < g->part_count; i++) {
        ane_part *part = &g->parts[i];
        part->weight_at += by;
        part->palette_at += part->palette_at ? by : 0;
        part->zeros_at += part->zeros_at ? by : 0;
    }
    return size_add(*bytes, g->file_bytes - BLOB_HEADER_BYTES, bytes);
}

yoke_status ane_layout_fill(const ane_group *g, const ane_encoding *e, void *file, uint32_t *blobs,
                            double *sum, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < g->part_count && g->file_bytes > 0 && status == YOKE_OK; i++) {
        const ane_part *part = &g->parts[i];
        *blobs += 1u + (part->palette_at != 0) + (part->zeros_at != 0);
        status = write_part(g, part, e, file, sum, err);
    }
    return status;
}
