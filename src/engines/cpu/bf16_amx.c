/* bf16 weights with x in bf16, by tdpbf16ps. For each output and each 32 k in ascending order, even
 * and odd k are summed apart from zero, then together, then to c, in f32, subnormals taken as zero.
 *
 * 16 lines of a panel, 32 k, are a tile of weights as they lie. What is left of K after whole tiles
 * is copied and padded with zeros: past the end of a panel nothing may be read. pack_x_tiles.h says
 * how x is packed.
 *
 * 32 rows by 2 panels load 4 tiles (4 KB) for 4 products of 16 cycles; a grid's x stays in the L2
 * cache while it walks the chunk's panels. Up to 16 rows read 4 panels at once and are bound by
 * memory. Never run on hardware in this form: the figures are those of the instruction, not of the
 * file.
 */
#include "engines/cpu/dot.h"

#if defined(__x86_64__) || defined(AMX_EMULATED)

#include "engines/cpu/pack_x_tiles.h"

#define PREFETCH_BYTES 2048 /* ahead in each of 4 streams */

/* The thread's scratch. */
typedef struct work {
    float sums[GRID_WORDS]; /* first */
    char w_rest[GRID_PANELS][TILE_ROWS * TILE_BYTES];
} work;

/* Copies what is left of each panel, zero-padded to whole tiles, and points w at the copies. */
static void pad_rest(const layout *l, size_t panels, const char **w, work *t)
{
    size_t bytes = layout_padded_k(l) % TILE_K / l->line_k * LINE_BYTES;
    for (size_t j = 0; j < panels; j++) {
        memcpy(t->w_rest[j], w[j], bytes);
        memset(t->w_rest[j] + bytes, 0, sizeof t->w_rest[j] - bytes);
        w[j] = t->w_rest[j];
    }
}

static inline __attribute__((always_inline)) void
multiply(const size_t row_tiles, const size_t panels, const product *p, const grid *g, work *t)
{
    const layout *l = p->layout;
    const char *w[GRID_PANELS];
    for (size_t j = 0; j < panels; j++)
        w[j] = p->panels + (g->panel + j) * l->panel_stride;
    grid_zero();
    for (size_t tile = 0; tile < tiles_in_k(l); tile++) {
        if (row_tiles == 1)
            for (size_t j = 0; j < panels; j++)
                for (size_t line = 0; line < TILE_ROWS; line++)
                    __builtin_prefetch(w[j] + line * LINE_BYTES + PREFETCH_BYTES);
        if ((tile + 1) * TILE_K > layout_padded_k(l))
            pad_rest(l, panels, w, t);
        tile_at x[2] = {{0}, {0}};
        for (size_t i = 0; i < row_tiles; i++)
            x[i] = x_tile(l, p->x, g->row + i * TILE_ROWS, grid_tile_rows(g, i), tile);
        grid_step(false, row_tiles, panels, x, w);
        for (size_t j = 0; j < panels; j++)
            w[j] += TILE_ROWS * LINE_BYTES;
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
    .row_bytes = x_tiles_row_bytes,
    .pack_x = x_tiles_pack,
    .compute = compute,
    .peak = peak,
};

#endif
