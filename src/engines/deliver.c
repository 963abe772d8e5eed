#include "engines/deliver.h"

#include "base/size.h"

#define PIECE ((size_t)256) /* elements at a time, on the stack */

/* Elements [col, col + count) of a row. */
static yoke_status deliver_piece(const yoke_matrix *result, float alpha, float beta,
                                 const yoke_matrix *y, size_t row, size_t col, size_t count,
                                 yoke_error *err)
{
    float sums[PIECE], old[PIECE];
    yoke_status status = yoke_matrix_read(result, row, col, count, sums, err);
    if (status == YOKE_OK && beta != 0.0f)
        status = yoke_matrix_read(y, row, col, count, old, err);
    if (status != YOKE_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        sums[i] = beta != 0.0f ? alpha * sums[i] + beta * old[i] : alpha * sums[i];
    const size_t at = (row * yoke_matrix_stride(y) + col) * yoke_format_get(y->format)->block_bytes;
    const yoke_matrix from = {.format = YOKE_F32, .rows = 1, .cols = count, .data = sums};
    yoke_matrix to = {.format = y->format, .rows = 1, .cols = count, .data = (char *)y->data + at};
    return yoke_matrix_convert(&from, &to, err);
}

yoke_status deliver(const yoke_matrix *result, float alpha, float beta, const yoke_matrix *y,
                    yoke_error *err)
{
    yoke_matrix to = *y;
    if (alpha == 1.0f && beta == 0.0f)
        return yoke_matrix_convert(result, &to, err);
    yoke_status status = YOKE_OK;
    for (size_t row = 0; row < y->rows; row++)
        for (size_t col = 0; col < y->cols && status == YOKE_OK; col += PIECE)
            status = deliver_piece(result, alpha, beta, y, row, col, size_min(PIECE, y->cols - col),
                                   err);
    return status;
}
