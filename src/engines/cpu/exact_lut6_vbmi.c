/* lut6 by look-ups of bytes, AVX-512 with VBMI.
 *
 * An f16 as an f32 has three bytes that matter. One table a byte, with both palettes of a panel
 * (128 entries, what one permute reaches): three permutes look up 64 weights, 16 outputs by 4 k,
 * and unpacking joins the bytes to f32 without a conversion, which would cost more than all of it.
 * 64 weights take 3 permutes, 8 unpacks and 2 or 3 operations for the indices, beside the
 * multiply-adds. */
#ifdef __x86_64__
#include "engines/cpu/exact_avx512.h"
#include "yoke/matrix.h"

#define EXACT_NAME            "avx512_vbmi"
#define EXACT_FEATURES        (YOKE_CPU_AVX2 | YOKE_CPU_AVX512 | YOKE_CPU_AVX512_VBMI)
#define EXACT_TABLE           exact_lut6_vbmi
#define EXACT_EACH(f)         f(lut6, YOKE_LUT6)
#define LUT6_HEAD_BYTES       ((size_t)3 * 2 * 64)
#define MANY_ROWS(format)     ((size_t)192)
#define WHOLE_LINE(format, R) ((format) == YOKE_LUT6 && (R) <= 2)

/* Byte 1, 2 and 3 of the panel's 128 values as f32. */
INLINE void lut6_head(const char *head, char *to)
{
    for (size_t i = 0; i < 8; i++) {
        __m512i value = _mm512_castps_si512(palette_f32(head, i));
        for (size_t b = 0; b < 3; b++, value = _mm512_srli_epi32(value, 8))
            _mm_store_si128((__m128i *)(to + b * 128 + i * 16),
                            _mm512_cvtepi32_epi8(_mm512_srli_epi32(value, 8)));
    }
}

/* The bytes of 64 weights, and joined to the halves of f32: `upper` and `lower`, two 16 bits, of k
 * 0 and 1 in [0], of k 2 and 3 in [1]. */
typedef struct lut6_looked {
    __m512i b1, b2, b3;
} lut6_looked;

typedef struct lut6_joined {
    __m512i lower[2], upper[2];
} lut6_joined;

INLINE __m512i lut6_look_up(const char *head, size_t byte, __m512i q)
{
    const __m512i *table = (const __m512i *)(head + byte * 128);
    return _mm512_permutex2var_epi8(_mm512_load_si512(table), q, _mm512_load_si512(table + 1));
}

/* The upper half of the lanes, outputs 8 to 15, looks into the second palette. */
INLINE lut6_looked lut6_look(const char *head, const char *line, size_t v)
{
    const __m512i second = _mm512_mask_set1_epi8(_mm512_setzero_si512(), 0xffffffff00000000, 64);
    __m512i q = _mm512_ternarylogic_epi32(second, lut6_bytes(line, v), _mm512_set1_epi8(63), 0xf8);
    return (lut6_looked){lut6_look_up(head, 0, q), lut6_look_up(head, 1, q),
                         lut6_look_up(head, 2, q)};
}

INLINE lut6_joined lut6_join(lut6_looked b)
{
    const __m512i b0 = _mm512_setzero_si512();
    return (lut6_joined){{_mm512_unpacklo_epi8(b0, b.b1), _mm512_unpackhi_epi8(b0, b.b1)},
                         {_mm512_unpacklo_epi8(b.b2, b.b3), _mm512_unpackhi_epi8(b.b2, b.b3)}};
}

INLINE lanes lut6_value(const lut6_joined *w, size_t j)
{
    __m512i low = w->lower[j / 2], high = w->upper[j / 2];
    return _mm512_castsi512_ps(j % 2 == 1 ? _mm512_unpackhi_epi16(low, high)
                                          : _mm512_unpacklo_epi16(low, high));
}

INLINE lanes line_lut6(const char *head, const char *line, size_t j)
{
    lut6_joined w = lut6_join(lut6_look(head, line, j / 4));
    return lut6_value(&w, j % 4);
}

/* acc[R][P] += the 16 k of a line, by P panels: `units` of 64 weights, each looked up LOOK_AHEAD
 * units before it is joined and one more before it is multiplied. The processor does not look
 * ahead so far by itself: this order is an eighth faster for one row. */
#define LOOK_AHEAD ((size_t)3)

INLINE void whole_line(const yoke_format format, const size_t R, const size_t P, const char *heads,
                       size_t head_stride, const char *lines, size_t stride, const float *x,
                       lanes acc[8][8])
{
    (void)format; /* lut6 */
    lut6_looked looked[32];
    lut6_joined joined[32];
    const size_t units = 4 * P;
    EACH (t, units + LOOK_AHEAD + 1) {
        if (t < units)
            looked[t] = lut6_look(heads + t % P * head_stride, lines + t % P * stride, t / P);
        if (t >= LOOK_AHEAD && t - LOOK_AHEAD < units)
            joined[t - LOOK_AHEAD] = lut6_join(looked[t - LOOK_AHEAD]);
        if (t > LOOK_AHEAD) {
            const size_t unit = t - LOOK_AHEAD - 1, p = unit % P, k = unit / P * 4;
            EACH (j, 4)
                EACH (r, R)
                    acc[r][p] = lanes_fma_memory(lut6_value(&joined[unit], j), x + (k + j) * R + r,
                                                 acc[r][p]);
        }
    }
}

#include "engines/cpu/exact_kernels.h"
#else
typedef int exact_lut6_vbmi_is_for_x86;
#endif
