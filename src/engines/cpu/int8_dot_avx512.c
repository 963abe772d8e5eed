/* q8_0, q4_0 and int8 weights with x in int8, by vpdpbusd. For each output and each block of 32 k
 * in ascending order: dot = sum of q_x * q_w in int32, exact; then in f32
 *
 *   q8_0, q4_0   c = fma((float)dot, d_w * d_x, c)
 *   int8         c = fma(fma(-zero, (float)(sum of q_x), (float)dot), d_x, c); y = c * scale
 *
 * The inner fma is the sum of q_x * (q_w - zero), rounded once: a zero of 0 changes nothing, so
 * that panels without zeros leave it out, and an infinite x gives the infinity that it should. c is
 * y over the scale: it has to be within f32. K of int8 may end within a block.
 *
 * vpdpbusd takes its first operand unsigned. An int8 weight is made so by flipping its top bit
 * (q + 128), a q4_0 nibble is q + 8 as it is stored; the sum begins at -128 or -8 times the sum of
 * the block's q_x, which undoes that. Packed x is, for each block of 32 k,
 *
 *   block of R rows   8 x [k0 .. k3 of row 0] .. [of row R-1]   [scale] x R   [first dot] x R
 *
 * From 4 rows on it is bound by vpdpbusd (up to two each cycle) and the multiplications that follow
 * each block, one (int8) or two for 8 vpdpbusd; at 1 row by reading the weights: 8 panels are 8
 * streams of memory.
 */
#include "engines/cpu/dot.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "engines/cpu/dot_walk.h"
#include "engines/cpu/interleave.h"
#include "engines/cpu/pack_x_int8.h"
#include "engines/cpu/peak.h"
#include "engines/cpu/unroll.h"

#define ROW_BLOCK   ((size_t)4)
#define MAX_SUMS    12
#define CHUNK       ((size_t)24) /* panels: 8 groups, of which all but the first are fetched ahead */
#define QUADS       ((size_t)8)  /* in a block of 32 k */
#define BLOCK_WORDS (QUADS + 2)  /* of packed x in a row: the scale and the first dot follow */

/* What follows a block's quadruples of k in packed x, one for each row. */
static inline const float *scales(const int32_t *x, size_t rows)
{
    return (const float *)(const void *)(x + QUADS * rows);
}

static inline const int32_t *first_dots(const int32_t *x, size_t rows)
{
    return x + (QUADS + 1) * rows;
}

/* An int8 panel begins with 16 scales and 16 zeros. */
INLINE __m512 head_zeros(const layout *l, const char *w, size_t panel)
{
    return _mm512_load_ps(w + panel * l->panel_stride + PANEL_N * sizeof(float));
}

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

INLINE void add_line(const yoke_format format, const layout *l, const size_t rows,
                     const size_t panels, const char *line, const int32_t *x, __m512i *dot)
{
    UNROLL
    for (size_t j = 0; j < panels; j++) {
        const char *from = line + j * l->panel_stride;
        if (format == YOKE_Q4_0)
            dot_q4(rows, panels, from, x, dot + j);
        else
            dot_q8(rows, panels, from, x, dot + j);
    }
}

/* A block's dots. x: its packed rows; left: the quadruples of k from its first on. */
INLINE void block_dots(const yoke_format format, const layout *l, const size_t rows,
                       const size_t panels, const int32_t *x, const char *line, size_t left,
                       __m512i *dot)
{
    const size_t line_quads = format == YOKE_Q4_0 ? 2 : 1;
    UNROLL
    for (size_t i = 0; i < rows * panels; i++)
        dot[i] = _mm512_set1_epi32(first_dots(x, rows)[i / panels]);
    if (format == YOKE_INT8 && left < QUADS) {
        for (size_t i = 0; i < left; i++)
            add_line(format, l, rows, panels, line + i * LINE_BYTES, x + i * rows, dot);
        return;
    }
    UNROLL
    for (size_t i = 0; i < QUADS; i += line_quads, line += LINE_BYTES)
        add_line(format, l, rows, panels, line, x + i * rows, dot);
}

/* What follows a block's dots. halves: the first panel's scales. */
INLINE void add_scaled(const layout *l, const size_t rows, const size_t panels, const int32_t *x,
                       const char *halves, const __m512i *dot, __m512 *sum)
{
    UNROLL
    for (size_t j = 0; j < panels; j++) {
        const char *from = halves + j * l->panel_stride;
        __m512 scale = _mm512_cvtph_ps(_mm256_load_si256((const __m256i *)(const void *)from));
        UNROLL
        for (size_t r = 0; r < rows; r++) {
            __m512 both = _mm512_mul_ps(scale, _mm512_set1_ps(scales(x, rows)[r]));
            __m512 value = _mm512_cvtepi32_ps(dot[r * panels + j]);
            sum[r * panels + j] = _mm512_fmadd_ps(value, both, sum[r * panels + j]);
        }
    }
}

/* The same of int8. zeros: whether any is not 0. */
INLINE void add_int8(const bool zeros, const layout *l, const size_t rows, const size_t panels,
                     const int32_t *x, const char *w, const __m512i *dot, __m512 *sum)
{
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        __m512i first = _mm512_set1_epi32(first_dots(x, rows)[r]);
        __m512 minus_sum = _mm512_cvtepi32_ps(_mm512_srai_epi32(first, 7)), value;
        UNROLL
        for (size_t j = 0; j < panels; j++) {
            value = _mm512_cvtepi32_ps(dot[r * panels + j]);
            if (zeros)
                value = _mm512_fmadd_ps(head_zeros(l, w, j), minus_sum, value);
            sum[r * panels + j] =
                _mm512_fmadd_ps(value, _mm512_set1_ps(scales(x, rows)[r]), sum[r * panels + j]);
        }
    }
}

INLINE void multiply(const yoke_format format, const bool zeros, const layout *l, const size_t rows,
                     const size_t panels, const char *x, const char *w, dot_ahead ahead, float *c)
{
    const size_t lines = format == YOKE_Q4_0 ? QUADS / 2 : QUADS, total = layout_padded_k(l) / 4;
    const int32_t *words = (const int32_t *)(const void *)x;
    const size_t ahead_step = ahead.bytes / (total / QUADS + 1);
    const char *limit = ahead.from;
    __m512 sum[MAX_SUMS];
    __m512i dot[MAX_SUMS];
    UNROLL
    for (size_t i = 0; i < rows * panels; i++)
        sum[i] = _mm512_setzero_ps();
    for (size_t quad = 0, block = 0; quad < total; quad += QUADS, block++) {
        if (format == YOKE_INT8) {
            const char *line = w + l->head_bytes + quad * LINE_BYTES;
            block_dots(format, l, rows, panels, words, line, total - quad, dot);
            add_int8(zeros, l, rows, panels, words, w, dot, sum);
        } else {
            const char *unit = w + block / 2 * l->unit_bytes;
            const char *line = unit + (1 + block % 2 * lines) * LINE_BYTES;
            block_dots(format, l, rows, panels, words, line, QUADS, dot);
            add_scaled(l, rows, panels, words, unit + block % 2 * (LINE_BYTES / 2), dot, sum);
        }
        words += rows * BLOCK_WORDS;
        for (limit += ahead_step; ahead.from < limit; ahead.from += LINE_BYTES)
            _mm_prefetch(ahead.from, _MM_HINT_T1);
    }
    UNROLL
    for (size_t i = 0; i < rows * panels; i++) {
        if (format == YOKE_INT8)
            sum[i] = _mm512_mul_ps(sum[i], _mm512_load_ps(w + i % panels * l->panel_stride));
        _mm512_store_ps(c + i * PANEL_N, sum[i]);
    }
}

INLINE void shape_block(const yoke_format format, const bool zeros, const layout *l, size_t rows,
                        size_t panels, const char *x, const char *w, dot_ahead ahead, float *c)
{
#define CASE(r, p)                                                                                 \
    case r * 10 + p: multiply(format, zeros, l, r, p, x, w, ahead, c); break
    switch (rows * 10 + panels) {
        CASE(4, 3);
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

static bool has_zeros(const layout *l, size_t panels, const char *w)
{
    __mmask16 found = 0;
    for (size_t j = 0; j < panels; j++)
        found |= _mm512_cmp_ps_mask(head_zeros(l, w, j), _mm512_setzero_ps(), _CMP_NEQ_UQ);
    return found != 0;
}

static void block(const layout *l, size_t rows, size_t panels, const char *x, const char *w,
                  dot_ahead ahead, float *c)
{
    if (l->format == YOKE_Q8_0)
        shape_block(YOKE_Q8_0, false, l, rows, panels, x, w, ahead, c);
    else if (l->format == YOKE_Q4_0)
        shape_block(YOKE_Q4_0, false, l, rows, panels, x, w, ahead, c);
    else if (has_zeros(l, panels, w))
        shape_block(YOKE_INT8, true, l, rows, panels, x, w, ahead, c);
    else
        shape_block(YOKE_INT8, false, l, rows, panels, x, w, ahead, c);
}

static size_t row_bytes(const layout *l)
{
    return x_int8_blocks(l) * BLOCK_WORDS * sizeof(int32_t);
}

static void compute(const product *p, size_t begin, size_t count, void *scratch)
{
    dot_kernel kernel = {block, ROW_BLOCK, row_bytes(p->layout)};
    dot_walk(p, begin, count, p->m >= 4 ? 3 : p->m >= 2 ? 4 : 8, &kernel, scratch);
}

/* What a block of a row is packed to, before the rows are taken together. */
typedef struct block_words {
    int8_t q[X_INT8_BLOCK];
    float scale;
    int32_t first_dot;
} block_words;

_Static_assert(sizeof(block_words) == BLOCK_WORDS * sizeof(int32_t), "no padding");

static void pack_x(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to)
{
    int32_t offset = l->format == YOKE_Q4_0 ? 8 : 128, *words = to;
    block_words of[ROW_BLOCK];
    float runs[ROW_BLOCK][X_INT8_RUN * X_INT8_BLOCK];
    for (size_t b = 0; b < x_int8_blocks(l); b++, words += rows * BLOCK_WORDS) {
        for (size_t r = 0; r < rows; r++) {
            of[r].scale = x_read_int8(x, row + r, b, runs[r], of[r].q);
            of[r].first_dot = -offset * x_int8_sum(of[r].q);
        }
        interleave(of, BLOCK_WORDS, rows, BLOCK_WORDS, words);
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
        .row_block = ROW_BLOCK, .chunk_panels = CHUNK, .row_bytes = row_bytes, .pack_x = pack_x,   \
        .compute = compute, .peak = peak,                                                          \
    }

const path path_q8_0_vnni = PATH(YOKE_Q8_0);
const path path_q4_0_vnni = PATH(YOKE_Q4_0);
const path path_int8_vnni = PATH(YOKE_INT8);

#endif
