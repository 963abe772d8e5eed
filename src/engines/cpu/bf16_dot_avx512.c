/* bf16 weights with x in bf16, by vdpbf16ps: for each output, c = (c + x1 * w1) + x0 * w0 over the
 * pairs of k in ascending order, rounded to f32 at each addition, subnormals taken as zero.
 *
 * A line of a panel is one operand, 16 outputs by a pair of k; packed x is
 *
 *   block of R rows   [k0 k1 of row 0][k0 k1 of row 1] .. [of row R-1]   [k2 k3 of row 0] ..
 *
 * and each pair is broadcast from memory. Blocks of 8 rows by 3 panels keep 24 sums in registers,
 * so a line is used 8 times: bound by vdpbf16ps (one each cycle on Zen 4, one each two on Intel's
 * cores). From 1 row on it is bound by reading the weights: 8 panels are 8 streams of memory.
 */
#include "engines/cpu/dot.h"

#if defined(__x86_64__) && !defined(__APPLE__) /* no Mac has it, and older clang fails at it */

#include <immintrin.h>

#include "engines/cpu/dot_walk.h"
#include "engines/cpu/interleave.h"
#include "engines/cpu/pack_x_bf16.h"
#include "engines/cpu/peak.h"
#include "engines/cpu/unroll.h"

#define ROW_BLOCK ((size_t)8)
#define MAX_SUMS  24

INLINE void multiply(const layout *l, const size_t rows, const size_t panels, const char *x,
                     const char *w, float *c)
{
    const uint32_t *pair = (const uint32_t *)(const void *)x;
    __m512 sum[MAX_SUMS];
    __m512bh weights[CHUNK_PANELS];
    UNROLL
    for (size_t i = 0; i < rows * panels; i++)
        sum[i] = _mm512_setzero_ps();
    for (size_t unit = 0; unit < l->units; unit++, w += LINE_BYTES, pair += rows) {
        UNROLL
        for (size_t j = 0; j < panels; j++) {
            const char *line = w + j * l->panel_stride;
            weights[j] = (__m512bh)_mm512_load_si512(line);
        }
        UNROLL
        for (size_t r = 0; r < rows; r++) {
            __m512bh both = (__m512bh)_mm512_set1_epi32((int)pair[r]);
            UNROLL
            for (size_t j = 0; j < panels; j++)
                sum[r * panels + j] = _mm512_dpbf16_ps(sum[r * panels + j], weights[j], both);
        }
    }
    UNROLL
    for (size_t i = 0; i < rows * panels; i++)
        _mm512_store_ps(c + i * PANEL_N, sum[i]);
}

static void block(const layout *l, size_t rows, size_t panels, const char *x, const char *w,
                  dot_ahead ahead, float *c)
{
    (void)ahead;
#define CASE(r, p)                                                                                 \
    case r * 10 + p: multiply(l, r, p, x, w, c); break
    switch (rows * 10 + panels) {
        CASE(8, 3);
        CASE(8, 2);
        CASE(8, 1);
        CASE(4, 4);
        CASE(4, 3);
        CASE(4, 2);
        CASE(4, 1);
        CASE(2, 8);
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

static size_t row_bytes(const layout *l)
{
    return layout_padded_k(l) * sizeof(uint16_t);
}

static void compute(const product *p, size_t begin, size_t count, void *scratch)
{
    dot_kernel kernel = {block, ROW_BLOCK, row_bytes(p->layout)};
    dot_walk(p, begin, count, p->m >= 8 ? 3 : p->m >= 4 ? 4 : 8, &kernel, scratch);
}

static void pack_x(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to)
{
    size_t padded = layout_padded_k(l);
    uint16_t run[ROW_BLOCK * X_BF16_MAX], *out = to;
    for (size_t k = 0; k < padded; k += X_BF16_MAX) {
        size_t count = size_min(X_BF16_MAX, padded - k);
        for (size_t r = 0; r < rows; r++)
            x_read_bf16(x, row + r, k, count, run + r * X_BF16_MAX);
        interleave(run, X_BF16_MAX / 2, rows, count / 2, out + k * rows);
    }
}

#define PEAK_SUMS  16
#define PEAK_TURNS 256

static void peak_round(void *arg)
{
    const uint16_t *values = arg;
    __m512bh a = (__m512bh)_mm512_loadu_si512(values);
    __m512bh b = (__m512bh)_mm512_loadu_si512(values + 32);
    __m512 sum[PEAK_SUMS];
    UNROLL
    for (size_t i = 0; i < PEAK_SUMS; i++) {
        sum[i] = _mm512_setzero_ps();
        __asm__ volatile("" : "+v"(sum[i])); /* or one sum is computed for all, being alike */
    }
    for (size_t turn = 0; turn < PEAK_TURNS; turn++)
        UNROLL
    for (size_t i = 0; i < PEAK_SUMS; i++)
        sum[i] = _mm512_dpbf16_ps(sum[i], a, b);
    UNROLL
    for (size_t i = 0; i < PEAK_SUMS; i++)
        __asm__ volatile("" : : "v"(sum[i])); /* or the loop is left out */
}

static double peak(uint64_t ns)
{
    uint16_t values[64];
    peak_fill_bf16(values, 64);
    return peak_rate(ns, 2.0 * 32 * PEAK_SUMS * PEAK_TURNS, peak_round, values);
}

const path path_bf16_avx512bf16 = {
    .name = "avx512_bf16 dot",
    .features = YOKE_CPU_AVX512 | YOKE_CPU_AVX512_BF16,
    .format = YOKE_BF16,
    .precision = YOKE_PRECISION_BF16_X,
    .bf16_x = true,
    .min_m = 1,
    .row_block = ROW_BLOCK,
    .row_bytes = row_bytes,
    .pack_x = pack_x,
    .compute = compute,
    .peak = peak,
};

#endif
