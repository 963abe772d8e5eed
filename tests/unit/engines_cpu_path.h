/* A path of the CPU engine, called as the engine calls it. */
#ifndef UNIT_ENGINES_CPU_PATH_H
#define UNIT_ENGINES_CPU_PATH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/size.h"
#include "engines/cpu/kernels.h"

#define POISON ((unsigned char)0xff) /* NaN in every format */

static inline uint32_t features_here(void)
{
    yoke_host *host = malloc(sizeof *host);
    assert_non_null(host);
    assert_int_equal(yoke_host_read(host, NULL), YOKE_OK);
    uint32_t features = host->features;
    free(host);
    return features;
}

static inline float random_unit(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)((int32_t)(*state >> 32)) / 2147483648.0f;
}

static inline void *allocate(size_t bytes)
{
    void *memory = aligned_alloc(64, size_round_up(bytes + 1, 64));
    assert_non_null(memory);
    memset(memory, POISON, size_round_up(bytes + 1, 64));
    return memory;
}

/* Writes element i of a block of ggml's, elements in ascending order: an f16 scale, then 32 int8,
 * or 16 bytes with elements i and i + 16 in the low and high nibble of byte i. */
static inline void put_quant(unsigned char *block, yoke_format format, size_t i, int q)
{
    if (format == YOKE_Q8_0)
        block[2 + i] = (unsigned char)(int8_t)q;
    else if (i < 16)
        block[2 + i] = (unsigned char)(q + 8);
    else
        block[2 + i - 16] |= (unsigned char)((q + 8) << 4);
}

/* x by the panels of w from first_panel on, `chunk` of them at a time; y has y_stride floats a row.
 */
static inline void path_multiply(const path *way, const yoke_matrix *w, const yoke_matrix *x,
                                 size_t first_panel, size_t chunk, float *y, size_t y_stride)
{
    layout l;
    assert_int_equal(layout_of(w->format, w->rows, w->cols, &l, NULL), YOKE_OK);
    char *panels = aligned_alloc(64, l.bytes), *scratch = aligned_alloc(64, SCRATCH_BYTES);
    assert_non_null(panels);
    assert_non_null(scratch);
    memset(scratch, POISON, SCRATCH_BYTES);
    for (size_t panel = 0; panel < l.panels; panel++)
        layout_pack_panel(&l, w, panel, panels + panel * l.panel_stride);

    size_t row_bytes = way->row_bytes(&l);
    char *packed = allocate(x->rows * row_bytes);
    for (size_t row = 0, rows; row < x->rows; row += rows) {
        rows = row_block_at(way->row_block, x->rows, row);
        way->pack_x(&l, x, row, rows, packed + row * row_bytes);
    }
    assert_int_equal((unsigned char)packed[x->rows * row_bytes], POISON);

    yoke_matrix y_view = {.format = YOKE_F32,
                          .rows = x->rows,
                          .cols = w->rows - first_panel * PANEL_N,
                          .stride = y_stride,
                          .data = y};
    size_t count = l.panels - first_panel;
    product p = {.layout = &l,
                 .panels = panels + first_panel * l.panel_stride,
                 .panel_count = count,
                 .x = packed,
                 .m = x->rows,
                 .y = &y_view,
                 .alpha = 1};
    for (size_t panel = 0; panel < count; panel += chunk)
        way->compute(&p, panel, size_min(chunk, count - panel), scratch);
    free(panels);
    free(scratch);
    free(packed);
}

#endif
