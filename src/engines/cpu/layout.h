/* The packed form of a weight: one for each format, the same on every CPU and for every M.
 *
 * w's rows (outputs) are cut into panels of 16; a panel holds its 16 rows for the whole of K, in
 * lines of 64 bytes. A line holds 16 outputs by `line_k` consecutive k:
 *
 *   f32   line_k 1   [n0 n1 .. n15]
 *   f16   line_k 2   [n0 .. n15 of k0][n0 .. n15 of k1]
 *   bf16  line_k 2   [n0:k0 k1][n1:k0 k1] .. [n15:k0 k1]: VNNI pairs, 16 lines an AMX tile
 *
 *   q8_0  line_k 4   [n0:k0 k1 k2 k3] .. [n15:k0 k1 k2 k3]: VNNI quadruples of int8
 *
 *   q4_0  line_k 8   [n0: 4 bytes] .. [n15: 4 bytes]; byte j has k_j in its low and k_(4+j) in its
 *                    high nibble, so that one mask gives a VNNI quadruple of 0..15 (value + 8)
 *
 *   int8  line_k 4   as q8_0
 *   int4  line_k 8   [n0: 8 nibbles, k0 lowest] .. [n15]
 *   lut4  line_k 8   as int4
 *
 *   lut6  line_k 16  three lines of 64 bytes, each [n0 .. n3 of k0][n0 .. n3 of k1] .. [of k3],
 *                    then the same for n4 .. n7, n8 .. n11, n12 .. n15. A byte's low six bits are
 *                    an index, of k 0..3 in line 0, 4..7 in line 1, 8..11 in line 2; its upper two
 *                    bits are a third of the index of k 12..15, the lowest in line 0
 *
 * q8_0 and q4_0 come in units of 64 k, two of their blocks: first a line of scales, 16 f16 of the
 * first block and 16 of the second, then the data lines: all a product reads is one stream. The
 * formats with a table begin each panel with its part of it: lutN with the f16 palettes of outputs
 * 0 to 7 and 8 to 15, intN with 16 f32 scales and 16 f32 zeros.
 *
 * K is padded with zeros to whole units, N with zero rows to whole panels. Panels are panel_stride
 * apart: their bytes, plus a little where those are a multiple of 4 KiB, because the panels that
 * are read side by side would then meet in one set of the caches.
 */
#ifndef CPU_LAYOUT_H
#define CPU_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "yoke/matrix.h"

#define PANEL_N    ((size_t)16)
#define LINE_BYTES ((size_t)64)

typedef struct layout {
    yoke_format format;
    size_t n, k;       /* as given */
    size_t line_k;     /* k in a line */
    size_t unit_k;     /* k in a unit: line_k, or 64 for the quantised formats */
    size_t unit_bytes; /* with the line of scales */
    size_t head_bytes; /* before a panel's first unit: its tables */
    size_t units;      /* in a panel */
    size_t panels;
    size_t panel_stride; /* bytes */
    size_t bytes;        /* of the whole */
} layout;

/* True for the formats above. */
bool layout_native(yoke_format format);

/* Whether w can be packed in its own format: a native one, and, if it has a table, no palette ends
 * within 8 outputs and K needs no padding (what a padded index means could be infinite). */
bool layout_fits(const yoke_matrix *w);

/* Errors: YOKE_ERR_UNSUPPORTED (not native), YOKE_ERR_SHAPE (size overflow, k not whole blocks). */
yoke_status layout_of(yoke_format format, size_t n, size_t k, layout *out, yoke_error *err);

/* k after padding. */
static inline size_t layout_padded_k(const layout *l)
{
    return l->units * l->unit_k;
}

/* Packs panel `panel` of w (whose format is l->format) to `to`, all panel_stride bytes of it. */
void layout_pack_panel(const layout *l, const yoke_matrix *w, size_t panel, void *to);

#endif
