/* The exact kernels on AVX2 with FMA and F16C: a panel's 16 outputs are two registers. */
#ifdef __x86_64__
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>

#include "engines/cpu/unroll.h"
#include "yoke/matrix.h"

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
#define MANY_ROWS(format)                                                                          \
    ((format) == YOKE_LUT4 ? ROW_BLOCK : (format) == YOKE_F16 ? 24 * ROW_BLOCK : 3 * ROW_BLOCK)

INLINE lanes lanes_zero(void)
{
    return (lanes){_mm256_setzero_ps(), _mm256_setzero_ps()};
}

INLINE lanes lanes_load(const float *from)
{
    return (lanes){_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)};
}

INLINE void lanes_store(float *to, lanes a)
{
    _mm256_storeu_ps(to, a.low);
    _mm256_storeu_ps(to + 8, a.high);
}

INLINE lanes lanes_fma(lanes w, const float *x, lanes a)
{
    __m256 all = _mm256_broadcast_ss(x);
    return (lanes){_mm256_fmadd_ps(w.low, all, a.low), _mm256_fmadd_ps(w.high, all, a.high)};
}

INLINE lanes line_f32(const char *line)
{
    return lanes_load((const float *)line);
}

INLINE lanes lanes_of_halves(const char *from)
{
    return (lanes){_mm256_cvtph_ps(_mm_load_si128((const __m128i *)from)),
                   _mm256_cvtph_ps(_mm_load_si128((const __m128i *)from + 1))};
}

INLINE lanes line_f16(const char *line, size_t j)
{
    return lanes_of_halves(line + j * 32);
}

INLINE lanes line_scales(const char *line, size_t block)
{
    return lanes_of_halves(line + block * 32);
}

INLINE __m256i line_half(const char *line, size_t half)
{
    return _mm256_load_si256((const __m256i *)line + half);
}

INLINE __m256 bf16_values(__m256i pairs, size_t j)
{
    return _mm256_castsi256_ps(j == 0 ? _mm256_slli_epi32(pairs, 16)
                                      : _mm256_and_si256(pairs, _mm256_set1_epi32(-65536)));
}

INLINE lanes line_bf16(const char *line, size_t j)
{
    return (lanes){bf16_values(line_half(line, 0), j), bf16_values(line_half(line, 1), j)};
}

INLINE __m256 q8_0_values(__m256i four, size_t j, __m256 scales)
{
    __m256i q = _mm256_srai_epi32(_mm256_slli_epi32(four, (int)(24 - 8 * j)), 24);
    return _mm256_mul_ps(_mm256_cvtepi32_ps(q), scales);
}

INLINE lanes line_q8_0(const char *line, size_t j, lanes scales)
{
    return (lanes){q8_0_values(line_half(line, 0), j, scales.low),
                   q8_0_values(line_half(line, 1), j, scales.high)};
}

INLINE __m256 q4_0_values(__m256i eight, size_t j, __m256 scales)
{
    __m256i q = _mm256_srli_epi32(eight, (int)(j < 4 ? 8 * j : 8 * (j - 4) + 4));
    q = _mm256_sub_epi32(_mm256_and_si256(q, _mm256_set1_epi32(15)), _mm256_set1_epi32(8));
    return _mm256_mul_ps(_mm256_cvtepi32_ps(q), scales);
}

INLINE lanes line_q4_0(const char *line, size_t j, lanes scales)
{
    return (lanes){q4_0_values(line_half(line, 0), j, scales.low),
                   q4_0_values(line_half(line, 1), j, scales.high)};
}

/* The j-th k of eight outputs from a palette of 16: a permute looks up eight, the index's fourth
 * bit, as a sign, says in which half. A gather would be several times slower. */
INLINE __m256 lut4_half(const char *head, const char *line, size_t half, size_t j)
{
    lanes palette = lanes_of_halves(head + 32 * half);
    __m256i eight = line_half(line, half);
    __m256i q = _mm256_srli_epi32(eight, (int)(4 * j));
    __m256 upper = _mm256_castsi256_ps(_mm256_slli_epi32(eight, (int)(28 - 4 * j)));
    return _mm256_blendv_ps(_mm256_permutevar8x32_ps(palette.low, q),
                            _mm256_permutevar8x32_ps(palette.high, q), upper);
}

INLINE lanes line_lut4(const char *head, const char *line, size_t j)
{
    return (lanes){lut4_half(head, line, 0, j), lut4_half(head, line, 1, j)};
}

/* lut6 by look-ups of bytes: an f16 as an f32 has three bytes that matter. The tables of bytes 1, 2
 * and 3 of the first palette, then of the second. */
#define LUT6_HEAD_BYTES ((size_t)2 * 3 * 64)

INLINE void lut6_head(const char *head, char *to)
{
    for (size_t i = 0; i < 128; i += 16) {
        float values[16];
        lanes_store(values, lanes_of_halves(head + 2 * i));
        for (size_t v = 0; v < 16; v++)
            for (size_t b = 0; b < 3; b++)
                to[(i / 64 * 3 + b) * 64 + i % 64 + v] = ((const char *)(values + v))[b + 1];
    }
}

/* The indices of k 4v to 4v + 3, of eight outputs, one a byte; upper two bits do not count. */
INLINE __m256i lut6_bytes(const char *line, size_t v, size_t half)
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

/* The 32 indices for each quarter of a table of 64: 0x70 and the index there, or above 0x7f, for
 * which a shuffle gives 0, where it is in another quarter. */
typedef struct lut6_quarters {
    __m256i of[4];
} lut6_quarters;

INLINE lut6_quarters lut6_quarters_of(__m256i q)
{
    lut6_quarters in;
    q = _mm256_and_si256(q, _mm256_set1_epi8(63));
    EACH (i, 4)
        in.of[i] = _mm256_adds_epu8(_mm256_xor_si256(q, _mm256_set1_epi8((char)(16 * i))),
                                    _mm256_set1_epi8(0x70));
    return in;
}

INLINE __m256i lut6_look_up(const char *table, lut6_quarters q)
{
    __m256i found = _mm256_setzero_si256();
    EACH (i, 4) {
        __m256i quarter = _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)table + i));
        found = _mm256_or_si256(found, _mm256_shuffle_epi8(quarter, q.of[i]));
    }
    return found;
}

/* Bytes 1, 2 and 3 of eight outputs for k 4v to 4v + 3. */
typedef struct lut6_looked {
    __m256i b1, b2, b3;
} lut6_looked;

INLINE lut6_looked lut6_look(const char *head, const char *line, size_t half, size_t v)
{
    const char *tables = head + 3 * 64 * half;
    lut6_quarters q = lut6_quarters_of(lut6_bytes(line, v, half));
    return (lut6_looked){lut6_look_up(tables, q), lut6_look_up(tables + 64, q),
                         lut6_look_up(tables + 128, q)};
}

INLINE __m256 lut6_value(lut6_looked b, size_t j)
{
    const __m256i b0 = _mm256_setzero_si256();
    __m256i low = j < 2 ? _mm256_unpacklo_epi8(b0, b.b1) : _mm256_unpackhi_epi8(b0, b.b1);
    __m256i high = j < 2 ? _mm256_unpacklo_epi8(b.b2, b.b3) : _mm256_unpackhi_epi8(b.b2, b.b3);
    return _mm256_castsi256_ps(j % 2 == 0 ? _mm256_unpacklo_epi16(low, high)
                                          : _mm256_unpackhi_epi16(low, high));
}

INLINE lanes line_lut6(const char *head, const char *line, size_t j)
{
    return (lanes){lut6_value(lut6_look(head, line, 0, j / 4), j % 4),
                   lut6_value(lut6_look(head, line, 1, j / 4), j % 4)};
}

INLINE void lut6_line(const size_t R, const char *head, const char *line, const float *x,
                      lanes acc[8][8], const size_t p)
{
    for (size_t v = 0; v < 4; v++, x += 4 * R) { /* unrolled, it would fill the registers */
        lut6_looked low = lut6_look(head, line, 0, v), high = lut6_look(head, line, 1, v);
        EACH (j, 4)
            EACH (r, R)
                acc[r][p] = lanes_fma((lanes){lut6_value(low, j), lut6_value(high, j)},
                                      x + j * R + r, acc[r][p]);
    }
}

/* The halves after one another: the palettes of both would not leave registers enough, and with
 * four rows not even those of one, so that lut4 is expanded from there on (MANY_ROWS). */
INLINE void lut4_line(const size_t R, const char *head, const char *line, const float *x,
                      lanes acc[8][8], const size_t p)
{
    EACH (j, 8) {
        __m256 w = lut4_half(head, line, 0, j);
        EACH (r, R)
            acc[r][p].low = _mm256_fmadd_ps(w, _mm256_broadcast_ss(x + j * R + r), acc[r][p].low);
    }
    EACH (j, 8) {
        __m256 w = lut4_half(head, line, 1, j);
        EACH (r, R)
            acc[r][p].high = _mm256_fmadd_ps(w, _mm256_broadcast_ss(x + j * R + r), acc[r][p].high);
    }
}

#define WHOLE_LINE(format, R) ((format) == YOKE_LUT4 || (format) == YOKE_LUT6)

INLINE void whole_line(const yoke_format format, const size_t R, const size_t P, const char *heads,
                       size_t head_stride, const char *lines, size_t stride, const float *x,
                       lanes acc[8][8])
{
    EACH (p, P)
        if (format == YOKE_LUT4)
            lut4_line(R, heads + p * head_stride, lines + p * stride, x, acc, p);
        else
            lut6_line(R, heads + p * head_stride, lines + p * stride, x, acc, p);
}

INLINE __m256 affine(const char *head, size_t half, __m256i q)
{
    __m256 scale = _mm256_load_ps((const float *)head + 8 * half);
    __m256 zero = _mm256_load_ps((const float *)head + 16 + 8 * half);
    return _mm256_mul_ps(_mm256_sub_ps(_mm256_cvtepi32_ps(q), zero), scale);
}

/* The j-th field of `bits` bits of each lane, signed. */
INLINE __m256i signed_field(__m256i fields, size_t j, size_t bits)
{
    int left = (int)(32 - bits * (j + 1)), right = (int)(32 - bits);
    return _mm256_srai_epi32(_mm256_slli_epi32(fields, left), right);
}

INLINE lanes line_int4(const char *head, const char *line, size_t j)
{
    return (lanes){affine(head, 0, signed_field(line_half(line, 0), j, 4)),
                   affine(head, 1, signed_field(line_half(line, 1), j, 4))};
}

INLINE lanes line_int8(const char *head, const char *line, size_t j)
{
    return (lanes){affine(head, 0, signed_field(line_half(line, 0), j, 8)),
                   affine(head, 1, signed_field(line_half(line, 1), j, 8))};
}

#include "engines/cpu/exact_kernels.h"
#else
typedef int exact_avx2_is_for_x86;
#endif
