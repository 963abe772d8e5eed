/* The formats with a table, one output at a time: for the instruction sets without a look-up of 64
 * halves. Needs the vocabulary's lanes_load. */
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

static inline unsigned lut6_word(const char *line, size_t part, size_t at)
{
    uint16_t word;
    memcpy(&word, line + part * 64 + 2 * at, sizeof word);
    return word;
}

/* `at` is the word of k's parity and the output; layout.h draws the words. */
static inline unsigned lut6_index(const char *line, size_t pair, size_t at)
{
    if (pair < 6)
        return lut6_word(line, pair / 2, at) >> (pair % 2 * 6) & 63u;
    unsigned low = lut6_word(line, pair == 6 ? 0 : 2, at) >> 12;
    return low | (lut6_word(line, 1, at) >> (pair == 6 ? 8 : 10) & 0x30u);
}

TABLE_LINE lanes line_lut6(const char *head, const char *line, size_t j)
{
    float values[16];
    for (size_t n = 0; n < 16; n++)
        values[n] = palette_value(head, 128, n, lut6_index(line, j / 2, j % 2 * 16 + n));
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
