/* lut6 by look-ups of bytes, AVX-512 with VBMI.
 *
 * An f16 as an f32 has three bytes that matter. One table a byte, with both palettes of a panel
 * (128 entries, what one permute reaches): three permutes look up 64 weights, 16 outputs by 4 k,
 * and unpacking joins the bytes to f32 without a conversion, which would cost more than all of it.
 * 64 weights take 3 permutes, 8 unpacks and 2 or 3 operations for the indices, beside the
 * multiply-adds. */
#ifdef __x86_64__
#include "engines/cpu/exact_avx512.h"

#define EXACT_NAME      "avx512_vbmi"
#define EXACT_FEATURES  (YOKE_CPU_AVX2 | YOKE_CPU_AVX512 | YOKE_CPU_AVX512_VBMI)
#define EXACT_TABLE     exact_lut6_vbmi
#define EXACT_EACH(f)   f(lut6, YOKE_LUT6)
#define LUT6_HEAD_BYTES ((size_t)3 * 2 * 64)

/* Byte 1, 2 and 3 of the panel's 128 values as f32. */
static inline void lut6_head(const char *head, char *to)
{
    for (size_t i = 0; i < 8; i++) {
        __m512i value = _mm512_castps_si512(palette_f32(head, i));
        for (size_t b = 0; b < 3; b++, value = _mm512_srli_epi32(value, 8))
            _mm_store_si128((__m128i *)(to + b * 128 + i * 16),
                            _mm512_cvtepi32_epi8(_mm512_srli_epi32(value, 8)));
    }
}

static inline __m512i lut6_look_up(const char *head, size_t byte, __m512i q)
{
    const __m512i *table = (const __m512i *)(head + byte * 128);
    return _mm512_permutex2var_epi8(_mm512_load_si512(table), q, _mm512_load_si512(table + 1));
}

/* The upper half of the lanes, outputs 8 to 15, looks into the second palette. */
static inline lanes line_lut6(const char *head, const char *line, size_t j)
{
    const __m512i second = _mm512_mask_set1_epi8(_mm512_setzero_si512(), 0xffffffff00000000, 64);
    const __m512i index = _mm512_set1_epi8(63);
    __m512i q = _mm512_or_si512(_mm512_and_si512(lut6_bytes(line, j / 4), index), second);
    __m512i b1 = lut6_look_up(head, 0, q), b2 = lut6_look_up(head, 1, q);
    __m512i b3 = lut6_look_up(head, 2, q), b0 = _mm512_setzero_si512();
    bool upper = j % 4 >= 2;
    __m512i low = upper ? _mm512_unpackhi_epi8(b0, b1) : _mm512_unpacklo_epi8(b0, b1);
    __m512i high = upper ? _mm512_unpackhi_epi8(b2, b3) : _mm512_unpacklo_epi8(b2, b3);
    return _mm512_castsi512_ps(j % 2 == 1 ? _mm512_unpackhi_epi16(low, high)
                                          : _mm512_unpacklo_epi16(low, high));
}

#include "engines/cpu/exact_kernels.h"
#else
typedef int exact_lut6_vbmi_is_for_x86;
#endif
