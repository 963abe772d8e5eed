#include <string.h>

#include "base/size.h"
#include "matrix/view.h"
#include "matrix/wide.h"
#include "matrix/write.h"

/* Elements converted at a time: whole blocks of every format, small enough for the stack. */
#define CHUNK 1024

static void convert_wide_row(const yoke_matrix *src, yoke_matrix *dst, size_t row)
{
    double values[CHUNK];
    for (size_t col = 0; col < src->cols; col += CHUNK) {
        size_t n = size_min(CHUNK, src->cols - col);
        wide_read(src, row, col, n, values);
        write_from_f64(dst->format, view_block(dst, row, col), values, n);
    }
}

static void convert_row(const yoke_matrix *src, yoke_matrix *dst, size_t row)
{
    float values[CHUNK];
    for (size_t col = 0; col < src->cols; col += CHUNK) {
        size_t n = size_min(CHUNK, src->cols - col);
        void *to = view_block(dst, row, col);
        yoke_matrix_read(src, row, col, n, values, NULL);
        if (dst->format == YOKE_Q8_0)
            write_q8_0(to, values, n / 32);
        else if (dst->format == YOKE_Q4_0)
            write_q4_0(to, values, n / 32);
        else
            write_from_f32(dst->format, to, values, n);
    }
}

static void copy_row(const yoke_matrix *src, yoke_matrix *dst, size_t row)
{
    const yoke_format_info *info = yoke_format_get(src->format);
    memcpy(view_block(dst, row, 0), view_block(src, row, 0),
           src->cols / info->block * info->block_bytes);
}

static yoke_status convert_check(const yoke_matrix *src, const yoke_matrix *dst, yoke_error *err)
{
    yoke_status status = yoke_matrix_validate(src, "src", err);
    if (status == YOKE_OK)
        status = yoke_matrix_validate(dst, "dst", err);
    if (status != YOKE_OK)
        return status;
    if (src->rows != dst->rows || src->cols != dst->cols)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "src is %zu x %zu but dst is %zu x %zu",
                              src->rows, src->cols, dst->rows, dst->cols);
    const yoke_format_info *from = yoke_format_get(src->format), *to = yoke_format_get(dst->format);
    bool copies = src->format == dst->format && from->table_bytes == 0;
    if (!copies && !(from->readable && to->writable))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "%s cannot be converted to %s", from->name,
                              to->name);
    return YOKE_OK;
}

yoke_status yoke_matrix_convert(const yoke_matrix *src, yoke_matrix *dst, yoke_error *err)
{
    yoke_status status = convert_check(src, dst, err);
    if (status != YOKE_OK || src->cols == 0)
        return status;
    bool wide = wide_format(src->format) && write_supports(dst->format);
    for (size_t row = 0; row < src->rows; row++) {
        if (src->format == dst->format)
            copy_row(src, dst, row);
        else if (wide)
            convert_wide_row(src, dst, row);
        else
            convert_row(src, dst, row);
    }
    return YOKE_OK;
}
