/* lut6 by gathers, for AVX-512 without VBMI. */
#ifndef CPU_EXACT_LUT6_GATHER_H
#define CPU_EXACT_LUT6_GATHER_H

#include "engines/cpu/exact_avx512.h"

/* The 16 outputs' values of one k; what a gather reads past a palette stays within the panel. */
static inline lanes line_lut6(const char *head, const char *line, size_t j)
{
    const __m512i second = _mm512_mask_set1_epi32(_mm512_setzero_si512(), 0xff00, 64);
    __m512i q = _mm512_shuffle_epi8(lut6_bytes(line, j / 4), lut6_spread(j % 4));
    q = _mm512_add_epi32(_mm512_and_si512(q, _mm512_set1_epi32(63)), second);
    __m512i halves = _mm512_i32gather_epi32(q, head, 2);
    return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(halves));
}

#endif
