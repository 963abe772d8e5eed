#include <string.h>

#include "base/half.h"
#include "base/size.h"
#include "engines/cpu/kernels.h"

static float y_load(yoke_format format, const char *at)
{
    uint16_t half;
    float value;
    if (format == YOKE_F32) {
        memcpy(&value, at, 4);
        return value;
    }
    memcpy(&half, at, 2);
    return format == YOKE_F16 ? f16_to_f32(half) : bf16_to_f32(half);
}

static void y_save(yoke_format format, char *at, float value)
{
    if (format == YOKE_F32) {
        memcpy(at, &value, 4);
        return;
    }
    uint16_t half = format == YOKE_F16 ? f16_from_f32(value) : bf16_from_f32(value);
    memcpy(at, &half, 2);
}

void product_store(const product *p, size_t row, size_t rows, size_t col, size_t cols,
                   const float *c, size_t c_stride)
{
    const yoke_matrix *y = p->y;
    if (row >= p->m || col >= y->cols)
        return;
    rows = size_min(rows, p->m - row);
    cols = size_min(cols, y->cols - col);
    size_t bytes = yoke_format_get(y->format)->block_bytes;
    for (size_t r = 0; r < rows; r++, c += c_stride) {
        char *to = (char *)y->data + ((p->y_row + row + r) * yoke_matrix_stride(y) + col) * bytes;
        if (y->format == YOKE_F32 && p->alpha == 1 && p->beta == 0) {
            memcpy(to, c, cols * sizeof *c);
            continue;
        }
        for (size_t n = 0; n < cols; n++, to += bytes) {
            float value = p->alpha * c[n];
            if (p->beta != 0)
                value += p->beta * y_load(y->format, to);
            y_save(y->format, to, value);
        }
    }
}
