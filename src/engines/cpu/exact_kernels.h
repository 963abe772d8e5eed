/* The exact kernels, written once over a small vocabulary of vectors and compiled for each
 * instruction set by a file that defines the vocabulary first (exact_avx512.c and its like):
 *
 *   lanes                      16 floats, one for each output of a panel
 *   lanes_zero() lanes_load(p) lanes_store(p, a)
 *   lanes_fma(w, x, a)         a + w * *x, fused, *x for all lanes
 *   line_f32(line) line_f16(line, j) line_bf16(line, j)   the line's j-th k
 *   line_scales(line, block)   f16 scales of a unit's first or second block
 *   line_q8_0(line, j, scales) line_q4_0(line, j, scales)
 *   line_lut4(head, line, j) line_lut6 line_int4 line_int8   head: the panel's table
 *   TILE_PANELS_1 _2 _4 _8     panels side by side for 1, 2, 4, 8 rows: what the registers hold
 *   ROW_BLOCK                  rows together at most
 *   EXACT_NAME EXACT_FEATURES EXACT_TABLE   of the path table
 *   EXACT_EACH(f)              the formats in it, each as f(name, id); all when it is not defined
 *   LUT6_HEAD_BYTES lut6_head(head, to)   for a line_lut6 that wants the palettes in another form
 *   LANES_FMA_MEMORY lanes_fma_memory(w, x, a)   lanes_fma with *x as the instruction's operand:
 *                              beside conversions a core is short of reads of its registers, and
 *                              compilers load what several panels need to one first
 *   MANY_ROWS(format)          the rows from which w is blocked, and expanded if it has to be: as
 *                              measured with AVX2 and AVX-512
 *   WHOLE_LINE(format, R) whole_line(format, R, P, heads, head_stride, lines, stride, x, acc)
 *                              for formats of which a line by P panels is better taken whole
 *
 * A tile is R rows by P panels of sums held in registers over a run of k. What bounds it: at one
 * row the reading of w (P panels are P streams of memory); at many rows the fused multiply-adds.
 * For many rows, 2 panels by BLOCK_K (128 KiB as f32, L2) serve BLOCK_M rows before the next; what
 * takes more than an operation to become f32 is expanded to it first, once for all those rows.
 */
#include <stdbool.h>
#include <string.h>

#include "base/size.h"
#include "engines/cpu/exact.h"
#include "engines/cpu/peak.h"
#include "engines/cpu/unroll.h"

#define BLOCK_K     ((size_t)1024)
#define BLOCK_M     ((size_t)256)
#define BLOCK_N     (CHUNK_PANELS * PANEL_N)
#define PASS_PANELS ((size_t)2)
#define PASS_N      (PASS_PANELS * PANEL_N)
#ifdef LUT6_HEAD_BYTES
#define HEADS_BYTES (CHUNK_PANELS * LUT6_HEAD_BYTES)
#else
#define HEADS_BYTES ((size_t)0)
#endif

_Static_assert(BLOCK_K % 64 == 0, "whole units of every format");
_Static_assert((PASS_N * BLOCK_K + BLOCK_M * PASS_N) * sizeof(float) + HEADS_BYTES <= SCRATCH_BYTES,
               "the blocks fit the scratch");

#ifndef MANY_ROWS
#define MANY_ROWS(format) ((format) == YOKE_F16 ? 96 : 3 * ROW_BLOCK)
#endif
#ifndef LANES_FMA_MEMORY
#define lanes_fma_memory lanes_fma
#endif

/* A unit is one line, or one line of scales and two blocks of lines; a "line" of lut6 is three. */
#define SCALED(format)      ((format) == YOKE_Q8_0 || (format) == YOKE_Q4_0)
#define TABLED(format)      ((format) >= YOKE_LUT1 && (format) <= YOKE_INT8)
#define UNIT_BLOCKS(format) (SCALED(format) ? 2 : 1)
#define BLOCK_LINES(format) ((format) == YOKE_Q8_0 ? 8 : (format) == YOKE_Q4_0 ? 4 : 1)
#define LINE_STEP(format)   ((format) == YOKE_LUT6 ? 3 * LINE_BYTES : LINE_BYTES)
#define LINE_K(format)                                                                             \
    ((format) == YOKE_F32                             ? 1                                          \
     : (format) == YOKE_F16 || (format) == YOKE_BF16  ? 2                                          \
     : (format) == YOKE_Q8_0 || (format) == YOKE_INT8 ? 4                                          \
     : (format) == YOKE_LUT6                          ? 16                                         \
                                                      : 8)

/* Panels side by side: where the first one's table and lines are, and how far apart the next. */
typedef struct strip {
    const char *heads, *lines;
    size_t head_stride, stride;
} strip;

INLINE strip strip_from(strip s, size_t panel)
{
    s.heads += panel * s.head_stride;
    s.lines += panel * s.stride;
    return s;
}

/* The line's j-th k. `head` is the panel's table, `scales` the block's scales, where there are any.
 */
INLINE lanes line_lanes(const yoke_format format, const char *head, const char *line,
                        const size_t j, lanes scales)
{
    switch (format) {
    case YOKE_F32: return line_f32(line);
    case YOKE_F16: return line_f16(line, j);
    case YOKE_BF16: return line_bf16(line, j);
    case YOKE_Q8_0: return line_q8_0(line, j, scales);
    case YOKE_Q4_0: return line_q4_0(line, j, scales);
    case YOKE_LUT4: return line_lut4(head, line, j);
    case YOKE_LUT6: return line_lut6(head, line, j);
    case YOKE_INT4: return line_int4(head, line, j);
    default: return line_int8(head, line, j);
    }
}

INLINE void add_k(const yoke_format format, const size_t R, strip s, const size_t j, lanes scale,
                  const float *x, lanes acc[8][8], const size_t p)
{
    const bool from_memory = format != YOKE_F32 && (format != YOKE_BF16 || R >= 4);
    lanes w = line_lanes(format, s.heads + p * s.head_stride, s.lines + p * s.stride, j, scale);
    EACH (r, R)
        acc[r][p] = from_memory ? lanes_fma_memory(w, x + j * R + r, acc[r][p])
                                : lanes_fma(w, x + j * R + r, acc[r][p]);
}

/* Four k of panel p, and of its neighbour if there is one. Written out: the compilers give up on
 * loops within loops within loops, and a look-up needs a constant k. */
INLINE void add_four(const yoke_format format, const size_t R, const size_t P, strip s,
                     const size_t j, const float *x, lanes acc[8][8], const size_t p)
{
    if (j >= LINE_K(format))
        return;
    add_k(format, R, s, j, lanes_zero(), x, acc, p);
    add_k(format, R, s, j + 1, lanes_zero(), x, acc, p);
    add_k(format, R, s, j + 2, lanes_zero(), x, acc, p);
    add_k(format, R, s, j + 3, lanes_zero(), x, acc, p);
    if (p + 1 >= P)
        return;
    add_k(format, R, s, j, lanes_zero(), x, acc, p + 1);
    add_k(format, R, s, j + 1, lanes_zero(), x, acc, p + 1);
    add_k(format, R, s, j + 2, lanes_zero(), x, acc, p + 1);
    add_k(format, R, s, j + 3, lanes_zero(), x, acc, p + 1);
}

/* acc[R][P] += the k of the line that s is at, by P panels. Panels inside, for the longest distance
 * between two uses of a sum; but the tables of many panels fill the registers: for few rows, whose
 * panels are many, two in turns. */
INLINE void add_line(const yoke_format format, const size_t R, const size_t P, strip s,
                     const lanes scales[8], const float *x, lanes acc[8][8])
{
#ifdef WHOLE_LINE
    if (WHOLE_LINE(format, R)) {
        whole_line(format, R, P, s.heads, s.head_stride, s.lines, s.stride, x, acc);
        return;
    }
#endif
    if (TABLED(format) && R <= 2) {
        EACH (pair, (P + 1) / 2) {
            add_four(format, R, P, s, 0, x, acc, 2 * pair);
            add_four(format, R, P, s, 4, x, acc, 2 * pair);
            add_four(format, R, P, s, 8, x, acc, 2 * pair);
            add_four(format, R, P, s, 12, x, acc, 2 * pair);
        }
        return;
    }
    const size_t line_k = LINE_K(format);
    EACH (j, line_k)
        EACH (p, P)
            add_k(format, R, s, j, scales[p], x, acc, p);
}

/* c[R][P * 16] (+)= the product of R rows of x, packed [k][R], with P panels over `units` units.
 * All the const arguments are constants where it is called, so the inner loops vanish. Nothing is
 * prefetched: the streams are few and straight, and asking for them made reading slower. */
INLINE void tile(const yoke_format format, const size_t R, const size_t P, strip s, size_t units,
                 const float *x, float *c, size_t c_stride, bool add)
{
    lanes acc[8][8];
    EACH (r, R)
        EACH (p, P)
            acc[r][p] = add ? lanes_load(c + r * c_stride + p * PANEL_N) : lanes_zero();

    for (size_t u = 0; u < units; u++) {
        const char *unit = s.lines;
        s.lines += SCALED(format) * LINE_BYTES;
        for (size_t b = 0; b < UNIT_BLOCKS(format); b++) {
            lanes scales[8];
            EACH (p, P)
                scales[p] = SCALED(format) ? line_scales(unit + p * s.stride, b) : lanes_zero();
            for (size_t i = 0; i < BLOCK_LINES(format); i++, s.lines += LINE_STEP(format)) {
                add_line(format, R, P, s, scales, x, acc);
                x += LINE_K(format) * R;
            }
        }
    }

    EACH (r, R)
        EACH (p, P)
            lanes_store(c + r * c_stride + p * PANEL_N, acc[r][p]);
}

/* R rows by `count` panels, in the widest tiles that fit. */
INLINE void rows_tile(const yoke_format format, const size_t R, const size_t P, strip s,
                      size_t count, size_t units, const float *x, float *c, size_t c_stride,
                      bool add)
{
    size_t p = 0;
#define TILE(wide)                                                                                 \
    tile(format, R, wide, strip_from(s, p), units, x, c + p * PANEL_N, c_stride, add), p += (wide)
    while (p + P <= count)
        TILE(P);
    if (P >= 8 && p + 4 <= count)
        TILE(4);
    if (P >= 4 && p + 2 <= count)
        TILE(2);
    while (p < count)
        TILE(1);
#undef TILE
}

INLINE void block_tile(const yoke_format format, size_t rows, strip s, size_t count, size_t units,
                       const float *x, float *c, size_t c_stride, bool add)
{
    switch (rows) {
    case 1: rows_tile(format, 1, TILE_PANELS_1, s, count, units, x, c, c_stride, add); break;
    case 2: rows_tile(format, 2, TILE_PANELS_2, s, count, units, x, c, c_stride, add); break;
    case 4: rows_tile(format, 4, TILE_PANELS_4, s, count, units, x, c, c_stride, add); break;
#if ROW_BLOCK >= 8
    case 8: rows_tile(format, 8, TILE_PANELS_8, s, count, units, x, c, c_stride, add); break;
#endif
    default: break;
    }
}

INLINE const float *packed_rows(const product *p, size_t row)
{
    return (const float *)(const void *)((const char *)p->x + row * exact_row_bytes(p->layout));
}

/* The chunk's panels, and in `heads` their tables where they are wanted in another form. */
INLINE strip chunk_strip(const yoke_format format, const product *p, size_t begin, size_t count,
                         char *heads)
{
    const layout *l = p->layout;
    const char *first = p->panels + begin * l->panel_stride;
    strip s = {first, first + l->head_bytes, l->panel_stride, l->panel_stride};
#ifdef LUT6_HEAD_BYTES
    if (format == YOKE_LUT6) {
        for (size_t i = 0; i < count; i++)
            lut6_head(first + i * l->panel_stride, heads + i * LUT6_HEAD_BYTES);
        s.heads = heads;
        s.head_stride = LUT6_HEAD_BYTES;
    }
#else
    (void)format, (void)count, (void)heads;
#endif
    return s;
}

/* Few rows: straight from the packed weight, all of K in registers. */
INLINE void compute_few(const yoke_format format, const product *p, strip s, size_t begin,
                        size_t count, float *c)
{
    for (size_t row = 0, rows; row < p->m; row += rows) {
        rows = row_block_at(ROW_BLOCK, p->m, row);
        block_tile(format, rows, s, count, p->layout->units, packed_rows(p, row), c, BLOCK_N,
                   false);
        product_store(p, row, rows, begin * PANEL_N, count * PANEL_N, c, BLOCK_N);
    }
}

/* One panel's units as f32 lines. */
INLINE void expand(const yoke_format format, strip s, size_t units, float *to)
{
    const size_t line_k = LINE_K(format);
    const char *from = s.lines;
    for (size_t u = 0; u < units; u++) {
        const char *unit = from;
        from += SCALED(format) * LINE_BYTES;
        for (size_t b = 0; b < UNIT_BLOCKS(format); b++) {
            lanes scales = SCALED(format) ? line_scales(unit, b) : lanes_zero();
            for (size_t i = 0; i < BLOCK_LINES(format); i++, from += LINE_STEP(format)) {
                EACH (j, line_k)
                    lanes_store(to + j * PANEL_N, line_lanes(format, s.heads, from, j, scales));
                to += line_k * PANEL_N;
            }
        }
    }
}

/* Compiled once, whatever the weight's format. */
#define BLOCK(name, format)                                                                        \
    static void block_##name(size_t rows, strip s, size_t count, size_t units, const float *x,     \
                             float *c, bool add)                                                   \
    {                                                                                              \
        block_tile(format, rows, s, count, units, x, c, PASS_N, add);                              \
    }
BLOCK(f32, YOKE_F32)
BLOCK(bf16, YOKE_BF16)

/* The panels' lines from k on, as they lie or expanded to `wide`. */
INLINE strip block_lines(const yoke_format format, const layout *l, strip s, size_t panels,
                         size_t k, size_t run, float *wide)
{
    s.lines += k / l->unit_k * l->unit_bytes;
    if (format == YOKE_F32 || format == YOKE_BF16)
        return s;
    for (size_t i = 0; i < panels; i++)
        expand(format, strip_from(s, i), run / l->unit_k, wide + i * BLOCK_K * PANEL_N);
    return (strip){.lines = (const char *)wide, .stride = BLOCK_K * LINE_BYTES};
}

INLINE void compute_many(const yoke_format format, const product *p, strip s, size_t begin,
                         size_t count, float *scratch)
{
    const layout *l = p->layout;
    const size_t padded = layout_padded_k(l);
    float *wide = scratch, *c = scratch + PASS_N * BLOCK_K;
    for (size_t at = 0; at < count; at += PASS_PANELS) {
        const size_t panels = size_min(PASS_PANELS, count - at);
        for (size_t m = 0; m < p->m; m += BLOCK_M) {
            const size_t m_end = size_min(p->m, m + BLOCK_M);
            if (padded == 0)
                memset(c, 0, (m_end - m) * PASS_N * sizeof *c);
            for (size_t k = 0; k < padded; k += BLOCK_K) {
                const size_t run = size_min(BLOCK_K, padded - k);
                strip lines = block_lines(format, l, strip_from(s, at), panels, k, run, wide);
                for (size_t row = m, rows; row < m_end; row += rows) {
                    rows = row_block_at(ROW_BLOCK, p->m, row);
                    const float *x = packed_rows(p, row) + k * rows;
                    if (format == YOKE_BF16)
                        block_bf16(rows, lines, panels, run / 2, x, c + (row - m) * PASS_N, k > 0);
                    else
                        block_f32(rows, lines, panels, run, x, c + (row - m) * PASS_N, k > 0);
                }
            }
            product_store(p, m, m_end - m, (begin + at) * PANEL_N, panels * PANEL_N, c, PASS_N);
        }
    }
}

#ifndef EXACT_EACH
#define EXACT_EACH(f)                                                                              \
    f(f32, YOKE_F32) f(f16, YOKE_F16) f(bf16, YOKE_BF16) f(q8_0, YOKE_Q8_0) f(q4_0, YOKE_Q4_0)     \
        f(lut4, YOKE_LUT4) f(lut6, YOKE_LUT6) f(int4, YOKE_INT4) f(int8, YOKE_INT8)
#endif

#define COMPUTE(name, format)                                                                      \
    static void compute_##name(const product *p, size_t begin, size_t count, void *scratch)        \
    {                                                                                              \
        strip s =                                                                                  \
            chunk_strip(format, p, begin, count, (char *)scratch + SCRATCH_BYTES - HEADS_BYTES);   \
        if (p->m < MANY_ROWS(format))                                                              \
            compute_few(format, p, s, begin, count, scratch);                                      \
        else                                                                                       \
            compute_many(format, p, s, begin, count, scratch);                                     \
    }
EXACT_EACH(COMPUTE)

/* As many sums as the kernels' widest tile: they fit the registers, and hide the latency of the
 * multiply-add on every core we know of. */
#if ROW_BLOCK >= 8
#define PEAK_SUMS ((size_t)(8 * TILE_PANELS_8))
#else
#define PEAK_SUMS ((size_t)(4 * TILE_PANELS_4))
#endif
#define PEAK_TURNS ((size_t)256)

typedef struct peak_values {
    float weight[PANEL_N], begin[PEAK_SUMS * PANEL_N], end[PEAK_SUMS * PANEL_N], factor;
} peak_values;

static void peak_round(void *arg)
{
    peak_values *values = arg;
    lanes acc[PEAK_SUMS], w = lanes_load(values->weight);
    EACH (i, PEAK_SUMS)
        acc[i] = lanes_load(values->begin + i * PANEL_N);
    for (size_t turn = 0; turn < PEAK_TURNS; turn++)
        EACH (i, PEAK_SUMS)
            acc[i] = lanes_fma(w, &values->factor, acc[i]);
    EACH (i, PEAK_SUMS)
        lanes_store(values->end + i * PANEL_N, acc[i]);
    __asm__ volatile("" : : "r"(values) : "memory"); /* the sums are used */
}

static double peak(uint64_t ns)
{
    peak_values values = {.factor = 0.999f};
    for (size_t i = 0; i < PANEL_N; i++)
        values.weight[i] = 1.0f + (float)i * 1e-3f;
    for (size_t i = 0; i < PEAK_SUMS * PANEL_N; i++)
        values.begin[i] = 1.0f + (float)i * 1e-3f;
    return peak_rate(ns, 2.0 * (double)(PEAK_SUMS * PANEL_N * PEAK_TURNS), peak_round, &values);
}

#define PATH(suffix, id)                                                                           \
    {                                                                                              \
        .name = EXACT_NAME " exact",                                                               \
        .features = EXACT_FEATURES,                                                                \
        .format = id,                                                                              \
        .exact = true,                                                                             \
        .precision = YOKE_PRECISION_FULL,                                                          \
        .min_m = 1,                                                                                \
        .row_block = ROW_BLOCK,                                                                    \
        .row_bytes = exact_row_bytes,                                                              \
        .pack_x = exact_pack_x,                                                                    \
        .compute = compute_##suffix,                                                               \
        .peak = peak,                                                                              \
    },

const path EXACT_TABLE[] = {EXACT_EACH(PATH)};
