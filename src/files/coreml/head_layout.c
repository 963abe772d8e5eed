#include "files/coreml/head_layout.h"

#include "base/size.h"
#include "files/coreml/blob.h"

static bool element_of(yoke_format format, mil_element *element)
{
    switch (format) {
    case YOKE_F16: *element = MIL_FP16; return true;
    case YOKE_LUT1: *element = MIL_UINT1; return true;
    case YOKE_LUT2: *element = MIL_UINT2; return true;
    case YOKE_LUT3: *element = MIL_UINT3; return true;
    case YOKE_LUT4: *element = MIL_UINT4; return true;
    case YOKE_LUT6: *element = MIL_UINT6; return true;
    case YOKE_LUT8: *element = MIL_UINT8; return true;
    default: return false;
    }
}

/* A blob at `offset`, metadata and data; *end is where the next one may begin. */
static bool place(head_blob *placed, uint64_t offset, uint64_t *end)
{
    placed->offset = offset;
    if (__builtin_add_overflow(offset + BLOB_METADATA_BYTES + BLOB_ALIGNMENT - 1, placed->bytes,
                               end))
        return false;
    *end -= *end % BLOB_ALIGNMENT;
    return true;
}

yoke_status head_layout_make(const yoke_coreml_head *head, head_layout *out, yoke_error *err)
{
    const yoke_format_info *info = yoke_format_get(head->format);
    size_t parts = head->parts ? head->parts : 8, bytes, whole;
    head_layout made = {.parts = parts,
                        .rows = head->outputs / parts,
                        .cols = head->inputs,
                        .format = head->format,
                        .palette_rows = info->table_bytes ? 8 : 0};
    if (!element_of(head->format, &made.weight.element))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "%s is no format that heads are written in", info->name);
    size_t granule = made.palette_rows ? made.palette_rows : 1;
    if (made.rows == 0 || made.cols == 0 || head->outputs % parts != 0 || made.rows % granule != 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "a %s head of %zu by %zu is not %zu parts of a multiple of %zu "
                              "outputs each",
                              info->name, head->outputs, head->inputs, parts, granule);
    yoke_status status = yoke_format_bytes(head->format, made.rows, made.cols, &bytes, err);
    if (status != YOKE_OK)
        return status;
    made.weight.bytes = bytes;
    made.palette =
        (head_blob){.element = MIL_FP16, .bytes = made.rows / granule * info->table_bytes};
    uint64_t last = made.weight.bytes, end;
    bool fits = place(&made.weight, BLOB_HEADER_BYTES, &end);
    if (fits && made.palette.bytes > 0) {
        last = made.palette.bytes;
        fits = place(&made.palette, end, &end);
    }
    made.part_bytes = end - BLOB_HEADER_BYTES;
    if (!fits || !size_mul((size_t)made.part_bytes, parts, &whole) || whole > INT64_MAX / 2)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "a head of %zu by %zu is too large",
                              head->outputs, head->inputs);
    uint64_t padding = (BLOB_ALIGNMENT - last % BLOB_ALIGNMENT) % BLOB_ALIGNMENT;
    made.file_bytes = BLOB_HEADER_BYTES + whole - padding;
    *out = made;
    return YOKE_OK;
}

yoke_status yoke_coreml_head_bytes(const yoke_coreml_head *head, uint64_t *bytes, yoke_error *err)
{
    head_layout layout = {0};
    if (!head || !bytes)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_coreml_head_bytes: an argument is NULL");
    yoke_status status = head_layout_make(head, &layout, err);
    if (status == YOKE_OK)
        *bytes = layout.file_bytes;
    return status;
}
