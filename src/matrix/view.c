#include "matrix/view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/size.h"
#include "matrix/table.h"

/* From here on matrices lie on pages of their own, untouched until used; smaller ones come from
 * malloc, where checkers see what is written past their end. */
#define MAPPED_FROM_BYTES ((size_t)2 << 20)
#define ALIGNMENT_BYTES   ((size_t)64)

size_t yoke_matrix_stride(const yoke_matrix *matrix)
{
    return matrix->stride ? matrix->stride : matrix->cols;
}

static bool view_is_empty(const yoke_matrix *matrix)
{
    return matrix->rows == 0 || matrix->cols == 0;
}

/* Whether the bytes from the first element to the last, and the number of elements, fit size_t. */
static bool view_extent_fits(const yoke_matrix *matrix, const yoke_format_info *info)
{
    size_t elements, bytes;
    return view_is_empty(matrix) ||
           (size_mul(matrix->rows - 1, yoke_matrix_stride(matrix), &elements) &&
            size_add(elements, matrix->cols, &elements) &&
            size_mul(elements / info->block, info->block_bytes, &bytes));
}

yoke_status yoke_matrix_validate(const yoke_matrix *matrix, const char *what, yoke_error *err)
{
    if (!what)
        what = "matrix";
    if (!matrix)
        return yoke_error_set(err, YOKE_ERR_USAGE, "%s is NULL", what);
    const yoke_format_info *info = yoke_format_get(matrix->format);
    if (info->block_bytes == 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%s: %d is no matrix format", what,
                              (int)matrix->format);
    if (matrix->cols % info->block != 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "%s: %zu columns are not whole %s blocks of %zu elements", what,
                              matrix->cols, info->name, info->block);
    if (matrix->stride % info->block != 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "%s: a stride of %zu is not whole %s blocks of %zu elements", what,
                              matrix->stride, info->name, info->block);
    if (yoke_matrix_stride(matrix) < matrix->cols)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%s: a stride of %zu is less than %zu columns",
                              what, matrix->stride, matrix->cols);
    if (!matrix->data && !view_is_empty(matrix))
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%s: data is NULL", what);
    if (info->table_bytes > 0 && !matrix->table && !view_is_empty(matrix))
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%s: %s without a table", what, info->name);
    if (!view_extent_fits(matrix, info))
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "%s: %zu x %zu elements of %s, stride %zu, do not fit memory", what,
                              matrix->rows, matrix->cols, info->name, matrix->stride);
    return YOKE_OK;
}

yoke_matrix yoke_matrix_rows(const yoke_matrix *matrix, size_t begin, size_t count)
{
    assert(begin <= matrix->rows && count <= matrix->rows - begin);
    yoke_matrix view = *matrix;
    view.rows = count;
    if (count > 0 && matrix->cols > 0)
        view.data = view_block(matrix, begin, 0);
    if (matrix->table && matrix->table_rows > 0) {
        view.table = (void *)table_entry(matrix, begin);
        view.table_skip = (matrix->table_skip + begin) % matrix->table_rows;
    }
    return view;
}

size_t yoke_matrix_bytes(const yoke_matrix *matrix)
{
    const yoke_format_info *info = yoke_format_get(matrix->format);
    size_t bytes = 0;
    yoke_format_bytes(matrix->format, matrix->rows, matrix->cols, &bytes, NULL);
    return bytes + (info->table_bytes ? table_entries(matrix) * info->table_bytes : 0);
}

/* The table of a matrix that yoke_matrix_create made lies behind its elements. */
static yoke_status lay_out(yoke_matrix *matrix, size_t *table_at, size_t *bytes, yoke_error *err)
{
    const yoke_format_info *info = yoke_format_get(matrix->format);
    yoke_status status = yoke_format_bytes(matrix->format, matrix->rows, matrix->cols, bytes, err);
    if (status != YOKE_OK || info->table_bytes == 0)
        return status;
    bool fits = size_add(*bytes, ALIGNMENT_BYTES - 1, table_at);
    *table_at -= *table_at % ALIGNMENT_BYTES;
    matrix->table_rows = matrix->format == YOKE_INT4 || matrix->format == YOKE_INT8 ? 1 : 8;
    size_t table;
    if (!fits || !size_mul(table_entries(matrix), info->table_bytes, &table) ||
        !size_add(*table_at, table, bytes))
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%zu x %zu elements of %s do not fit memory",
                              matrix->rows, matrix->cols, info->name);
    return YOKE_OK;
}

static void *create_data(size_t bytes)
{
    if (bytes >= MAPPED_FROM_BYTES)
        return memory_map(bytes);
    void *data = NULL;
    if (posix_memalign(&data, ALIGNMENT_BYTES, bytes) != 0)
        return NULL;
    return memset(data, 0, bytes);
}

yoke_status yoke_matrix_create(yoke_format format, size_t rows, size_t cols, yoke_matrix *matrix,
                               yoke_error *err)
{
    if (!matrix)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_matrix_create: matrix is NULL");
    yoke_matrix made = {.format = format, .rows = rows, .cols = cols, .stride = cols};
    size_t bytes, table_at = 0;
    yoke_status status = lay_out(&made, &table_at, &bytes, err);
    if (status != YOKE_OK)
        return status;
    made.data = bytes ? create_data(bytes) : NULL;
    if (bytes && !made.data)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for %zu x %zu %s (%zu bytes)", rows,
                              cols, yoke_format_get(format)->name, bytes);
    if (made.data && yoke_format_get(format)->table_bytes > 0)
        made.table = (char *)made.data + table_at;
    *matrix = made;
    return YOKE_OK;
}

void yoke_matrix_free(yoke_matrix *matrix)
{
    if (!matrix)
        return;
    size_t bytes, table_at;
    if (matrix->data && lay_out(matrix, &table_at, &bytes, NULL) == YOKE_OK) {
        if (bytes >= MAPPED_FROM_BYTES)
            memory_unmap(matrix->data, bytes);
        else
            free(matrix->data);
    }
    *matrix = (yoke_matrix){0};
}
