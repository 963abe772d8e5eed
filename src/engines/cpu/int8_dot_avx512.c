/* q8_0 and q4_0 weights with x in int8, by vpdpbusd. For each output and each block of 32 k in
 * ascending order: dot = sum of q_x * q_w in int32, exact; c = fma((float)dot, d_w * d_x, c) in
 * f32.
 *
 * vpdpbusd takes its first operand unsigned. A q8_0 weight is made so by flipping its top bit
 * (q + 128), a q4_0 nibble is q + 8 as it is stored; the sum begins at -128 or -8 times the sum of
 * the block's q_x, which undoes that. Packed x is, for each block of 32 k,
 *
 *   block of R rows   8 x [k0 .. k3 of row 0] .. [of row R-1]   [scale] x R   [first dot] x R
 *
 * From 4 rows on it is bound by vpdpbusd (up to two each cycle) and, a third as many, what follows
 * each block; at 1 row by reading the weights: 8 panels are 8 streams of memory.
 */
#include "engines/cpu/dot.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "engines/cpu/dot_walk.h"
#include "engines/cpu/pack_x_int8.h"
#include "engines/cpu/peak.h"
#include "engines/cpu/unroll.h"

#define ROW_BLOCK   ((size_t)4)
#define MAX_SUMS    12
#define QUADS       ((size_t)8) /* in a block of 32 k */
#define BLOCK_WORDS (QUADS + 2) /* of packed x in a row: the scale and the first dot follow */

/* Adds a line's products, of one quadruple of k, to the dots of its panel; x: that of each row. */
INLINE void dot_q8(const size_t rows, const size_t step, const char *line, const int32_t *x,
                   __m512i *dot)
{
    __m512i q = _mm512_xor_si512(_mm512_load_si512(line), _mm512_set1_epi8((char)0x80));
    UNROLL
    for (size_t r = 0; r < rows; r++)
        dot[r * step] = _mm512_dpbusd_epi32(dot[r * step], q, _mm512_set1_epi32(x[r]));
}

/* The same for the two quadruples of a line of nibbles. */
INLINE void dot_q4(const size_t rows, const size_t step, const char *line, const int32_t *x,
                   __m512i *dot)
{
    const __m512i nibble = _mm512_set1_epi8(0x0f);
    __m512i both = _mm512_load_si512(line);
    __m512i low = _mm512_and_si512(both, nibble);
    __m512i high = _mm512_and_si512(_mm512_srli_epi16(both, 4), nibble);
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        __m512i d = _mm512_dpbusd_epi32(dot[r * step], low, _mm512_set1_epi32(x[r]));
        dot[r * step] = _mm512_dpbusd_epi32(d, high, _mm512_set1_epi32(x[rows + r]));
    }
}

INLINE void multiply(const bool q4, const layout *l, const size_t rows, const size_t panels,
                     const char *x, const char *w, float *c)
{
    const size_t line_quads = q4 ? 2 : 1, lines = QUADS / line_quads;
    __m512 sum[MAX_SUMS];
    UNROLL
    for (size_t i = 0; i < rows * panels; i++)
        sum[i] = _mm512_setzero_ps();
    for (size_t block = 0; block < 2 * l->units; block++) {
        const int32_t *quads = (const int32_t *)(const void *)x;
        const float *scales = (const float *)(const void *)(quads + QUADS * rows);
        const int32_t *first = quads + (QUADS + 1) * rows;
        const char *halves = w + block / 2 * l->unit_bytes + block % 2 * (LINE_BYTES / 2);
        const char *line = w + block / 2 * l->unit_bytes + (1 + block % 2 * lines) * LINE_BYTES;
        __m512i dot[MAX_SUMS];
        UNROLL
        for (size_t i = 0; i < rows * panels; i++)
            dot[i] = _mm512_set1_epi32(first[i / panels]);
        UNROLL
        for (size_t i = 0; i < lines; i++, line += LINE_BYTES, quads += line_quads * rows) {
            UNROLL
            for (size_t j = 0; j < panels; j++) {
                const char *from = line + j * l->panel_stride;
                if (q4)
                    dot_q4(rows, panels, from, quads, dot + j);
                else
                    dot_q8(rows, panels, from, quads, dot + j);
            }
        }
        UNROLL
        for (size_t j = 0; j < panels; j++) {
            const char *from = halves + j * l->panel_stride;
            __m512 scale = _mm512_cvtph_ps(_mm256_load_si256((const __m256i *)(const void *)from));
            UNROLL
            for (size_t r = 0; r < rows; r++)
                sum[r * panels + j] = _mm512_fmadd_ps(
                    _mm512_cvtepi32_ps(dot[r * panels + j]),
                    _mm512_mul_ps(scale, _mm512_set1_ps(scales[r])), sum[r * panels + j]);
        }
        x += rows * BLOCK_WORDS * sizeof(int32_t);
    }
    UNROLL
    for (size_t i = 0; i < rows * panels; i++)
        _mm512_store_ps(c + i * PANEL_N, sum[i]);
}

INLINE void block(const bool q4, const layout *l, size_t rows, size_t panels, const char *x,
                  const char *w, float *c)
{
#define CASE(r, p)                                                                                 \
    case r * 10 + p: multiply(q4, l, r, p, x, w, c); break
    switch (rows * 10 + panels) {
        CASE(4, 2);
        CASE(4, 1);
        CASE(2, 4);
        CASE(2, 3);
        CASE(2, 2);
        CASE(2, 1);
        CASE(1, 8);
        CASE(1, 4);
        CASE(1, 3);
        CASE(1, 2);
        CASE(1, 1);
    }
#undef CASE
}

static void block_q8(const layout *l, size_t rows, size_t panels, const char *x, const char *w,
                     float *c)
{
    block(false, l, rows, panels, x, w, c);
}

static void block_q4(const layout *l, size_t rows, size_t panels, const char *x, const char *w,
                     float *c)
{
    block(true, l, rows, panels, x, w, c);
}

static size_t row_bytes(const layout *l)
{
    return layout_padded_k(l) / X_INT8_BLOCK * BLOCK_WORDS * sizeof(int32_t);
}

static void compute(const product *p, size_t begin, size_t count, void *scratch)
{
    dot_kernel kernel = {p->layout->format == YOKE_Q4_0 ? block_q4 : block_q8, ROW_BLOCK,
                         row_bytes(p->layout)};
    dot_walk(p, begin, count, p->m >= 4 ? 2 : p->m >= 2 ? 4 : 8, &kernel, scratch);
}

static void pack_x(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to)
{
    int32_t offset = l->format == YOKE_Q4_0 ? 8 : 128;
    size_t blocks = layout_padded_k(l) / X_INT8_BLOCK;
    int8_t q[X_INT8_BLOCK];
    for (size_t r = 0; r < rows; r++) {
        int32_t *words = (int32_t *)to + r;
        for (size_t b = 0; b < blocks; b++, words += rows * BLOCK_WORDS) {
            float scale = x_read_int8(x, row + r, b * X_INT8_BLOCK, q);
            int32_t sum = 0;
            for (size_t i = 0; i < X_INT8_BLOCK; i++)
                sum += q[i];
            int32_t first = -offset * sum;
            for (size_t quad = 0; quad < QUADS; quad++)
                memcpy(words + quad * rows, q + 4 * quad, 4);
            memcpy(words + QUADS * rows, &scale, sizeof scale);
            memcpy(words + (QUADS + 1) * rows, &first, sizeof first);
        }
    }
}

#define PEAK_SUMS  16
#define PEAK_TURNS 256

static void peak_round(void *arg)
{
    const char *values = arg;
    __m512i a = _mm512_loadu_si512(values);
    __m512i b = _mm512_loadu_si512(values + 64);
    __m512i dot[PEAK_SUMS];
    UNROLL
    for (size_t i = 0; i < PEAK_SUMS; i++) {
        dot[i] = _mm512_setzero_si512();
        __asm__ volatile("" : "+v"(dot[i])); /* or one sum is computed for all, being alike */
    }
    for (size_t turn = 0; turn < PEAK_TURNS; turn++)
        UNROLL
    for (size_t i = 0; i < PEAK_SUMS; i++)
        dot[i] = _mm512_dpbusd_epi32(dot[i], a, b);
    UNROLL
    for (size_t i = 0; i < PEAK_SUMS; i++)
        __asm__ volatile("" : : "v"(dot[i])); /* or the loop is left out */
}

static double peak(uint64_t ns)
{
    char values[128];
    peak_fill_int8(values, sizeof values);
    return peak_rate(ns, 2.0 * 64 * PEAK_SUMS * PEAK_TURNS, peak_round, values);
}

#define PATH(weight_format)                                                                        \
    {                                                                                              \
        .name = "avx512_vnni dot", .features = YOKE_CPU_AVX512 | YOKE_CPU_AVX512_VNNI,             \
        .format = weight_format, .precision = YOKE_PRECISION_INT8_X, .min_m = 1,                   \
        .row_block = ROW_BLOCK, .row_bytes = row_bytes, .pack_x = pack_x, .compute = compute,      \
        .peak = peak,                                                                              \
    }

const path path_q8_0_vnni = PATH(YOKE_Q8_0);
const path path_q4_0_vnni = PATH(YOKE_Q4_0);

#endif
