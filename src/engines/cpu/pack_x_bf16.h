/* x as bf16, for the paths that pack it so. */
#ifndef CPU_PACK_X_BF16_H
#define CPU_PACK_X_BF16_H

#include <string.h>

#include "base/half.h"
#include "base/size.h"
#include "matrix/view.h"

#define X_BF16_MAX ((size_t)128) /* elements in one call */

/* Reads `count` (<= X_BF16_MAX) elements of row `row` from column `col` on as bf16 into out,
 * rounded to nearest even; those past the end of the row are zero. Subnormals stay: the multiply
 * instructions drop them. */
static inline void x_read_bf16(const yoke_matrix *x, size_t row, size_t col, size_t count,
                               uint16_t *out)
{
    size_t inside = col < x->cols ? size_min(count, x->cols - col) : 0;
    memset(out + inside, 0, (count - inside) * sizeof *out);
    if (inside == 0)
        return;
    if (x->format == YOKE_BF16) {
        memcpy(out, view_block(x, row, col), inside * sizeof *out);
        return;
    }
    float exact[X_BF16_MAX];
    (void)yoke_matrix_read(x, row, col, inside, exact, NULL); /* checked before it came here */
    for (size_t i = 0; i < inside; i++)
        out[i] = bf16_from_f32(exact[i]);
}

#endif
