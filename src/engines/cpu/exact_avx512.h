/* The vocabulary of the exact kernels in AVX-512 (F, BW, DQ, VL): a panel's 16 outputs are one
 * register. All but line_lut6, for which there are two ways. */
#ifndef CPU_EXACT_AVX512_H
#define CPU_EXACT_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>

#include "engines/cpu/unroll.h"

typedef __m512 lanes;

#define ROW_BLOCK     8
#define TILE_PANELS_1 8
#define TILE_PANELS_2 8
#define TILE_PANELS_4 4
#define TILE_PANELS_8 2

INLINE lanes lanes_zero(void)
{
    return _mm512_setzero_ps();
}

INLINE lanes lanes_load(const float *from)
{
    return _mm512_loadu_ps(from);
}

INLINE void lanes_store(float *to, lanes a)
{
    _mm512_storeu_ps(to, a);
}

INLINE lanes lanes_fma(lanes w, const float *x, lanes a)
{
    return _mm512_fmadd_ps(w, _mm512_set1_ps(*x), a);
}

#define LANES_FMA_MEMORY
INLINE lanes lanes_fma_memory(lanes w, const float *x, lanes a)
{
    __asm__("vfmadd231ps %2%{1to16%}, %1, %0" : "+v"(a) : "v"(w), "m"(*x));
    return a;
}

INLINE lanes line_f32(const char *line)
{
    return _mm512_load_ps(line);
}

INLINE lanes line_f16(const char *line, size_t j)
{
    return _mm512_cvtph_ps(_mm256_load_si256((const __m256i *)line + j));
}

INLINE lanes line_bf16(const char *line, size_t j)
{
    __m512i pairs = _mm512_load_si512(line);
    return _mm512_castsi512_ps(j == 0 ? _mm512_slli_epi32(pairs, 16)
                                      : _mm512_and_si512(pairs, _mm512_set1_epi32(-65536)));
}

INLINE lanes line_scales(const char *line, size_t block)
{
    return _mm512_cvtph_ps(_mm256_load_si256((const __m256i *)line + block));
}

INLINE lanes line_q8_0(const char *line, size_t j, lanes scales)
{
    __m512i four = _mm512_load_si512(line);
    __m512i q = _mm512_srai_epi32(_mm512_slli_epi32(four, (unsigned)(24 - 8 * j)), 24);
    return _mm512_mul_ps(_mm512_cvtepi32_ps(q), scales);
}

/* The permute looks at four bits of each lane: a table look-up turns the nibble there into its
 * value. */
INLINE lanes line_q4_0(const char *line, size_t j, lanes scales)
{
    const lanes values = _mm512_setr_ps(-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7);
    __m512i eight = _mm512_load_si512(line);
    __m512i q = _mm512_srli_epi32(eight, (unsigned)(j < 4 ? 8 * j : 8 * (j - 4) + 4));
    return _mm512_mul_ps(_mm512_permutexvar_ps(q, values), scales);
}

INLINE lanes palette_f32(const char *head, size_t half)
{
    return _mm512_cvtph_ps(_mm256_load_si256((const __m256i *)head + half));
}

/* Outputs 0 to 7 look up the first palette, 8 to 15 the second. */
INLINE lanes line_lut4(const char *head, const char *line, size_t j)
{
    __m512i q = _mm512_srli_epi32(_mm512_load_si512(line), (unsigned)(4 * j));
    lanes low = _mm512_permutexvar_ps(q, palette_f32(head, 0));
    return _mm512_mask_permutexvar_ps(low, 0xff00, q, palette_f32(head, 1));
}

/* The indices of k 4v to 4v + 3, one a byte; what is in its upper two bits does not count. */
INLINE __m512i lut6_bytes(const char *line, size_t v)
{
    const __m512i *lines = (const __m512i *)line;
    if (v < 3)
        return _mm512_load_si512(lines + v);
    __m512i low = _mm512_srli_epi16(_mm512_load_si512(lines), 6);
    __m512i middle = _mm512_srli_epi16(_mm512_load_si512(lines + 1), 4);
    __m512i high = _mm512_srli_epi16(_mm512_load_si512(lines + 2), 2);
    low = _mm512_ternarylogic_epi32(_mm512_set1_epi8(3), low, middle, 0xca);
    return _mm512_ternarylogic_epi32(_mm512_set1_epi8(15), low, high, 0xca);
}

/* For a shuffle that takes the bytes of one k apart, to one in 32 bits. */
INLINE __m512i lut6_spread(size_t k)
{
    const unsigned nothing = 0x80808000u, first = (unsigned)(4 * k);
    return _mm512_broadcast_i32x4(
        _mm_setr_epi32((int)(nothing | first), (int)(nothing | (first + 1)),
                       (int)(nothing | (first + 2)), (int)(nothing | (first + 3))));
}

INLINE lanes affine(const char *head, lanes q)
{
    return _mm512_mul_ps(_mm512_sub_ps(q, _mm512_load_ps(head + 64)), _mm512_load_ps(head));
}

INLINE lanes line_int4(const char *head, const char *line, size_t j)
{
    const lanes values = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1);
    __m512i q = _mm512_srli_epi32(_mm512_load_si512(line), (unsigned)(4 * j));
    return affine(head, _mm512_permutexvar_ps(q, values));
}

/* The eight bits as the last of a float's fraction, their sign bit turned over, are the integer
 * plus a power of two and 128, which the subtraction takes off exactly: no shifts for the sign and
 * no conversion. */
INLINE lanes line_int8(const char *head, const char *line, size_t j)
{
    __m512i four = _mm512_load_si512(line);
    if (j >= 2)
        four = _mm512_srli_epi32(four, 16);
    const unsigned at = 8 * (unsigned)(j % 2);
    const __m512i field = _mm512_set1_epi32(255 << at);
    const __m512i power = _mm512_set1_epi32((int)((127 + 23 - at) << 23 | 128u << at));
    const lanes base = _mm512_set1_ps((float)(1 << (23 - at)) + 128);
    __m512i bits = _mm512_ternarylogic_epi32(four, field, power, 0x6a); /* (a & b) ^ c */
    return affine(head, _mm512_sub_ps(_mm512_castsi512_ps(bits), base));
}

#endif
