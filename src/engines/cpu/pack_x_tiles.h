/* Packed x of the AMX paths that take it as bf16. K is padded with zeros to whole tiles of 32 k:
 *
 *   16 rows         tiles of 16 rows x 32 k, one after the other
 *   fewer rows      row after row, which a tile of that many rows is read from with their stride
 */
#ifndef CPU_PACK_X_TILES_H
#define CPU_PACK_X_TILES_H

#include "engines/cpu/amx_grid.h"
#include "engines/cpu/pack_x_bf16.h"

#define TILE_K ((size_t)32)

/* In K; the last perhaps in part. */
static inline size_t tiles_in_k(const layout *l)
{
    return size_ceil_div(l->k, TILE_K);
}

static inline size_t x_tiles_row_bytes(const layout *l)
{
    return tiles_in_k(l) * TILE_BYTES;
}

/* Tile `tile` in K of packed rows [row, row + rows) of the slab that begins at x. */
static inline tile_at x_tile(const layout *l, const void *x, size_t row, size_t rows, size_t tile)
{
    const size_t row_bytes = x_tiles_row_bytes(l);
    const char *begin = (const char *)x + row * row_bytes;
    if (rows == TILE_ROWS)
        return (tile_at){begin + tile * TILE_ROWS * TILE_BYTES, TILE_BYTES};
    return (tile_at){begin + tile * TILE_BYTES, row_bytes};
}

static inline void x_tiles_pack(const layout *l, const yoke_matrix *x, size_t row, size_t rows,
                                void *to)
{
    for (size_t tile = 0; tile < tiles_in_k(l); tile++) {
        tile_at at = x_tile(l, to, 0, rows, tile);
        for (size_t r = 0; r < rows; r++)
            x_read_bf16(x, row + r, tile * TILE_K, TILE_K,
                        (uint16_t *)(void *)(at.at + r * at.row));
    }
}

#endif
