/* The formats with a table, one output at a time: for the portable kernels. Needs the vocabulary's
 * lanes_load. */
#ifndef CPU_EXACT_TABLES_H
#define CPU_EXACT_TABLES_H

#include <stdint.h>
#include <string.h>

#include "base/half.h"

/* Called, not inlined: a kernel unrolls over k, and these are loops of many turns themselves. */
#define TABLE_LINE static __attribute__((noinline))

static inline uint32_t table_word(const char *line, size_t n)
{
    uint32_t word;
    memcpy(&word, line + 4 * n, sizeof word);
    return word;
}

static inline float palette_value(const char *head, size_t palette_bytes, size_t n, uint32_t index)
{
    uint16_t half;
    memcpy(&half, head + n / 8 * palette_bytes + 2 * index, sizeof half);
    return f16_to_f32(half);
}

TABLE_LINE lanes line_lut4(const char *head, const char *line, size_t j)
{
    float values[16];
    for (size_t n = 0; n < 16; n++)
        values[n] = palette_value(head, 32, n, table_word(line, n) >> 4 * j & 15u);
    return lanes_load(values);
}

/* layout.h draws where it is. */
static inline unsigned lut6_index(const char *line, size_t k, size_t n)
{
    const unsigned char *at = (const unsigned char *)line + n / 4 * 16 + k % 4 * 4 + n % 4;
    if (k < 12)
        return at[k / 4 * 64] & 63u;
    return at[0] >> 6 | at[64] >> 6 << 2 | at[128] >> 6 << 4;
}

TABLE_LINE lanes line_lut6(const char *head, const char *line, size_t j)
{
    float values[16];
    for (size_t n = 0; n < 16; n++)
        values[n] = palette_value(head, 128, n, lut6_index(line, j, n));
    return lanes_load(values);
}

TABLE_LINE lanes affine_field(const char *head, const char *line, size_t j, unsigned bits)
{
    float values[16], scales[16], zeros[16];
    memcpy(scales, head, sizeof scales);
    memcpy(zeros, head + sizeof scales, sizeof zeros);
    for (size_t n = 0; n < 16; n++) {
        uint32_t top = table_word(line, n) << (32 - bits * (unsigned)(j + 1));
        values[n] = ((float)((int32_t)top >> (32 - bits)) - zeros[n]) * scales[n];
    }
    return lanes_load(values);
}

static inline lanes line_int4(const char *head, const char *line, size_t j)
{
    return affine_field(head, line, j, 4);
}

static inline lanes line_int8(const char *head, const char *line, size_t j)
{
    return affine_field(head, line, j, 8);
}

#endif
