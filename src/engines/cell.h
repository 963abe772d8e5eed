/* One element of a result, for engines that are not in a hurry. */
#ifndef ENGINES_CELL_H
#define ENGINES_CELL_H

#include "yoke/matrix.h"

/* Rounds value to y's format (f32, f16 or bf16) and stores it. */
static inline yoke_status cell_write(const yoke_matrix *y, size_t row, size_t col, float value,
                                     yoke_error *err)
{
    size_t offset = (row * yoke_matrix_stride(y) + col) * yoke_format_get(y->format)->block_bytes;
    const yoke_matrix from = {.format = YOKE_F32, .rows = 1, .cols = 1, .data = &value};
    yoke_matrix to = {.format = y->format, .rows = 1, .cols = 1, .data = (char *)y->data + offset};
    return yoke_matrix_convert(&from, &to, err);
}

#endif
