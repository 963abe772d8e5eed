/* The exact kernels on AVX2 with FMA and F16C: a panel's 16 outputs are two registers. */
#ifdef __x86_64__
#include <immintrin.h>
#include <stddef.h>

typedef struct lanes {
    __m256 low, high;
} lanes;

#define ROW_BLOCK      4
#define TILE_PANELS_1  4
#define TILE_PANELS_2  2
#define TILE_PANELS_4  1
#define EXACT_NAME     "avx2"
#define EXACT_FEATURES YOKE_CPU_AVX2
#define EXACT_TABLE    exact_avx2

static inline lanes lanes_zero(void)
{
    return (lanes){_mm256_setzero_ps(), _mm256_setzero_ps()};
}

static inline lanes lanes_load(const float *from)
{
    return (lanes){_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)};
}

static inline void lanes_store(float *to, lanes a)
{
    _mm256_storeu_ps(to, a.low);
    _mm256_storeu_ps(to + 8, a.high);
}

static inline lanes lanes_fma(lanes w, const float *x, lanes a)
{
    __m256 all = _mm256_broadcast_ss(x);
    return (lanes){_mm256_fmadd_ps(w.low, all, a.low), _mm256_fmadd_ps(w.high, all, a.high)};
}

static inline lanes line_f32(const char *line)
{
    return lanes_load((const float *)line);
}

static inline lanes lanes_of_halves(const char *from)
{
    return (lanes){_mm256_cvtph_ps(_mm_load_si128((const __m128i *)from)),
                   _mm256_cvtph_ps(_mm_load_si128((const __m128i *)from + 1))};
}

static inline lanes line_f16(const char *line, size_t j)
{
    return lanes_of_halves(line + j * 32);
}

static inline lanes line_scales(const char *line, size_t block)
{
    return lanes_of_halves(line + block * 32);
}

static inline __m256i line_half(const char *line, size_t half)
{
    return _mm256_load_si256((const __m256i *)line + half);
}

static inline __m256 bf16_values(__m256i pairs, size_t j)
{
    return _mm256_castsi256_ps(j == 0 ? _mm256_slli_epi32(pairs, 16)
                                      : _mm256_and_si256(pairs, _mm256_set1_epi32(-65536)));
}

static inline lanes line_bf16(const char *line, size_t j)
{
    return (lanes){bf16_values(line_half(line, 0), j), bf16_values(line_half(line, 1), j)};
}

static inline __m256 q8_0_values(__m256i four, size_t j, __m256 scales)
{
    __m256i q = _mm256_srai_epi32(_mm256_slli_epi32(four, (int)(24 - 8 * j)), 24);
    return _mm256_mul_ps(_mm256_cvtepi32_ps(q), scales);
}

static inline lanes line_q8_0(const char *line, size_t j, lanes scales)
{
    return (lanes){q8_0_values(line_half(line, 0), j, scales.low),
                   q8_0_values(line_half(line, 1), j, scales.high)};
}

static inline __m256 q4_0_values(__m256i eight, size_t j, __m256 scales)
{
    __m256i q = _mm256_srli_epi32(eight, (int)(j < 4 ? 8 * j : 8 * (j - 4) + 4));
    q = _mm256_sub_epi32(_mm256_and_si256(q, _mm256_set1_epi32(15)), _mm256_set1_epi32(8));
    return _mm256_mul_ps(_mm256_cvtepi32_ps(q), scales);
}

static inline lanes line_q4_0(const char *line, size_t j, lanes scales)
{
    return (lanes){q4_0_values(line_half(line, 0), j, scales.low),
                   q4_0_values(line_half(line, 1), j, scales.high)};
}

/* Eight f16 values of a palette; what a gather reads past the palette stays within the panel. */
static inline __m256 palette_values(const char *palette, __m256i indices)
{
    __m256i halves = _mm256_i32gather_epi32((const int *)palette, indices, 2);
    halves = _mm256_and_si256(halves, _mm256_set1_epi32(0xffff));
    __m128i packed =
        _mm_packus_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
    return _mm256_cvtph_ps(packed);
}

static inline __m256i lut4_indices(__m256i eight, size_t j)
{
    return _mm256_and_si256(_mm256_srli_epi32(eight, (int)(4 * j)), _mm256_set1_epi32(15));
}

static inline lanes line_lut4(const char *head, const char *line, size_t j)
{
    return (lanes){palette_values(head, lut4_indices(line_half(line, 0), j)),
                   palette_values(head + 32, lut4_indices(line_half(line, 1), j))};
}

/* The indices of k 4v to 4v + 3, of eight outputs, one a byte; upper two bits do not count. */
static inline __m256i lut6_bytes(const char *line, size_t v, size_t half)
{
    const __m256i *at = (const __m256i *)line + half;
    if (v < 3)
        return _mm256_load_si256(at + 2 * v);
    __m256i low = _mm256_srli_epi16(_mm256_load_si256(at), 6);
    __m256i middle = _mm256_srli_epi16(_mm256_load_si256(at + 2), 4);
    __m256i high = _mm256_srli_epi16(_mm256_load_si256(at + 4), 2);
    low = _mm256_and_si256(low, _mm256_set1_epi8(3));
    middle = _mm256_and_si256(middle, _mm256_set1_epi8(12));
    return _mm256_or_si256(_mm256_or_si256(low, middle),
                           _mm256_and_si256(high, _mm256_set1_epi8(48)));
}

/* Eight outputs' indices of one k. */
#define SPREAD(byte) ((int)(0x80808000u | (byte)))
static inline __m256i lut6_indices(const char *line, size_t j, size_t half)
{
    const __m256i spread =
        _mm256_add_epi8(_mm256_setr_epi32(SPREAD(0), SPREAD(1), SPREAD(2), SPREAD(3), SPREAD(0),
                                          SPREAD(1), SPREAD(2), SPREAD(3)),
                        _mm256_set1_epi32((int)(4 * (j % 4))));
    __m256i q = _mm256_shuffle_epi8(lut6_bytes(line, j / 4, half), spread);
    return _mm256_and_si256(q, _mm256_set1_epi32(63));
}

static inline lanes line_lut6(const char *head, const char *line, size_t j)
{
    return (lanes){palette_values(head, lut6_indices(line, j, 0)),
                   palette_values(head + 128, lut6_indices(line, j, 1))};
}

static inline __m256 affine(const char *head, size_t half, __m256i q)
{
    __m256 scale = _mm256_load_ps((const float *)head + 8 * half);
    __m256 zero = _mm256_load_ps((const float *)head + 16 + 8 * half);
    return _mm256_mul_ps(_mm256_sub_ps(_mm256_cvtepi32_ps(q), zero), scale);
}

/* The j-th field of `bits` bits of each lane, signed. */
static inline __m256i signed_field(__m256i fields, size_t j, size_t bits)
{
    int left = (int)(32 - bits * (j + 1)), right = (int)(32 - bits);
    return _mm256_srai_epi32(_mm256_slli_epi32(fields, left), right);
}

static inline lanes line_int4(const char *head, const char *line, size_t j)
{
    return (lanes){affine(head, 0, signed_field(line_half(line, 0), j, 4)),
                   affine(head, 1, signed_field(line_half(line, 1), j, 4))};
}

static inline lanes line_int8(const char *head, const char *line, size_t j)
{
    return (lanes){affine(head, 0, signed_field(line_half(line, 0), j, 8)),
                   affine(head, 1, signed_field(line_half(line, 1), j, 8))};
}

#include "engines/cpu/exact_kernels.h"
#else
typedef int exact_avx2_is_for_x86;
#endif
