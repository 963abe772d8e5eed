/* f16, q8_0, q4_0, lut4 and lut6 weights with x in bf16, by tdpbf16ps: each weight is the exact sum
 * of two or three bf16 parts (bf16_parts.h), and y the sum of x times each of them. So every
 * product is exact, and what is rounded is the f32 sum, as with bf16 weights: for each output and
 * each 32 k in ascending order, for each part, the largest first, even and odd k are summed apart
 * from zero, then together, then to c, subnormals taken as zero.
 *
 * Expanding a weight costs more than several products of it. So 2 panels by BLOCK_TILES tiles (32
 * KiB, for the L1 cache) serve up to SUM_ROWS rows, whose sums wait in the scratch, 4 KiB for 32
 * rows by 2 panels; x of those rows and that k stays in the L2 cache for all panels of the chunk.
 *
 * Never run on hardware in this form: on a model of the tiles alone. The sizes are reckoned, not
 * measured. */
#include "engines/cpu/dot.h"

#if defined(__x86_64__) || defined(AMX_EMULATED)

#include "engines/cpu/bf16_parts.h"
#include "engines/cpu/pack_x_tiles.h"

#define BLOCK_TILES ((size_t)32)
#define SUM_ROWS    ((size_t)512)
#define GROUP_ROWS  (2 * TILE_ROWS)
#define SUM_STRIDE  (PAIR * PANEL_N)

typedef float group_sums[GROUP_ROWS * SUM_STRIDE];

/* The thread's scratch. */
typedef struct work {
    group_sums sums[CHUNK_PANELS / PAIR][SUM_ROWS / GROUP_ROWS];
    char weights[BLOCK_TILES][W_TILE]; /* [tile in K][part][panel of the pair] */
    size_t configured;                 /* rows of the grid that the tiles are configured for */
} work;

_Static_assert(sizeof(work) <= SCRATCH_BYTES, "fits");

/* A run of tiles in K, and the two panels or one that it is multiplied with. */
typedef struct block {
    size_t panel, panels; /* the first within the chunk */
    size_t tile, tiles;
} block;

static void expand_block(const product *p, size_t begin, const block *b, work *t)
{
    const size_t parts = parts_of(p->layout->format);
    for (size_t j = 0; j < b->panels; j++) {
        const char *panel = p->panels + (begin + b->panel + j) * p->layout->panel_stride;
        for (size_t i = 0; i < b->tiles; i++)
            expand_tile(p->layout, panel, b->tile + i, t->weights + i * parts * PAIR + j);
    }
}

/* The sums are in tiles 0 1 / 2 3, x in 4 5 and the weights in 6 7, as amx_grid.h has them. */
INLINE void sums_load(const size_t row_tiles, const size_t panels, const float *from)
{
    const size_t stride = SUM_STRIDE * sizeof *from;
    tile_load(0, from, stride);
    if (panels == 2)
        tile_load(1, from + PANEL_N, stride);
    if (row_tiles == 2)
        tile_load(2, from + TILE_ROWS * SUM_STRIDE, stride);
    if (row_tiles == 2 && panels == 2)
        tile_load(3, from + TILE_ROWS * SUM_STRIDE + PANEL_N, stride);
}

INLINE void sums_store(const size_t row_tiles, const size_t panels, float *to)
{
    const size_t stride = SUM_STRIDE * sizeof *to;
    tile_store(0, to, stride);
    if (panels == 2)
        tile_store(1, to + PANEL_N, stride);
    if (row_tiles == 2)
        tile_store(2, to + TILE_ROWS * SUM_STRIDE, stride);
    if (row_tiles == 2 && panels == 2)
        tile_store(3, to + TILE_ROWS * SUM_STRIDE + PANEL_N, stride);
}

INLINE void add_parts(const size_t parts, const size_t row_tiles, const size_t panels,
                      char (*weights)[W_TILE])
{
    EACH (part, parts) {
        tile_load(6, weights[part * PAIR], LINE_BYTES);
        tile_dp_bf16(0, 4, 6);
        if (row_tiles == 2)
            tile_dp_bf16(2, 5, 6);
        if (panels == 1)
            continue;
        tile_load(7, weights[part * PAIR + 1], LINE_BYTES);
        tile_dp_bf16(1, 4, 7);
        if (row_tiles == 2)
            tile_dp_bf16(3, 5, 7);
    }
}

/* Adds a block's products with the rows of g to their sums. */
INLINE void multiply(const size_t parts, const size_t row_tiles, const size_t panels,
                     const product *p, const grid *g, const block *b, work *t, float *sums)
{
    if (b->tile == 0)
        grid_zero();
    else
        sums_load(row_tiles, panels, sums);
    for (size_t i = 0; i < b->tiles; i++) {
        tile_at x[2] = {{0}, {0}};
        for (size_t r = 0; r < row_tiles; r++)
            x[r] =
                x_tile(p->layout, p->x, g->row + r * TILE_ROWS, grid_tile_rows(g, r), b->tile + i);
        tile_load(4, x[0].at, x[0].row);
        if (row_tiles == 2)
            tile_load(5, x[1].at, x[1].row);
        add_parts(parts, row_tiles, panels, t->weights + i * parts * PAIR);
    }
    sums_store(row_tiles, panels, sums);
}

INLINE void multiply_parts(const size_t parts, const product *p, const grid *g, const block *b,
                           work *t, float *sums)
{
    switch ((g->rows > TILE_ROWS ? 20 : 10) + b->panels) {
    case 22: multiply(parts, 2, 2, p, g, b, t, sums); break;
    case 21: multiply(parts, 2, 1, p, g, b, t, sums); break;
    case 12: multiply(parts, 1, 2, p, g, b, t, sums); break;
    case 11: multiply(parts, 1, 1, p, g, b, t, sums); break;
    }
}

/* 32 rows at `row`, or what there is of them until `end`. */
static grid group_at(size_t row, size_t end)
{
    return (grid){.row = row, .rows = size_min(GROUP_ROWS, end - row)};
}

static void multiply_block(const product *p, size_t row, size_t end, const block *b, work *t)
{
    group_sums *sums = t->sums[b->panel / PAIR];
    for (; row < end; row += GROUP_ROWS, sums++) {
        grid g = group_at(row, end);
        if (g.rows != t->configured)
            grid_configure(&g, TILE_BYTES);
        t->configured = g.rows;
        if (parts_of(p->layout->format) == 2)
            multiply_parts(2, p, &g, b, t, *sums);
        else
            multiply_parts(3, p, &g, b, t, *sums);
    }
}

static void store_rows(const product *p, size_t row, size_t end, size_t begin, size_t count,
                       const work *t)
{
    for (size_t panel = 0; panel < count; panel += PAIR) {
        const group_sums *sums = t->sums[panel / PAIR];
        size_t cols = size_min(PAIR, count - panel) * PANEL_N;
        for (size_t at = row; at < end; at += GROUP_ROWS, sums++)
            product_store(p, at, group_at(at, end).rows, (begin + panel) * PANEL_N, cols, *sums,
                          SUM_STRIDE);
    }
}

static void compute(const product *p, size_t begin, size_t count, void *scratch)
{
    work *t = scratch;
    const size_t tiles = tiles_in_k(p->layout);
    const size_t most = BLOCK_TILES / PAIR / parts_of(p->layout->format);
    t->configured = 0;
    for (size_t row = 0; row < p->m; row += SUM_ROWS) {
        size_t end = row + size_min(SUM_ROWS, p->m - row);
        for (size_t tile = 0; tile < tiles; tile += most)
            for (size_t panel = 0; panel < count; panel += PAIR) {
                block b = {panel, size_min(PAIR, count - panel), tile,
                           size_min(most, tiles - tile)};
                expand_block(p, begin, &b, t);
                multiply_block(p, row, end, &b, t);
            }
        store_rows(p, row, end, begin, count, t);
    }
    tile_release();
}

/* Of the tiles; a multiply-add takes one of them for each part. */
static double peak_of_tiles(uint64_t ns)
{
    uint16_t values[TILE_ROWS * TILE_BYTES / sizeof(uint16_t)];
    peak_fill_bf16(values, sizeof values / sizeof *values);
    return grid_peak(false, ns, values);
}

static double peak_of_2(uint64_t ns)
{
    return peak_of_tiles(ns) / 2;
}

static double peak_of_3(uint64_t ns)
{
    return peak_of_tiles(ns) / 3;
}

#define PATH(weight_format, least_rows, peak_of_parts)                                             \
    {                                                                                              \
        .name = "amx_bf16 parts", .features = YOKE_CPU_AVX512 | YOKE_CPU_AMX_BF16,                 \
        .format = weight_format, .precision = YOKE_PRECISION_BF16_X, .bf16_x = true,               \
        .min_m = least_rows, .row_block = TILE_ROWS, .chunk_panels = CHUNK_PANELS,                 \
        .row_bytes = x_tiles_row_bytes, .pack_x = x_tiles_pack, .compute = compute,                \
        .peak = peak_of_parts,                                                                     \
    }

/* Below so many rows expanding costs more than it saves; of lut6, a gather for each 16 weights. */
const path path_f16_parts = PATH(YOKE_F16, 16, peak_of_2);
const path path_q8_0_parts = PATH(YOKE_Q8_0, 16, peak_of_3);
const path path_q4_0_parts = PATH(YOKE_Q4_0, 16, peak_of_2);
const path path_lut4_parts = PATH(YOKE_LUT4, 16, peak_of_2);
const path path_lut6_parts = PATH(YOKE_LUT6, 64, peak_of_2);

#endif
