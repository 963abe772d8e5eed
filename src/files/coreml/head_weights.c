#include "files/coreml/head_weights.h"

#include "base/size.h"
#include "files/coreml/blob.h"
#include "files/coreml/created.h"

/* Rows are made and written so many bytes at a time: that often a stop is seen. */
#define SLAB_BYTES ((size_t)1 << 20)

typedef struct writer {
    const head_layout *layout;
    const yoke_coreml_head *head;
    created file;
    yoke_matrix slab; /* of whole palettes */
} writer;

static yoke_status write_metadata(const writer *w, const head_blob *of, uint64_t moved,
                                  yoke_error *err)
{
    uint8_t metadata[BLOB_METADATA_BYTES];
    uint64_t at = of->offset + moved;
    blob_write_metadata(metadata, of->element, of->bytes, at);
    return created_write(&w->file, metadata, sizeof metadata, at, err);
}

/* Rows [row, row + rows->rows) of a part. */
static yoke_status write_rows(const writer *w, size_t part, size_t row, yoke_matrix *rows,
                              yoke_error *err)
{
    const head_layout *l = w->layout;
    uint64_t moved = part * l->part_bytes;
    size_t bytes;
    yoke_status status =
        yoke_matrix_fill_random_rows(rows, part * l->rows + row, w->head->seed, err);
    if (status == YOKE_OK)
        status = yoke_format_bytes(rows->format, rows->rows, rows->cols, &bytes, err);
    if (status != YOKE_OK)
        return status;
    uint64_t at = l->weight.offset + BLOB_METADATA_BYTES + moved + bytes / rows->rows * row;
    status = created_write(&w->file, rows->data, bytes, at, err);
    if (status != YOKE_OK || l->palette_rows == 0)
        return status;
    size_t entry = yoke_format_get(l->format)->table_bytes;
    size_t table = rows->rows / l->palette_rows * entry;
    at = l->palette.offset + BLOB_METADATA_BYTES + moved + row / l->palette_rows * entry;
    return created_write(&w->file, rows->table, table, at, err);
}

static yoke_status write_part(const writer *w, size_t part, yoke_error *err)
{
    const head_layout *l = w->layout;
    uint64_t moved = part * l->part_bytes;
    yoke_status status = write_metadata(w, &l->weight, moved, err);
    if (status == YOKE_OK && l->palette_rows > 0)
        status = write_metadata(w, &l->palette, moved, err);
    for (size_t row = 0; row < l->rows && status == YOKE_OK; row += w->slab.rows) {
        yoke_matrix rows = yoke_matrix_rows(&w->slab, 0, size_min(w->slab.rows, l->rows - row));
        if (w->head->stop && *w->head->stop)
            return yoke_error_set(err, YOKE_ERR_INTERRUPTED,
                                  "writing the weights: stopped on "
                                  "request");
        status = write_rows(w, part, row, &rows, err);
    }
    return status;
}

static yoke_status write_all(const writer *w, yoke_error *err)
{
    uint8_t header[BLOB_HEADER_BYTES];
    size_t blobs = w->layout->parts * (w->layout->palette_rows ? 2 : 1);
    blob_write_header(header, (uint32_t)blobs);
    yoke_status status = created_write(&w->file, header, sizeof header, 0, err);
    for (size_t i = 0; i < w->layout->parts && status == YOKE_OK; i++)
        status = write_part(w, i, err);
    return status;
}

yoke_status head_weights_write(const head_layout *layout, const yoke_coreml_head *head,
                               const char *path, yoke_error *err)
{
    writer w = {.layout = layout, .head = head};
    size_t row_bytes = (size_t)layout->weight.bytes / layout->rows;
    size_t granule = layout->palette_rows ? layout->palette_rows : 1;
    size_t rows =
        size_min(layout->rows, size_round_up(size_ceil_div(SLAB_BYTES, row_bytes), granule));
    yoke_status status = yoke_matrix_create(layout->format, rows, layout->cols, &w.slab, err);
    if (status == YOKE_OK)
        status = created_open(&w.file, path, err);
    if (status == YOKE_OK)
        status = created_close(&w.file, write_all(&w, err), err);
    yoke_matrix_free(&w.slab);
    return status;
}
