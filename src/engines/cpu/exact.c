#include "engines/cpu/exact.h"

#include <string.h>

#include "base/size.h"

#define RUN_K    ((size_t)128) /* k packed in one go: a few rows of it stay in L1 */
#define MOST_ROW ((size_t)16)

typedef float quad __attribute__((vector_size(16)));
#if defined(__clang__) || __GNUC__ >= 12
#define QUAD_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
typedef int quad_index __attribute__((vector_size(16)));
#define QUAD_PICK(a, b, ...) __builtin_shuffle(a, b, (quad_index){__VA_ARGS__})
#endif

/* k [k, k + RUN_K) of a row as f32; zeros past its end. */
static void read_run(const yoke_matrix *x, size_t row, size_t k, float *to)
{
    size_t inside = k < x->cols ? size_min(RUN_K, x->cols - k) : 0;
    memset(to + inside, 0, (RUN_K - inside) * sizeof *to);
    if (inside != 0)
        (void)yoke_matrix_read(x, row, k, inside, to, NULL); /* checked before it came here */
}

/* 4 rows by 4 k, from RUN_K to `rows` apart: a transposition in registers. */
static inline void interleave_quad(const float *from, size_t rows, float *to)
{
    quad r[4];
    for (size_t i = 0; i < 4; i++)
        memcpy(&r[i], from + i * RUN_K, sizeof *r);
    quad low01 = QUAD_PICK(r[0], r[1], 0, 4, 1, 5), high01 = QUAD_PICK(r[0], r[1], 2, 6, 3, 7);
    quad low23 = QUAD_PICK(r[2], r[3], 0, 4, 1, 5), high23 = QUAD_PICK(r[2], r[3], 2, 6, 3, 7);
    quad k[4] = {QUAD_PICK(low01, low23, 0, 1, 4, 5), QUAD_PICK(low01, low23, 2, 3, 6, 7),
                 QUAD_PICK(high01, high23, 0, 1, 4, 5), QUAD_PICK(high01, high23, 2, 3, 6, 7)};
    for (size_t i = 0; i < 4; i++)
        memcpy(to + i * rows, &k[i], sizeof *k);
}

/* [rows][RUN_K] to [k][rows], the first `count` k. */
static void interleave(const float *from, size_t rows, size_t count, float *to)
{
    size_t k = 0;
    if (rows % 4 == 0)
        for (; k + 4 <= count; k += 4)
            for (size_t r = 0; r < rows; r += 4)
                interleave_quad(from + r * RUN_K + k, rows, to + k * rows + r);
    for (; k < count; k++)
        for (size_t r = 0; r < rows; r++)
            to[k * rows + r] = from[r * RUN_K + k];
}

void exact_pack_x(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to)
{
    float *out = to, run[MOST_ROW * RUN_K];
    size_t padded = layout_padded_k(l);
    for (size_t k = 0; k < padded; k += RUN_K) {
        for (size_t r = 0; r < rows; r++)
            read_run(x, row + r, k, run + r * RUN_K);
        interleave(run, rows, size_min(RUN_K, padded - k), out + k * rows);
    }
}
