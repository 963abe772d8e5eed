/* How the AMX paths use the 8 tiles. A grid is either
 *
 *   2 row tiles by up to 2 panels:  sums 0 1 / 2 3, x in 4 5, weights in 6 7
 *   1 row tile by up to 4 panels:   sums 0 1 2 3, x in 4, weights in 5 6 7 5
 *
 * The first loads 4 tiles for 4 products, the second 5, but reads 4 streams of weights at once. The
 * weights of a panel are a tile as they lie: lines are rows. */
#ifndef CPU_AMX_GRID_H
#define CPU_AMX_GRID_H

#include <stdbool.h>

#include "base/size.h"
#include "engines/cpu/amx_tile.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/peak.h"

#define GRID_PANELS ((size_t)4)

/* Words of a row where the sums of a grid are stored. */
#define GRID_STRIDE (GRID_PANELS * PANEL_N)
#define GRID_WORDS  (2 * TILE_ROWS * GRID_STRIDE)

/* A tile in memory. */
typedef struct tile_at {
    const char *at;
    size_t row; /* bytes from one row to the next */
} tile_at;

/* One grid: which rows of the slab, which panels. */
typedef struct grid {
    size_t row, rows; /* rows <= 32 */
    size_t panel, panels;
} grid;

/* The rows of row tile `tile` (0 or 1) of a grid; 0 when there is none. */
static inline size_t grid_tile_rows(const grid *g, size_t tile)
{
    return g->rows > tile * TILE_ROWS ? size_min(TILE_ROWS, g->rows - tile * TILE_ROWS) : 0;
}

/* The grid at (row, panel) of a slab of m rows and a chunk that ends at panel `end`. */
static inline grid grid_at(size_t row, size_t m, size_t panel, size_t end)
{
    size_t rows = size_min(2 * TILE_ROWS, m - row);
    size_t most = rows > TILE_ROWS ? GRID_PANELS / 2 : GRID_PANELS;
    return (grid){row, rows, panel, size_min(most, end - panel)};
}

/* Configures the tiles for the rows of a grid, x_bytes of each in a tile. */
static inline void grid_configure(const grid *g, size_t x_bytes)
{
    tile_config config = {.palette = 1};
    size_t rows0 = grid_tile_rows(g, 0), rows1 = grid_tile_rows(g, 1);
    bool two = rows1 != 0;
    for (size_t t = 0; t < 8; t++) {
        bool sums = t < 4, x = t == 4 || (two && t == 5);
        config.row_bytes[t] = (uint16_t)(x ? x_bytes : TILE_BYTES);
        config.rows[t] = (uint8_t)(sums || x ? rows0 : x_bytes / 4);
    }
    if (two)
        config.rows[2] = config.rows[3] = config.rows[5] = (uint8_t)rows1;
    tile_configure(&config);
}

/* c += a * b by the instruction that the constant `int8` chooses. */
#define GRID_MULTIPLY(c, a, b)                                                                     \
    do {                                                                                           \
        if (int8)                                                                                  \
            tile_dp_i8(c, a, b);                                                                   \
        else                                                                                       \
            tile_dp_bf16(c, a, b);                                                                 \
    } while (0)

/* Adds the products of the tiles x[0 .. row_tiles) and w[0 .. panels) to the sums. int8,
 * row_tiles (1 or 2) and panels are constants where this is inlined. */
static inline __attribute__((always_inline)) void
grid_step(bool int8, size_t row_tiles, size_t panels, const tile_at *x, const char *const *w)
{
    tile_load(4, x[0].at, x[0].row);
    if (row_tiles == 2) {
        tile_load(6, w[0], LINE_BYTES);
        tile_load(5, x[1].at, x[1].row);
        GRID_MULTIPLY(0, 4, 6);
        GRID_MULTIPLY(2, 5, 6);
        if (panels == 1)
            return;
        tile_load(7, w[1], LINE_BYTES);
        GRID_MULTIPLY(1, 4, 7);
        GRID_MULTIPLY(3, 5, 7);
        return;
    }
    tile_load(5, w[0], LINE_BYTES);
    GRID_MULTIPLY(0, 4, 5);
    if (panels > 1) {
        tile_load(6, w[1], LINE_BYTES);
        GRID_MULTIPLY(1, 4, 6);
    }
    if (panels > 2) {
        tile_load(7, w[2], LINE_BYTES);
        GRID_MULTIPLY(2, 4, 7);
    }
    if (panels > 3) {
        tile_load(5, w[3], LINE_BYTES);
        GRID_MULTIPLY(3, 4, 5);
    }
}

static inline void grid_zero(void)
{
    tile_zero(0);
    tile_zero(1);
    tile_zero(2);
    tile_zero(3);
}

/* Stores the sums, 32-bit words, as 16 or 32 rows of GRID_STRIDE. */
static inline __attribute__((always_inline)) void grid_store(size_t row_tiles, size_t panels,
                                                             void *to)
{
    char *first = to;
    size_t stride = GRID_STRIDE * 4, right = PANEL_N * 4, below = TILE_ROWS * stride;
    tile_store(0, first, stride);
    if (panels > 1)
        tile_store(1, first + right, stride);
    if (row_tiles == 2) {
        tile_store(2, first + below, stride);
        if (panels > 1)
            tile_store(3, first + below + right, stride);
        return;
    }
    if (panels > 2)
        tile_store(2, first + 2 * right, stride);
    if (panels > 3)
        tile_store(3, first + 3 * right, stride);
}

/* Sums of one grid into the scratch, which begins with GRID_WORDS floats for them. */
typedef void grid_sum(const product *p, const grid *g, void *scratch);

/* Walks a chunk grid by grid: for each 32 rows all its panels, so that x stays in the L2 cache. */
static inline void grid_walk(const product *p, size_t begin, size_t count, size_t x_bytes,
                             grid_sum *sum, void *scratch)
{
    size_t end = begin + count;
    grid g;
    for (size_t row = 0; row < p->m; row += g.rows) {
        g = grid_at(row, p->m, begin, end);
        grid_configure(&g, x_bytes);
        for (; g.panels != 0; g = grid_at(row, p->m, g.panel + g.panels, end)) {
            sum(p, &g, scratch);
            product_store(p, row, g.rows, g.panel * PANEL_N, g.panels * PANEL_N, scratch,
                          GRID_STRIDE);
        }
    }
    tile_release();
}

#define GRID_PEAK_TURNS 64

static inline __attribute__((always_inline)) void grid_peak_round(bool int8)
{
    for (size_t turn = 0; turn < GRID_PEAK_TURNS; turn++) {
        GRID_MULTIPLY(0, 4, 6);
        GRID_MULTIPLY(1, 4, 7);
        GRID_MULTIPLY(2, 5, 6);
        GRID_MULTIPLY(3, 5, 7);
    }
}

static inline void grid_peak_bf16(void *arg)
{
    (void)arg;
    grid_peak_round(false);
}

static inline void grid_peak_int8(void *arg)
{
    (void)arg;
    grid_peak_round(true);
}

/* The peak of an AMX path, on whole tiles. values: a tile, without zeros. */
static inline double grid_peak(bool int8, uint64_t ns, const void *values)
{
    grid whole = {.rows = 2 * TILE_ROWS};
    grid_configure(&whole, TILE_BYTES);
    grid_zero();
    tile_load(4, values, TILE_BYTES);
    tile_load(5, values, TILE_BYTES);
    tile_load(6, values, TILE_BYTES);
    tile_load(7, values, TILE_BYTES);
    double products = (double)(TILE_ROWS * TILE_BYTES * PANEL_N) / (int8 ? 1 : 2);
    double rate = peak_rate(ns, 2 * products * 4 * GRID_PEAK_TURNS,
                            int8 ? grid_peak_int8 : grid_peak_bf16, NULL);
    tile_release();
    return rate;
}

#endif
