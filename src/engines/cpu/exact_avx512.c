/* The exact kernels in AVX-512. */
#ifdef __x86_64__
#include "engines/cpu/exact_avx512.h"

#define EXACT_NAME     "avx512"
#define EXACT_FEATURES (YOKE_CPU_AVX2 | YOKE_CPU_AVX512)
#define EXACT_TABLE    exact_avx512
#define MANY_ROWS(format)                                                                          \
    ((format) == YOKE_F16 || (format) == YOKE_BF16 || (format) == YOKE_LUT4 ? SIZE_MAX             \
     : (format) == YOKE_F32                                                 ? 3 * ROW_BLOCK        \
     : (format) == YOKE_LUT6                                                ? 2 * ROW_BLOCK        \
                                                                            : 5 * ROW_BLOCK)

/* The 16 outputs' values of one k; what a gather reads past a palette stays within the panel. */
static inline lanes line_lut6(const char *head, const char *line, size_t j)
{
    const __m512i second = _mm512_mask_set1_epi32(_mm512_setzero_si512(), 0xff00, 64);
    __m512i q = _mm512_shuffle_epi8(lut6_bytes(line, j / 4), lut6_spread(j % 4));
    q = _mm512_add_epi32(_mm512_and_si512(q, _mm512_set1_epi32(63)), second);
    __m512i halves = _mm512_i32gather_epi32(q, head, 2);
    return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(halves));
}

#include "engines/cpu/exact_kernels.h"
#else
typedef int exact_avx512_is_for_x86;
#endif
