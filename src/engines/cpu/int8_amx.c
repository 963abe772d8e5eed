/* q8_0, q4_0 and int8 weights with x in int8, by tdpbssd: for each output and each block of 32 k
 * the dot in int32, exact, and then what int8_dot_avx512.c says, with the same bits.
 *
 * A block's 8 lines of q8_0 or int8 are a tile of weights as they lie; nibbles are first expanded
 * to one, and what int8 has of a last block is filled up with zeros. Packed x is
 *
 *   16 rows         tiles of 16 rows x 32 k, one after the other, then the scales [block][row]
 *   fewer rows      each row: its q, then its scales
 *
 * and, for int8, after the scales and in their order, minus the sum of each block's q_x.
 *
 * Each product of tiles is followed by a store of the dots and three vector operations for each
 * row: those bound it, at an eighth or so of what tdpbssd alone does. Worth it from 16 rows on.
 * Never run on hardware in this form.
 */
#include "engines/cpu/dot.h"

#if defined(__x86_64__) || defined(AMX_EMULATED)

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "engines/cpu/amx_grid.h"
#include "engines/cpu/pack_x_int8.h"
#include "engines/cpu/unroll.h"

#define BLOCK_LINES (X_INT8_BLOCK / 4) /* of int8 */

/* The thread's scratch. */
typedef struct work {
    float sums[GRID_WORDS]; /* first */
    int32_t dots[GRID_WORDS];
    float w_scales[GRID_PANELS][PANEL_N];
    int8_t weights[GRID_PANELS][BLOCK_LINES * LINE_BYTES]; /* that are not tiles as they lie */
} work;

/* Up to 16 packed rows. */
typedef struct packed_rows {
    char *q;
    size_t q_row, q_block;         /* bytes from one to the next */
    float *scale, *minus_sum;      /* the second of int8 */
    size_t scale_row, scale_block; /* floats from one to the next, of either */
} packed_rows;

static size_t row_bytes(const layout *l)
{
    size_t floats = l->format == YOKE_INT8 ? 2 : 1;
    return x_int8_blocks(l) * (X_INT8_BLOCK + floats * sizeof(float));
}

static packed_rows packed_at(const layout *l, void *from, size_t rows)
{
    size_t blocks = x_int8_blocks(l), bytes = blocks * X_INT8_BLOCK;
    packed_rows at = {.q = from, .q_row = X_INT8_BLOCK, .scale_row = 1, .scale_block = 1};
    if (rows == TILE_ROWS) {
        bytes *= TILE_ROWS;
        at.q_block = X_INT8_BLOCK * TILE_ROWS;
        at.scale_block = TILE_ROWS;
    } else {
        at.q_row = row_bytes(l);
        at.q_block = X_INT8_BLOCK;
        at.scale_row = row_bytes(l) / sizeof(float);
    }
    at.scale = (float *)(void *)(at.q + bytes);
    at.minus_sum = at.scale + blocks * at.scale_block;
    return at;
}

static void pack_x(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to)
{
    packed_rows packed = packed_at(l, to, rows);
    float run[X_INT8_RUN * X_INT8_BLOCK];
    for (size_t r = 0; r < rows; r++)
        for (size_t b = 0; b < x_int8_blocks(l); b++) {
            int8_t *q = (int8_t *)packed.q + r * packed.q_row + b * packed.q_block;
            size_t at = r * packed.scale_row + b * packed.scale_block;
            packed.scale[at] = x_read_int8(x, row + r, b, run, q);
            if (l->format == YOKE_INT8)
                packed.minus_sum[at] = (float)-x_int8_sum(q);
        }
}

/* 16 outputs at a time: f16 scales to f32, and what is added to sums for a block. Written in
 * instructions, because compilers take the plain loops apart. */
#ifdef __AVX512F__

static inline void scales_to_f32(const char *halves, float *scales)
{
    _mm512_storeu_ps(scales, _mm512_cvtph_ps(_mm256_loadu_si256((const void *)halves)));
}

static inline void add_dots(const int32_t *dots, const float *w_scales, float x_scale, float *sums)
{
    __m512 scale = _mm512_mul_ps(_mm512_loadu_ps(w_scales), _mm512_set1_ps(x_scale));
    __m512 dot = _mm512_cvtepi32_ps(_mm512_loadu_si512(dots));
    _mm512_storeu_ps(sums, _mm512_fmadd_ps(dot, scale, _mm512_loadu_ps(sums)));
}

static inline void add_int8_dots(const int32_t *dots, const float *zeros, float x_minus_sum,
                                 float x_scale, float *sums)
{
    __m512 dot = _mm512_cvtepi32_ps(_mm512_loadu_si512(dots));
    dot = _mm512_fmadd_ps(_mm512_loadu_ps(zeros), _mm512_set1_ps(x_minus_sum), dot);
    _mm512_storeu_ps(sums, _mm512_fmadd_ps(dot, _mm512_set1_ps(x_scale), _mm512_loadu_ps(sums)));
}

#else

static inline void scales_to_f32(const char *halves, float *scales)
{
    for (size_t n = 0; n < PANEL_N; n++) {
        uint16_t half;
        memcpy(&half, halves + n * sizeof half, sizeof half);
        scales[n] = f16_to_f32(half);
    }
}

static inline void add_dots(const int32_t *dots, const float *w_scales, float x_scale, float *sums)
{
    for (size_t n = 0; n < PANEL_N; n++)
        sums[n] = fmaf((float)dots[n], w_scales[n] * x_scale, sums[n]);
}

static inline void add_int8_dots(const int32_t *dots, const float *zeros, float x_minus_sum,
                                 float x_scale, float *sums)
{
    for (size_t n = 0; n < PANEL_N; n++)
        sums[n] = fmaf(fmaf(zeros[n], x_minus_sum, (float)dots[n]), x_scale, sums[n]);
}

#endif

/* Lines of nibbles (value + 8), two quadruples of k each, to lines of int8, one each. */
static void expand_nibbles(const char *from, int8_t *to)
{
    for (size_t line = 0; line < BLOCK_LINES; line += 2, from += LINE_BYTES)
        for (size_t i = 0; i < LINE_BYTES; i++) {
            uint8_t both = (uint8_t)from[i];
            to[line * LINE_BYTES + i] = (int8_t)((both & 0x0f) - 8);
            to[(line + 1) * LINE_BYTES + i] = (int8_t)((both >> 4) - 8);
        }
}

static inline const char *panel_at(const product *p, const grid *g, size_t panel)
{
    return p->panels + (g->panel + panel) * p->layout->panel_stride;
}

/* An int8 panel begins with 16 scales and 16 zeros. */
static inline const float *head_floats(const char *panel, size_t which)
{
    return (const float *)(const void *)panel + which * PANEL_N;
}

/* Where the tile of a block of an int8 panel is. */
static inline const char *take_int8(const layout *l, const char *panel, size_t block,
                                    int8_t *weights)
{
    size_t first = block * BLOCK_LINES, lines = size_min(BLOCK_LINES, l->units - first);
    const char *from = panel + l->head_bytes + first * LINE_BYTES;
    if (lines == BLOCK_LINES)
        return from;
    memset(weights, 0, BLOCK_LINES * LINE_BYTES);
    memcpy(weights, from, lines * LINE_BYTES);
    return (const char *)weights;
}

/* Makes block `block` of `panels` panels ready: scales in f32, and where its tiles are. */
INLINE void take_weights(const yoke_format format, const size_t panels, const product *p,
                         const grid *g, size_t block, const char **w, work *t)
{
    const layout *l = p->layout;
    size_t half = block % 2, lines = format == YOKE_Q4_0 ? BLOCK_LINES / 2 : BLOCK_LINES;
    for (size_t j = 0; j < panels; j++) {
        const char *panel = panel_at(p, g, j);
        if (format == YOKE_INT8) {
            w[j] = take_int8(l, panel, block, t->weights[j]);
            continue;
        }
        const char *unit = panel + block / 2 * l->unit_bytes;
        scales_to_f32(unit + half * LINE_BYTES / 2, t->w_scales[j]);
        w[j] = unit + (1 + half * lines) * LINE_BYTES;
        if (format == YOKE_Q4_0) {
            expand_nibbles(w[j], t->weights[j]);
            w[j] = (const char *)t->weights[j];
        }
    }
}

/* Adds the dots of `block` in row tile `tile`, whose x is at `rows`. */
INLINE void add_rows(const yoke_format format, const size_t panels, const product *p, const grid *g,
                     size_t tile, const packed_rows *rows, size_t block, work *t)
{
    for (size_t r = 0; r < grid_tile_rows(g, tile); r++)
        for (size_t j = 0; j < panels; j++) {
            size_t at = (tile * TILE_ROWS + r) * GRID_STRIDE + j * PANEL_N;
            size_t x = r * rows->scale_row + block * rows->scale_block;
            if (format == YOKE_INT8)
                add_int8_dots(t->dots + at, head_floats(panel_at(p, g, j), 1), rows->minus_sum[x],
                              rows->scale[x], t->sums + at);
            else
                add_dots(t->dots + at, t->w_scales[j], rows->scale[x], t->sums + at);
        }
}

static void scale_sums(const product *p, const grid *g, work *t)
{
    for (size_t r = 0; r < g->rows; r++)
        for (size_t j = 0; j < g->panels; j++)
            for (size_t n = 0; n < PANEL_N; n++)
                t->sums[r * GRID_STRIDE + j * PANEL_N + n] *= head_floats(panel_at(p, g, j), 0)[n];
}

INLINE void multiply(const yoke_format format, const size_t row_tiles, const size_t panels,
                     const product *p, const grid *g, work *t)
{
    packed_rows rows[2] = {{0}, {0}};
    for (size_t i = 0; i < row_tiles; i++) {
        const char *from = (const char *)p->x + (g->row + i * TILE_ROWS) * row_bytes(p->layout);
        rows[i] = packed_at(p->layout, (void *)(uintptr_t)from, grid_tile_rows(g, i));
    }
    memset(t->sums, 0, sizeof t->sums);
    for (size_t block = 0; block < x_int8_blocks(p->layout); block++) {
        const char *w[GRID_PANELS];
        take_weights(format, panels, p, g, block, w, t);
        tile_at x[2] = {{0}, {0}};
        for (size_t i = 0; i < row_tiles; i++)
            x[i] = (tile_at){rows[i].q + block * rows[i].q_block, rows[i].q_row};
        grid_zero();
        grid_step(true, row_tiles, panels, x, w);
        grid_store(row_tiles, panels, t->dots);
        for (size_t i = 0; i < row_tiles; i++)
            add_rows(format, panels, p, g, i, &rows[i], block, t);
    }
    if (format == YOKE_INT8)
        scale_sums(p, g, t);
}

INLINE void format_sums(const yoke_format format, const product *p, const grid *g, work *t)
{
    switch ((g->rows > TILE_ROWS ? 20 : 10) + g->panels) {
    case 22: multiply(format, 2, 2, p, g, t); break;
    case 21: multiply(format, 2, 1, p, g, t); break;
    case 14: multiply(format, 1, 4, p, g, t); break;
    case 13: multiply(format, 1, 3, p, g, t); break;
    case 12: multiply(format, 1, 2, p, g, t); break;
    case 11: multiply(format, 1, 1, p, g, t); break;
    }
}

static void grid_sums(const product *p, const grid *g, void *scratch)
{
    switch (p->layout->format) {
    case YOKE_Q8_0: format_sums(YOKE_Q8_0, p, g, scratch); break;
    case YOKE_Q4_0: format_sums(YOKE_Q4_0, p, g, scratch); break;
    default: format_sums(YOKE_INT8, p, g, scratch); break;
    }
}

static void compute(const product *p, size_t begin, size_t count, void *scratch)
{
    grid_walk(p, begin, count, X_INT8_BLOCK, grid_sums, scratch);
}

static double peak(uint64_t ns)
{
    uint16_t values[TILE_ROWS * TILE_BYTES / sizeof(uint16_t)];
    peak_fill_int8(values, sizeof values);
    return grid_peak(true, ns, values);
}

#define PATH(weight_format)                                                                        \
    {                                                                                              \
        .name = "amx_int8 tiles", .features = YOKE_CPU_AVX512 | YOKE_CPU_AMX_INT8,                 \
        .format = weight_format, .precision = YOKE_PRECISION_INT8_X, .min_m = TILE_ROWS,           \
        .row_block = TILE_ROWS, .row_bytes = row_bytes, .pack_x = pack_x, .compute = compute,      \
        .peak = peak,                                                                              \
    }

const path path_q8_0_amx = PATH(YOKE_Q8_0);
const path path_q4_0_amx = PATH(YOKE_Q4_0);
const path path_int8_amx = PATH(YOKE_INT8);

#endif
