/* Where elements lie in a view. */
#ifndef MATRIX_VIEW_H
#define MATRIX_VIEW_H

#include "yoke/matrix.h"

/* The first byte of the block that holds element (row, col) of a valid matrix. */
static inline unsigned char *view_block(const yoke_matrix *matrix, size_t row, size_t col)
{
    const yoke_format_info *info = yoke_format_get(matrix->format);
    size_t element = row * yoke_matrix_stride(matrix) + col;
    return (unsigned char *)matrix->data + element / info->block * info->block_bytes;
}

#endif
