#include "files/npy_layout.h"

#include <string.h>

#include "base/size.h"
#include "files/file.h"

/* Rows and columns moved together, so that both sides stay in the first cache. */
enum { TILE = 64 };

static void copy_element(const uint8_t *from, uint8_t *to, size_t size, bool swapped)
{
    if (!swapped) {
        memcpy(to, from, size);
        return;
    }
    for (size_t i = 0; i < size; i++)
        to[i] = from[size - 1 - i];
}

/* Steps an index over the leading dimensions in C order, and with it the element's place in Fortran
 * order. */
typedef struct row_walk {
    const uint64_t *shape;
    unsigned dimensions;
    size_t index[FILE_MAX_RANK];
    size_t place;
} row_walk;

static void row_step(row_walk *walk, const size_t *strides)
{
    for (unsigned d = walk->dimensions; d-- > 0;) {
        walk->place += strides[d];
        if (++walk->index[d] < walk->shape[d])
            return;
        walk->place -= walk->index[d] * strides[d];
        walk->index[d] = 0;
    }
}

static void copy_fortran(const yoke_tensor *tensor, size_t size, bool swapped, const uint8_t *from,
                         uint8_t *to)
{
    row_walk walk = {.shape = tensor->shape, .dimensions = tensor->rank - 1};
    size_t strides[FILE_MAX_RANK], rows = 1, cols = (size_t)tensor->shape[tensor->rank - 1];
    for (unsigned d = 0; d < walk.dimensions; d++) {
        strides[d] = rows;
        rows *= (size_t)tensor->shape[d];
    }
    for (size_t row = 0; row < rows; row += TILE) {
        size_t places[TILE], count = size_min(TILE, rows - row);
        for (size_t i = 0; i < count; i++) {
            places[i] = walk.place;
            row_step(&walk, strides);
        }
        for (size_t tile = 0; tile < cols; tile += TILE)
            for (size_t col = tile; col < size_min(tile + TILE, cols); col++)
                for (size_t i = 0; i < count; i++)
                    copy_element(from + (places[i] + col * rows) * size,
                                 to + ((row + i) * cols + col) * size, size, swapped);
    }
}

void npy_layout_copy(const yoke_tensor *tensor, npy_layout layout, const void *stored, void *out)
{
    size_t size = yoke_format_get(tensor->format)->block_bytes;
    if (layout.fortran) {
        copy_fortran(tensor, size, layout.swapped, stored, out);
        return;
    }
    const uint8_t *from = stored;
    uint8_t *to = out;
    for (size_t at = 0; at < tensor->bytes; at += size)
        copy_element(from + at, to + at, size, layout.swapped);
}
