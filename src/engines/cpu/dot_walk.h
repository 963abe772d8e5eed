/* The walk over a chunk that the AVX-512 dot paths share: panels in groups, and for each group all
 * rows of the slab, so that a group's weights come from memory once and then from the L2 cache. */
#ifndef CPU_DOT_WALK_H
#define CPU_DOT_WALK_H

#include "base/size.h"
#include "engines/cpu/kernels.h"

/* Weights that are wanted next: to be prefetched, a little in each block of k. */
typedef struct dot_ahead {
    const char *from;
    size_t bytes;
} dot_ahead;

/* Sums of `rows` packed rows of x with `panels` panels at w into c, panels * 16 floats a row. */
typedef void dot_block(const layout *l, size_t rows, size_t panels, const char *x, const char *w,
                       dot_ahead ahead, float *c);

typedef struct dot_kernel {
    dot_block *block;
    size_t row_block;
    size_t row_bytes; /* of packed x */
} dot_kernel;

/* Panels side by side: as many as `most` allows of the widths that blocks exist for. */
static inline size_t dot_width(size_t most)
{
    return most >= 8 ? 8 : most >= 4 ? 4 : most;
}

/* The part that `rows` of m rows take of `bytes` from `from` on. */
static inline dot_ahead dot_part(const char *from, size_t bytes, size_t row, size_t rows, size_t m)
{
    size_t lines = bytes / LINE_BYTES, begin = lines * row / m, end = lines * (row + rows) / m;
    return (dot_ahead){from + begin * LINE_BYTES, (end - begin) * LINE_BYTES};
}

/* most_panels: the widest group that suits the slab's largest block of rows. From two such blocks
 * on, the next group is fetched while this one is computed: only the first block reads memory, and
 * the others would leave it idle. What follows the chunk may be computed by another thread: it is
 * nearer to it in this one's cache than in memory. */
static inline void dot_walk(const product *p, size_t begin, size_t count, size_t most_panels,
                            const dot_kernel *kernel, float *c)
{
    const size_t stride = p->layout->panel_stride, end = begin + count;
    for (size_t panel = begin, width; panel < end; panel += width) {
        width = dot_width(size_min(most_panels, end - panel));
        size_t left = p->panel_count - panel - width;
        size_t next = p->m < 2 * kernel->row_block ? 0 : dot_width(size_min(most_panels, left));
        const char *w = p->panels + panel * stride;
        for (size_t row = 0, rows; row < p->m; row += rows) {
            rows = row_block_at(kernel->row_block, p->m, row);
            const char *x = (const char *)p->x + row * kernel->row_bytes;
            kernel->block(p->layout, rows, width, x, w,
                          dot_part(w + width * stride, next * stride, row, rows, p->m), c);
            product_store(p, row, rows, panel * PANEL_N, width * PANEL_N, c, width * PANEL_N);
        }
    }
}

#endif
