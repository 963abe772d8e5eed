/* q8_0 and q4_0 weights with x in int8, by tdpbssd. For each output and each block of 32 k in
 * ascending order: dot = sum of q_x * q_w in int32, exact; c = fma((float)dot, d_w * d_x, c) in
 * f32: the bits are those of int8_dot_avx512.c.
 *
 * A block's 8 lines of q8_0 are a tile of weights as they lie; nibbles are first expanded to one.
 * Packed x is
 *
 *   16 rows         tiles of 16 rows x 32 k, one after the other, then the scales [block][row]
 *   fewer rows      each row: its q, then its scales
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

#define X_BLOCK_BYTES (X_INT8_BLOCK + sizeof(float)) /* of packed x in a row */
#define BLOCK_LINES   (X_INT8_BLOCK / 4)             /* of int8 */

/* The thread's scratch. */
typedef struct work {
    float sums[GRID_WORDS]; /* first */
    int32_t dots[GRID_WORDS];
    float w_scales[GRID_PANELS][PANEL_N];
    int8_t weights[GRID_PANELS][BLOCK_LINES * LINE_BYTES]; /* expanded nibbles */
} work;

/* Up to 16 packed rows. */
typedef struct packed_rows {
    char *q;
    size_t q_row, q_block; /* bytes from one to the next */
    float *scale;
    size_t scale_row, scale_block; /* floats from one to the next */
} packed_rows;

static size_t row_bytes(const layout *l)
{
    return layout_padded_k(l) / X_INT8_BLOCK * X_BLOCK_BYTES;
}

static packed_rows packed_at(const layout *l, void *from, size_t rows)
{
    size_t k = layout_padded_k(l);
    char *q = from;
    if (rows == TILE_ROWS)
        return (packed_rows){
            q, X_INT8_BLOCK, X_INT8_BLOCK * TILE_ROWS, (float *)(void *)(q + k * TILE_ROWS),
            1, TILE_ROWS};
    return (packed_rows){
        q, row_bytes(l), X_INT8_BLOCK, (float *)(void *)(q + k), row_bytes(l) / sizeof(float), 1};
}

static void pack_x(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to)
{
    packed_rows packed = packed_at(l, to, rows);
    size_t blocks = layout_padded_k(l) / X_INT8_BLOCK;
    for (size_t r = 0; r < rows; r++)
        for (size_t b = 0; b < blocks; b++) {
            int8_t *q = (int8_t *)packed.q + r * packed.q_row + b * packed.q_block;
            packed.scale[r * packed.scale_row + b * packed.scale_block] =
                x_read_int8(x, row + r, b * X_INT8_BLOCK, q);
        }
}

/* 16 outputs at a time: f16 scales to f32, and sums += (float)dots * (w_scales * x_scale). Written
 * in instructions, because compilers take the plain loops apart. */
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

/* Makes block `block` of `panels` panels ready: scales in f32, and where its tiles are. */
static inline __attribute__((always_inline)) void take_weights(const bool q4, const size_t panels,
                                                               const product *p, const grid *g,
                                                               size_t block, const char **w,
                                                               work *t)
{
    const layout *l = p->layout;
    size_t half = block % 2, lines = q4 ? BLOCK_LINES / 2 : BLOCK_LINES;
    for (size_t j = 0; j < panels; j++) {
        const char *unit = p->panels + (g->panel + j) * l->panel_stride + block / 2 * l->unit_bytes;
        scales_to_f32(unit + half * LINE_BYTES / 2, t->w_scales[j]);
        w[j] = unit + (1 + half * lines) * LINE_BYTES;
        if (q4) {
            expand_nibbles(w[j], t->weights[j]);
            w[j] = (const char *)t->weights[j];
        }
    }
}

static inline __attribute__((always_inline)) void add_rows(const size_t panels, size_t first,
                                                           size_t count, const float *x_scale,
                                                           size_t x_scale_row, work *t)
{
    for (size_t r = 0; r < count; r++)
        for (size_t j = 0; j < panels; j++) {
            size_t at = (first + r) * GRID_STRIDE + j * PANEL_N;
            add_dots(t->dots + at, t->w_scales[j], x_scale[r * x_scale_row], t->sums + at);
        }
}

static inline __attribute__((always_inline)) void multiply(const bool q4, const size_t row_tiles,
                                                           const size_t panels, const product *p,
                                                           const grid *g, work *t)
{
    packed_rows rows[2] = {{0}, {0}};
    for (size_t i = 0; i < row_tiles; i++) {
        const char *from = (const char *)p->x + (g->row + i * TILE_ROWS) * row_bytes(p->layout);
        rows[i] = packed_at(p->layout, (void *)(uintptr_t)from, grid_tile_rows(g, i));
    }
    memset(t->sums, 0, sizeof t->sums);
    for (size_t block = 0; block < layout_padded_k(p->layout) / X_INT8_BLOCK; block++) {
        const char *w[GRID_PANELS];
        take_weights(q4, panels, p, g, block, w, t);
        tile_at x[2] = {{0}, {0}};
        for (size_t i = 0; i < row_tiles; i++)
            x[i] = (tile_at){rows[i].q + block * rows[i].q_block, rows[i].q_row};
        grid_zero();
        grid_step(true, row_tiles, panels, x, w);
        grid_store(row_tiles, panels, t->dots);
        for (size_t i = 0; i < row_tiles; i++)
            add_rows(panels, i * TILE_ROWS, grid_tile_rows(g, i),
                     rows[i].scale + block * rows[i].scale_block, rows[i].scale_row, t);
    }
}

static inline __attribute__((always_inline)) void grid_sums(const bool q4, const product *p,
                                                            const grid *g, work *t)
{
    switch ((g->rows > TILE_ROWS ? 20 : 10) + g->panels) {
    case 22: multiply(q4, 2, 2, p, g, t); break;
    case 21: multiply(q4, 2, 1, p, g, t); break;
    case 14: multiply(q4, 1, 4, p, g, t); break;
    case 13: multiply(q4, 1, 3, p, g, t); break;
    case 12: multiply(q4, 1, 2, p, g, t); break;
    case 11: multiply(q4, 1, 1, p, g, t); break;
    }
}

static void grid_sums_q8(const product *p, const grid *g, void *scratch)
{
    grid_sums(false, p, g, scratch);
}

static void grid_sums_q4(const product *p, const grid *g, void *scratch)
{
    grid_sums(true, p, g, scratch);
}

static void compute(const product *p, size_t begin, size_t count, void *scratch)
{
    grid_sum *sum = p->layout->format == YOKE_Q4_0 ? grid_sums_q4 : grid_sums_q8;
    grid_walk(p, begin, count, X_INT8_BLOCK, sum, scratch);
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

#endif
