/* Weights as exact sums of bf16 parts, in tiles of 32 k by the 16 outputs of a panel.
 *
 *   f16, lut4, lut6   11 significant bits       2 parts of 8 bits
 *   q4_0              the scale's 11 and 3      2
 *   q8_0              the scale's 11 and 7      3: two would drop bits that full precision promises
 *
 * A part is the largest bf16 below (in magnitude) what is left of the weight, the last what
 * remains. So all parts of a weight have its sign, and only those of zero are zero: an infinite x
 * gives its infinity with each of them, and the sum of magnitudes, which bounds the rounding, is
 * that of the weights. */
#ifndef CPU_BF16_PARTS_H
#define CPU_BF16_PARTS_H

#include <string.h>

#include "base/size.h"
#include "engines/cpu/amx_tile.h"
#include "engines/cpu/layout.h"
#include "engines/cpu/unroll.h"

#ifdef __AVX512F__
#include "engines/cpu/exact_lut6_gather.h"
#else
#include "engines/cpu/exact_portable.h"
#endif

#define PAIR   ((size_t)2) /* panels side by side: [tile in K][part][panel of the pair] */
#define W_TILE (TILE_ROWS * TILE_BYTES)
#define W_K    (TILE_BYTES / sizeof(uint16_t))

static inline size_t parts_of(yoke_format format)
{
    return format == YOKE_Q8_0 ? 3 : 2;
}

/* 16 outputs at a time: w less b, exact here; the largest bf16 below w in magnitude, zero of zero
 * (below infinity the largest finite one: the last part is then infinite); and a line of a tile
 * from two k in bf16. */
#ifdef __AVX512F__

INLINE lanes rest(lanes w, lanes b)
{
    return _mm512_sub_ps(w, b);
}

INLINE lanes bf16_below(lanes w)
{
    __m512i bits = _mm512_castps_si512(w);
    __mmask16 some = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(0x7fffffff));
    __m512i below = _mm512_add_epi32(bits, _mm512_set1_epi32(-1));
    return _mm512_castsi512_ps(_mm512_maskz_and_epi32(some, below, _mm512_set1_epi32(-65536)));
}

INLINE void put_pairs(lanes even, lanes odd, char *to)
{
    __m512i low = _mm512_srli_epi32(_mm512_castps_si512(even), 16);
    _mm512_storeu_si512(to, _mm512_mask_blend_epi16(0xaaaaaaaau, low, _mm512_castps_si512(odd)));
}

#else

INLINE lanes rest(lanes w, lanes b)
{
    EACH (n, PANEL_N)
        w.value[n] -= b.value[n];
    return w;
}

INLINE lanes bf16_below(lanes w)
{
    EACH (n, PANEL_N) {
        uint32_t bits = float_to_bits(w.value[n]);
        w.value[n] = float_from_bits((bits & 0x7fffffffu) == 0 ? 0 : (bits - 1) & 0xffff0000u);
    }
    return w;
}

INLINE void put_pairs(lanes even, lanes odd, char *to)
{
    EACH (n, PANEL_N) {
        uint16_t pair[2] = {bf16_from_f32(even.value[n]), bf16_from_f32(odd.value[n])};
        memcpy(to + n * sizeof pair, pair, sizeof pair);
    }
}

#endif

/* Puts line `line` of each part's tile. */
INLINE void put_parts(const size_t parts, lanes even, lanes odd, size_t line, char (*tiles)[W_TILE])
{
    EACH (part, parts) {
        char *to = tiles[part * PAIR] + line * LINE_BYTES;
        if (part + 1 == parts) {
            put_pairs(even, odd, to);
            break;
        }
        lanes even_part = bf16_below(even), odd_part = bf16_below(odd);
        put_pairs(even_part, odd_part, to);
        even = rest(even, even_part);
        odd = rest(odd, odd_part);
    }
}

INLINE lanes weights_at(const yoke_format format, const char *head, const char *line, size_t j,
                        lanes scales)
{
    switch (format) {
    case YOKE_F16: return line_f16(line, j);
    case YOKE_Q8_0: return line_q8_0(line, j, scales);
    case YOKE_Q4_0: return line_q4_0(line, j, scales);
    case YOKE_LUT4: return line_lut4(head, line, j);
    default: return line_lut6(head, line, j);
    }
}

/* Expands tile `tile` in K of a panel; what is past the panel's end becomes zero. */
INLINE void expand(const yoke_format format, const layout *l, const char *panel, size_t tile,
                   char (*tiles)[W_TILE])
{
    const bool blocks = format == YOKE_Q8_0 || format == YOKE_Q4_0;
    const size_t parts = parts_of(format);
    const size_t line_k = format == YOKE_F16    ? 2
                          : format == YOKE_Q8_0 ? 4
                          : format == YOKE_LUT6 ? 16
                                                : 8;
    const size_t line_bytes = format == YOKE_LUT6 ? 3 * LINE_BYTES : LINE_BYTES;
    const size_t count = size_min(W_K, layout_padded_k(l) - tile * W_K);
    const char *lines = panel + l->head_bytes + tile * (W_K / line_k) * line_bytes;
    lanes scales = lanes_zero();
    if (blocks) { /* two of them, two tiles, are a unit */
        const char *unit = panel + tile / 2 * l->unit_bytes;
        scales = line_scales(unit, tile % 2);
        lines = unit + LINE_BYTES + tile % 2 * (W_K / line_k) * LINE_BYTES;
    }
    for (size_t k = 0; k < count; k += line_k, lines += line_bytes)
        EACH (j, line_k / 2) {
            lanes even = weights_at(format, panel, lines, 2 * j, scales);
            lanes odd = weights_at(format, panel, lines, 2 * j + 1, scales);
            put_parts(parts, even, odd, k / 2 + j, tiles);
        }
    for (size_t part = 0; part < parts; part++)
        memset(tiles[part * PAIR] + count / 2 * LINE_BYTES, 0, W_TILE - count / 2 * LINE_BYTES);
}

static inline void expand_tile(const layout *l, const char *panel, size_t tile, char (*to)[W_TILE])
{
    switch (l->format) {
    case YOKE_F16: expand(YOKE_F16, l, panel, tile, to); break;
    case YOKE_Q8_0: expand(YOKE_Q8_0, l, panel, tile, to); break;
    case YOKE_Q4_0: expand(YOKE_Q4_0, l, panel, tile, to); break;
    case YOKE_LUT4: expand(YOKE_LUT4, l, panel, tile, to); break;
    default: expand(YOKE_LUT6, l, panel, tile, to); break;
    }
}

#endif
