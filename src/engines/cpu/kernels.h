/* Paths: the ways a product can be computed, and what the engine hands them.
 *
 * The engine (run.c) cuts a product into slabs of rows and chunks of panels, packs x, and lets
 * every thread compute chunks. A path is the arithmetic: how x is packed for it and what happens to
 * a chunk. Each is listed in paths.c; the portable ones come first and fill every slot, faster ones
 * take precedence where the CPU has what they need.
 */
#ifndef CPU_KERNELS_H
#define CPU_KERNELS_H

#include <stdint.h>

#include "engines/cpu/layout.h"
#include "yoke/engine.h"
#include "yoke/host.h"

/* One product as a chunk sees it: a slab of rows, a window of panels. */
typedef struct product {
    const layout *layout;
    const char *panels;   /* the window's first panel */
    size_t panel_count;   /* in the window */
    const void *x;        /* the slab, packed by the path's pack_x */
    size_t m;             /* rows of the slab */
    const yoke_matrix *y; /* the slab's rows, the window's columns */
    size_t y_row;         /* of the slab's first row in y */
    float alpha, beta;
} product;

/* y[row.., col..] = alpha * c + beta * y for `rows` rows of `cols` columns of sums, those of them
 * that are within the slab and the window. c has c_stride floats from one row to the next. */
void product_store(const product *p, size_t row, size_t rows, size_t col, size_t cols,
                   const float *c, size_t c_stride);

/* Rows are packed in blocks: as many whole blocks of the path's row_block as fit, then halves:
 * m = 13 with row_block 8 is 8 + 4 + 1. The rows of the block that begins at `row`. */
static inline size_t row_block_at(size_t row_block, size_t m, size_t row)
{
    while (row + row_block > m)
        row_block /= 2;
    return row_block;
}

typedef struct path {
    const char *name;   /* "avx512 exact": isa, a space, the arithmetic */
    uint32_t features;  /* yoke_cpu_feature bits it needs, all of them */
    yoke_format format; /* of the weight */
    bool exact;         /* x as it is, one fused multiply-add for each k in ascending order: the
                         * same bits from every exact path, whatever M, window and threads */
    yoke_precision precision; /* the loosest x it needs permission for */
    bool bf16_x;              /* with FULL precision, usable when x is stored as bf16 */
    size_t min_m;             /* not worth it below so many rows */
    size_t row_block;         /* largest block of rows packed together; a power of two */
    size_t chunk_panels;      /* most panels to compute at a time; 0: CHUNK_PANELS */

    size_t (*row_bytes)(const layout *l); /* of a packed row of x */

    /* Packs rows [row, row + rows) of x (f32, f16 or bf16), rows a block as above, to `to`. A
     * block's packed bytes begin at the slab's base + (row within the slab) * bytes of a row. k is
     * padded with zeros. */
    void (*pack_x)(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to);

    /* Computes all rows for the panels [begin, begin + count) of a chunk and stores them by
     * product_store. scratch belongs to the thread: SCRATCH_BYTES, 64-byte aligned. */
    void (*compute)(const product *p, size_t begin, size_t count, void *scratch);

    /* Runs the path's multiply instruction on registers alone for about ns; operations per second
     * of the calling thread, 2 for each multiply-add. */
    double (*peak)(uint64_t ns);
} path;

#define CHUNK_PANELS  ((size_t)8)
#define SCRATCH_BYTES ((size_t)512 << 10)

/* The paths of every instruction set built in, in order of preference, best last. NULL past the
 * end. */
const path *path_at(size_t index);

#endif
