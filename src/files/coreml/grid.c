#include "files/coreml/grid.h"

/* From the last dimension on: whole dimensions that are not cut, then a part of the first that is.
 */
static size_t find_run(const grid *from)
{
    size_t run = 1;
    for (unsigned i = from->rank; i-- > 0;) {
        run *= from->shape[i] / from->blocks[i];
        if (from->blocks[i] > 1)
            break;
    }
    return run ? run : 1;
}

bool grid_make(unsigned rank, const size_t *shape, const size_t *blocks, grid *out)
{
    *out = (grid){.rank = rank, .count = 1};
    for (unsigned i = 0; i < rank; i++) {
        if (blocks[i] == 0 || shape[i] % blocks[i] != 0)
            return false;
        out->shape[i] = shape[i];
        out->blocks[i] = blocks[i];
        out->count *= blocks[i];
    }
    out->run = find_run(out);
    return true;
}

grid grid_whole(unsigned rank, const size_t *shape)
{
    size_t blocks[MIL_MAX_RANK];
    grid whole;
    for (unsigned i = 0; i < rank; i++)
        blocks[i] = 1;
    grid_make(rank, shape, blocks, &whole);
    return whole;
}

size_t grid_block(const grid *from, size_t index)
{
    size_t block = 0, stride = 1;
    if (from->count == 1)
        return 0;
    for (unsigned i = from->rank; i-- > 0;) {
        size_t at = index % from->shape[i];
        index /= from->shape[i];
        block += at / (from->shape[i] / from->blocks[i]) * stride;
        stride *= from->blocks[i];
    }
    return block;
}
