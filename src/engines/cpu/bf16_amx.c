/* bf16 weights with x in bf16, by tdpbf16ps. For each output and each 32 k in ascending order, even
 * and odd k are summed apart from zero, then together, then to c, in f32, subnormals taken as zero.
 *
 * 16 lines of a panel, 32 k, are a tile of weights as they lie. Packed x is
 *
 *   16 rows         tiles of 16 rows x 32 k, one after the other, the last with what is left of k
 *   fewer rows      row after row, which a tile of that many rows is read from with their stride
 *
 * What is left of K after whole tiles is copied and padded with zeros, x and weights both: past the
 * end of a panel nothing may be read, and what lies past a row of x could be NaN.
 *
 * 32 rows by 2 panels load 4 tiles (4 KB) for 4 products of 16 cycles; a grid's x stays in the L2
 * cache while it walks the chunk's panels. Up to 16 rows read 4 panels at once and are bound by
 * memory. Never run on hardware in this form: the figures are those of the instruction, not of the
 * file.
 */
#include "engines/cpu/dot.h"

#if defined(__x86_64__) || defined(AMX_EMULATED)

#include "engines/cpu/amx_grid.h"
#include "engines/cpu/pack_x_bf16.h"

#define TILE_K         ((size_t)32)
#define PREFETCH_BYTES 2048 /* ahead in each of 4 streams */

/* The thread's scratch. */
typedef struct work {
    float sums[GRID_WORDS]; /* first */
    char x_rest[2][TILE_ROWS * TILE_BYTES];
    char w_rest[GRID_PANELS][TILE_ROWS * TILE_BYTES];
} work;

static size_t row_bytes(const layout *l)
{
    return layout_padded_k(l) * sizeof(uint16_t);
}

static bool whole_tile(size_t rows)
{
    return rows == TILE_ROWS;
}

/* Where packed rows [0, rows) have their k from `k` on, `count` of them, `from` being their begin.
 */
static tile_at packed_at(const layout *l, const char *from, size_t rows, size_t k, size_t count)
{
    if (whole_tile(rows))
        return (tile_at){from + k * sizeof(uint16_t) * TILE_ROWS, count * sizeof(uint16_t)};
    return (tile_at){from + k * sizeof(uint16_t), row_bytes(l)};
}

static void pack_x(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to)
{
    size_t padded = layout_padded_k(l);
    for (size_t k = 0; k < padded; k += TILE_K) {
        size_t count = size_min(TILE_K, padded - k);
        tile_at tile = packed_at(l, to, rows, k, count);
        for (size_t r = 0; r < rows; r++)
            x_read_bf16(x, row + r, k, count, (uint16_t *)(void *)(tile.at + r * tile.row));
    }
}

/* Copies what is left of K, zero-padded to whole tiles, and points x and w at the copies. */
static void pad_rest(const product *p, const grid *g, size_t k, tile_at *x, const char **w, work *t)
{
    size_t count = layout_padded_k(p->layout) - k;
    for (size_t i = 0; i < 2; i++) {
        size_t rows = grid_tile_rows(g, i);
        memset(t->x_rest[i], 0, sizeof t->x_rest[i]);
        const char *begin = (const char *)p->x + (g->row + i * TILE_ROWS) * row_bytes(p->layout);
        tile_at from = packed_at(p->layout, begin, rows, k, count);
        for (size_t r = 0; r < rows; r++)
            memcpy(t->x_rest[i] + r * TILE_BYTES, from.at + r * from.row, count * sizeof(uint16_t));
        x[i] = (tile_at){t->x_rest[i], TILE_BYTES};
    }
    for (size_t j = 0; j < g->panels; j++) {
        size_t bytes = count / 2 * LINE_BYTES;
        memcpy(t->w_rest[j], w[j], bytes);
        memset(t->w_rest[j] + bytes, 0, sizeof t->w_rest[j] - bytes);
        w[j] = t->w_rest[j];
    }
}

static inline __attribute__((always_inline)) void
multiply(const size_t row_tiles, const size_t panels, const product *p, const grid *g, work *t)
{
    size_t padded = layout_padded_k(p->layout), whole = padded / TILE_K;
    const char *begin = (const char *)p->x + g->row * row_bytes(p->layout);
    tile_at x[2] = {{0}, {0}};
    size_t x_step[2] = {0};
    for (size_t i = 0; i < row_tiles; i++) {
        size_t rows = grid_tile_rows(g, i);
        x[i] = packed_at(p->layout, begin + i * TILE_ROWS * row_bytes(p->layout), rows, 0, TILE_K);
        x_step[i] = TILE_K * sizeof(uint16_t) * (whole_tile(rows) ? TILE_ROWS : 1);
    }
    const char *w[GRID_PANELS];
    for (size_t j = 0; j < panels; j++)
        w[j] = p->panels + (g->panel + j) * p->layout->panel_stride;
    grid_zero();
    for (size_t step = 0; step < whole; step++) {
        if (row_tiles == 1)
            for (size_t j = 0; j < panels; j++)
                for (size_t line = 0; line < TILE_ROWS; line++)
                    __builtin_prefetch(w[j] + line * LINE_BYTES + PREFETCH_BYTES);
        grid_step(false, row_tiles, panels, x, w);
        for (size_t i = 0; i < row_tiles; i++)
            x[i].at += x_step[i];
        for (size_t j = 0; j < panels; j++)
            w[j] += TILE_ROWS * LINE_BYTES;
    }
    if (padded > whole * TILE_K) {
        pad_rest(p, g, whole * TILE_K, x, w, t);
        grid_step(false, row_tiles, panels, x, w);
    }
    grid_store(row_tiles, panels, t->sums);
}

static void grid_sums(const product *p, const grid *g, void *scratch)
{
    work *t = scratch;
    switch ((g->rows > TILE_ROWS ? 20 : 10) + g->panels) {
    case 22: multiply(2, 2, p, g, t); break;
    case 21: multiply(2, 1, p, g, t); break;
    case 14: multiply(1, 4, p, g, t); break;
    case 13: multiply(1, 3, p, g, t); break;
    case 12: multiply(1, 2, p, g, t); break;
    case 11: multiply(1, 1, p, g, t); break;
    }
}

static void compute(const product *p, size_t begin, size_t count, void *scratch)
{
    grid_walk(p, begin, count, TILE_BYTES, grid_sums, scratch);
}

static double peak(uint64_t ns)
{
    uint16_t values[TILE_ROWS * TILE_BYTES / sizeof(uint16_t)];
    peak_fill_bf16(values, sizeof values / sizeof *values);
    return grid_peak(false, ns, values);
}

const path path_bf16_amx = {
    .name = "amx_bf16 tiles",
    .features = YOKE_CPU_AVX512 | YOKE_CPU_AMX_BF16,
    .format = YOKE_BF16,
    .precision = YOKE_PRECISION_BF16_X,
    .bf16_x = true,
    .min_m = 4, /* below, vdpbf16ps keeps up with memory and needs no tiles */
    .row_block = TILE_ROWS,
    .row_bytes = row_bytes,
    .pack_x = pack_x,
    .compute = compute,
    .peak = peak,
};

#endif
