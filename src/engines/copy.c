#include "engines/copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static yoke_status copy_as_f32(const yoke_matrix *w, yoke_matrix *made, yoke_matrix **copy,
                               yoke_prepare_report *report, yoke_error *err)
{
    yoke_status status = yoke_matrix_create(YOKE_F32, w->rows, w->cols, made, err);
    if (status == YOKE_OK)
        status = yoke_matrix_convert(w, made, err);
    if (status != YOKE_OK) {
        yoke_matrix_free(made);
        free(made);
        return status;
    }
    report->format = YOKE_F32;
    report->prepared_bytes = yoke_matrix_bytes(made);
    report->copied_bytes = yoke_matrix_bytes(w);
    snprintf(report->layout, sizeof report->layout, "rows of f32");
    *copy = made;
    return YOKE_OK;
}

yoke_status copy_create(const yoke_matrix *w, yoke_matrix **copy, yoke_prepare_report *report,
                        yoke_error *err)
{
    yoke_matrix *made = malloc(sizeof *made);
    if (!made)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "copying w: out of memory");
    if (yoke_format_get(w->format)->table_bytes > 0) /* its table may be shared in any way */
        return copy_as_f32(w, made, copy, report, err);
    yoke_status status = yoke_matrix_create(w->format, w->rows, w->cols, made, err);
    if (status != YOKE_OK) {
        free(made);
        return status;
    }
    const yoke_format_info *format = yoke_format_get(w->format);
    size_t row_bytes = w->cols / format->block * format->block_bytes;
    size_t stride_bytes = yoke_matrix_stride(w) / format->block * format->block_bytes;
    for (size_t row = 0; row < w->rows; row++)
        memcpy((char *)made->data + row * row_bytes, (const char *)w->data + row * stride_bytes,
               row_bytes);

    report->format = w->format;
    report->prepared_bytes = report->copied_bytes = (uint64_t)row_bytes * w->rows;
    snprintf(report->layout, sizeof report->layout, "rows as stored");
    *copy = made;
    return YOKE_OK;
}

void copy_free(yoke_matrix *copy)
{
    yoke_matrix_free(copy);
    free(copy);
}

uint64_t copy_readable_formats(void)
{
    uint64_t formats = 0;
    for (unsigned f = 0; f < YOKE_FORMAT_COUNT; f++)
        if (yoke_format_get((yoke_format)f)->readable &&
            yoke_format_get((yoke_format)f)->table_bytes == 0)
            formats |= (uint64_t)1 << f;
    return formats;
}
