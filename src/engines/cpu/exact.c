#include "engines/cpu/exact.h"

#include <string.h>

#include "base/size.h"
#include "engines/cpu/interleave.h"

#define RUN_K    ((size_t)128) /* k packed in one go: a few rows of it stay in L1 */
#define MOST_ROW ((size_t)16)

/* k [k, k + RUN_K) of a row as f32; zeros past its end. */
static void read_run(const yoke_matrix *x, size_t row, size_t k, float *to)
{
    size_t inside = k < x->cols ? size_min(RUN_K, x->cols - k) : 0;
    memset(to + inside, 0, (RUN_K - inside) * sizeof *to);
    if (inside != 0)
        (void)yoke_matrix_read(x, row, k, inside, to, NULL); /* checked before it came here */
}

void exact_pack_x(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to)
{
    float *out = to, run[MOST_ROW * RUN_K];
    size_t padded = layout_padded_k(l);
    for (size_t k = 0; k < padded; k += RUN_K) {
        for (size_t r = 0; r < rows; r++)
            read_run(x, row + r, k, run + r * RUN_K);
        interleave(run, RUN_K, rows, size_min(RUN_K, padded - k), out + k * rows);
    }
}
