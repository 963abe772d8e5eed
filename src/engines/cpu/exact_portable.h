/* The vocabulary of the exact kernels in plain C. */
#ifndef CPU_EXACT_PORTABLE_H
#define CPU_EXACT_PORTABLE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/half.h"

typedef struct lanes {
    float value[16];
} lanes;

#define ROW_BLOCK     4
#define TILE_PANELS_1 1
#define TILE_PANELS_2 1
#define TILE_PANELS_4 1

static inline lanes lanes_zero(void)
{
    return (lanes){{0}};
}

static inline lanes lanes_load(const float *from)
{
    lanes a;
    memcpy(a.value, from, sizeof a.value);
    return a;
}

static inline void lanes_store(float *to, lanes a)
{
    memcpy(to, a.value, sizeof a.value);
}

static inline lanes lanes_fma(lanes w, const float *x, lanes a)
{
    for (size_t n = 0; n < 16; n++)
        a.value[n] = fmaf(w.value[n], *x, a.value[n]);
    return a;
}

static inline lanes line_f32(const char *line)
{
    return lanes_load((const float *)line);
}

static inline lanes lanes_of_halves(const char *from)
{
    uint16_t half[16];
    memcpy(half, from, sizeof half);
    lanes a;
    for (size_t n = 0; n < 16; n++)
        a.value[n] = f16_to_f32(half[n]);
    return a;
}

static inline lanes line_f16(const char *line, size_t j)
{
    return lanes_of_halves(line + j * 32);
}

static inline lanes line_scales(const char *line, size_t block)
{
    return lanes_of_halves(line + block * 32);
}

static inline lanes line_bf16(const char *line, size_t j)
{
    uint16_t pairs[32];
    memcpy(pairs, line, sizeof pairs);
    lanes a;
    for (size_t n = 0; n < 16; n++)
        a.value[n] = bf16_to_f32(pairs[2 * n + j]);
    return a;
}

static inline lanes line_q8_0(const char *line, size_t j, lanes scales)
{
    for (size_t n = 0; n < 16; n++)
        scales.value[n] *= (float)(int8_t)line[4 * n + j];
    return scales;
}

static inline lanes line_q4_0(const char *line, size_t j, lanes scales)
{
    for (size_t n = 0; n < 16; n++) {
        unsigned byte = (unsigned char)line[4 * n + j % 4];
        scales.value[n] *= (float)((int)(j < 4 ? byte & 15u : byte >> 4) - 8);
    }
    return scales;
}

#include "engines/cpu/exact_tables.h"

#endif
