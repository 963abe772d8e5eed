/* x as int8 with one scale for each 32 elements, for the paths that pack it so. */
#ifndef CPU_PACK_X_INT8_H
#define CPU_PACK_X_INT8_H

#include <math.h>
#include <string.h>

#include "base/half.h"
#include "base/size.h"
#include "engines/cpu/layout.h"

#define X_INT8_BLOCK   ((size_t)32)
#define X_INT8_LARGEST 127

/* Of a packed row: padding may fill the last one, or more. */
static inline size_t x_int8_blocks(const layout *l)
{
    return size_ceil_div(layout_padded_k(l), X_INT8_BLOCK);
}

static inline uint32_t x_int8_largest_bits(const float *values)
{
    uint32_t largest = 0; /* compared as integers, a NaN is larger than infinity and not lost */
    for (size_t i = 0; i < X_INT8_BLOCK; i++) {
        uint32_t bits = float_to_bits(values[i]) & 0x7fffffffu;
        largest = bits > largest ? bits : largest;
    }
    return largest;
}

/* Quantises one block: scale = max|v| / 127, q = round to nearest even of v / scale. Returns the
 * scale.
 *
 * A block with a NaN has scale NaN, and one with an infinity has scale infinity and q = +-1 for the
 * infinite ones alone, so that both reach every sum they belong to. */
static inline float x_int8_quantise(const float *values, int8_t *q)
{
    uint32_t largest = x_int8_largest_bits(values);
    float scale = float_from_bits(largest) / X_INT8_LARGEST;
    if (largest >= 0x7f800000u) {
        for (size_t i = 0; i < X_INT8_BLOCK; i++)
            q[i] = (int8_t)((values[i] > 3.4028235e38f) - (values[i] < -3.4028235e38f));
        if (largest > 0x7f800000u)
            memset(q, 0, X_INT8_BLOCK);
        return scale;
    }
    if (scale == 0.0f) {
        memset(q, 0, X_INT8_BLOCK);
        return 0.0f;
    }
    for (size_t i = 0; i < X_INT8_BLOCK; i++) {
        int32_t v = (int32_t)rintf(values[i] / scale);
        v = v > X_INT8_LARGEST ? X_INT8_LARGEST : v; /* a subnormal scale is a coarse one */
        v = v < -X_INT8_LARGEST ? -X_INT8_LARGEST : v;
        q[i] = (int8_t)v;
    }
    return scale;
}

static inline int32_t x_int8_sum(const int8_t *q)
{
    int32_t sum = 0;
    for (size_t i = 0; i < X_INT8_BLOCK; i++)
        sum += q[i];
    return sum;
}

/* Blocks read with one call. */
#define X_INT8_RUN ((size_t)16)

/* Quantises block `block` of row `row`, zeros past the end of the row. Blocks are asked for in
 * ascending order: `run` keeps the values of X_INT8_RUN of them. Returns the scale. */
static inline float x_read_int8(const yoke_matrix *x, size_t row, size_t block, float *run,
                                int8_t *q)
{
    if (block % X_INT8_RUN == 0) {
        size_t col = size_min(block * X_INT8_BLOCK, x->cols);
        size_t count = size_min(X_INT8_RUN * X_INT8_BLOCK, x->cols - col);
        (void)yoke_matrix_read(x, row, col, count, run, NULL); /* checked before */
        memset(run + count, 0, (X_INT8_RUN * X_INT8_BLOCK - count) * sizeof *run);
    }
    return x_int8_quantise(run + block % X_INT8_RUN * X_INT8_BLOCK, q);
}

#endif
