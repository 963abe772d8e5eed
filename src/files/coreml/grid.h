/* A tensor cut into equal blocks along each dimension, one table entry (or table) for each block:
 *
 *     shape [6, 4], blocks [3, 2]:  0 0 1 1
 *                                   0 0 1 1
 *                                   2 2 3 3    block = shape / blocks = [2, 2]
 *                                   ...
 */
#ifndef FILES_COREML_GRID_H
#define FILES_COREML_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "files/coreml/mil.h"

typedef struct grid {
    unsigned rank;
    size_t shape[MIL_MAX_RANK], blocks[MIL_MAX_RANK];
    size_t count; /* blocks together */
    size_t run;   /* elements that follow each other within a block, at least */
} grid;

/* A tensor that is one block. */
grid grid_whole(unsigned rank, const size_t *shape);

/* False when the blocks do not divide the shape. */
bool grid_make(unsigned rank, const size_t *shape, const size_t *blocks, grid *out);

/* The block of element `index`. It stays the same until the next multiple of run. */
size_t grid_block(const grid *from, size_t index);

#endif
