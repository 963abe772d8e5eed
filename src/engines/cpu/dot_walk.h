/* The walk over a chunk that the AVX-512 dot paths share: panels in groups, and for each group all
 * rows of the slab, so that a group's weights come from memory once and then from the L2 cache. */
#ifndef CPU_DOT_WALK_H
#define CPU_DOT_WALK_H

#include "base/size.h"
#include "engines/cpu/kernels.h"

/* Sums of `rows` packed rows of x with `panels` panels at w into c, panels * 16 floats a row. */
typedef void dot_block(const layout *l, size_t rows, size_t panels, const char *x, const char *w,
                       float *c);

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

/* most_panels: the widest group that suits the slab's largest block of rows. */
static inline void dot_walk(const product *p, size_t begin, size_t count, size_t most_panels,
                            const dot_kernel *kernel, float *c)
{
    size_t width;
    for (size_t panel = begin; panel < begin + count; panel += width) {
        width = dot_width(size_min(most_panels, begin + count - panel));
        const char *w = p->panels + panel * p->layout->panel_stride;
        for (size_t row = 0, rows; row < p->m; row += rows) {
            rows = row_block_at(kernel->row_block, p->m, row);
            const char *x = (const char *)p->x + row * kernel->row_bytes;
            kernel->block(p->layout, rows, width, x, w, c);
            product_store(p, row, rows, panel * PANEL_N, width * PANEL_N, c, width * PANEL_N);
        }
    }
}

#endif
