/* The vocabulary of the exact kernels in AVX-512 (F, BW, DQ, VL): a panel's 16 outputs are one
 * register. All but line_lut6, for which there are two ways. */
#ifndef CPU_EXACT_AVX512_H
#define CPU_EXACT_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>

typedef __m512 lanes;

#define ROW_BLOCK     8
#define TILE_PANELS_1 8
#define TILE_PANELS_2 8
#define TILE_PANELS_4 4
#define TILE_PANELS_8 2

static inline lanes lanes_zero(void)
{
    return _mm512_setzero_ps();
}

static inline lanes lanes_load(const float *from)
{
    return _mm512_loadu_ps(from);
}

static inline void lanes_store(float *to, lanes a)
{
    _mm512_storeu_ps(to, a);
}

static inline lanes lanes_fma(lanes w, const float *x, lanes a)
{
    return _mm512_fmadd_ps(w, _mm512_set1_ps(*x), a);
}

static inline lanes line_f32(const char *line)
{
    return _mm512_load_ps(line);
}

static inline lanes line_f16(const char *line, size_t j)
{
    return _mm512_cvtph_ps(_mm256_load_si256((const __m256i *)line + j));
}

static inline lanes line_bf16(const char *line, size_t j)
{
    __m512i pairs = _mm512_load_si512(line);
    return _mm512_castsi512_ps(j == 0 ? _mm512_slli_epi32(pairs, 16)
                                      : _mm512_and_si512(pairs, _mm512_set1_epi32(-65536)));
}

static inline lanes line_scales(const char *line, size_t block)
{
    return _mm512_cvtph_ps(_mm256_load_si256((const __m256i *)line + block));
}

static inline lanes line_q8_0(const char *line, size_t j, lanes scales)
{
    __m512i four = _mm512_load_si512(line);
    __m512i q = _mm512_srai_epi32(_mm512_slli_epi32(four, (unsigned)(24 - 8 * j)), 24);
    return _mm512_mul_ps(_mm512_cvtepi32_ps(q), scales);
}

/* The permute looks at four bits of each lane: a table look-up turns the nibble there into its
 * value. */
static inline lanes line_q4_0(const char *line, size_t j, lanes scales)
{
    const lanes values = _mm512_setr_ps(-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7);
    __m512i eight = _mm512_load_si512(line);
    __m512i q = _mm512_srli_epi32(eight, (unsigned)(j < 4 ? 8 * j : 8 * (j - 4) + 4));
    return _mm512_mul_ps(_mm512_permutexvar_ps(q, values), scales);
}

static inline lanes palette_f32(const char *head, size_t half)
{
    return _mm512_cvtph_ps(_mm256_load_si256((const __m256i *)head + half));
}

/* Outputs 0 to 7 look up the first palette, 8 to 15 the second. */
static inline lanes line_lut4(const char *head, const char *line, size_t j)
{
    __m512i q = _mm512_srli_epi32(_mm512_load_si512(line), (unsigned)(4 * j));
    lanes low = _mm512_permutexvar_ps(q, palette_f32(head, 0));
    return _mm512_mask_permutexvar_ps(low, 0xff00, q, palette_f32(head, 1));
}

/* The indices of k 4v to 4v + 3, one a byte; what is in its upper two bits does not count. */
static inline __m512i lut6_bytes(const char *line, size_t v)
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
static inline __m512i lut6_spread(size_t k)
{
    const unsigned nothing = 0x80808000u, first = (unsigned)(4 * k);
    return _mm512_broadcast_i32x4(
        _mm_setr_epi32((int)(nothing | first), (int)(nothing | (first + 1)),
                       (int)(nothing | (first + 2)), (int)(nothing | (first + 3))));
}

static inline lanes affine(const char *head, __m512i q)
{
    lanes scale = _mm512_load_ps(head), zero = _mm512_load_ps(head + 64);
    return _mm512_mul_ps(_mm512_sub_ps(_mm512_cvtepi32_ps(q), zero), scale);
}

static inline lanes line_int4(const char *head, const char *line, size_t j)
{
    __m512i eight = _mm512_load_si512(line);
    return affine(head, _mm512_srai_epi32(_mm512_slli_epi32(eight, (unsigned)(28 - 4 * j)), 28));
}

static inline lanes line_int8(const char *head, const char *line, size_t j)
{
    __m512i four = _mm512_load_si512(line);
    return affine(head, _mm512_srai_epi32(_mm512_slli_epi32(four, (unsigned)(24 - 8 * j)), 24));
}

#endif
