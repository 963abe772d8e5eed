#include "engines/cpu/exact.h"

#include <string.h>

#include "base/half.h"
#include "base/size.h"

static float x_element(const yoke_matrix *x, const char *row, size_t k)
{
    uint16_t half;
    float value;
    switch (x->format) {
    case YOKE_F16: memcpy(&half, row + 2 * k, 2); return f16_to_f32(half);
    case YOKE_BF16: memcpy(&half, row + 2 * k, 2); return bf16_to_f32(half);
    default: memcpy(&value, row + 4 * k, 4); return value;
    }
}

void exact_pack_x(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to)
{
    float *out = to;
    size_t padded = layout_padded_k(l), bytes = yoke_format_get(x->format)->block_bytes;
    for (size_t r = 0; r < rows; r++) {
        const char *from = (const char *)x->data + (row + r) * yoke_matrix_stride(x) * bytes;
        for (size_t k = 0; k < l->k; k++)
            out[k * rows + r] = x_element(x, from, k);
        for (size_t k = l->k; k < padded; k++)
            out[k * rows + r] = 0;
    }
}
