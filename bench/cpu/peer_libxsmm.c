/* libxsmm: its batch-reduce kernels, over a weight in blocks of BLOCK_N outputs by BLOCK_K, in
 * pairs of k for bf16. Blocking and threads are the caller's task; these are plain: a thread takes
 * a block of outputs and walks the rows of x. */
#include <libxsmm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

enum { BLOCK_N = 64, BLOCK_K = 64, BLOCK_M = 64 };

typedef union kernel {
    libxsmm_smmfunction_reducebatch_strd f32;
    libxsmm_bsmmfunction_reducebatch_strd bf16;
} kernel;

typedef struct product {
    problem p;
    size_t element;     /* bytes of one of w and x */
    char *blocks;       /* [n / BLOCK_N][k / BLOCK_K], k before n in each */
    kernel whole, rest; /* for BLOCK_M rows, and what remains */
} product;

static bool open_libxsmm(size_t threads, char *version, size_t bytes)
{
    (void)threads; /* OMP_NUM_THREADS says it */
    libxsmm_init();
    snprintf(version, bytes, "%s (%s)", LIBXSMM_VERSION, libxsmm_get_target_arch());
    return true;
}

/* Its matrices are column-major: y^T = w * x^T, with w's block transposed as A, x as it is as B. */
static bool make_kernel(const product *made, size_t rows, kernel *out)
{
    const libxsmm_blasint lda = BLOCK_N, ldb = (libxsmm_blasint)made->p.x->cols;
    const libxsmm_blasint ldc = (libxsmm_blasint)made->p.y->cols, m = (libxsmm_blasint)rows;
    const libxsmm_blasint step_a = (libxsmm_blasint)(BLOCK_N * BLOCK_K * made->element);
    const libxsmm_blasint step_b = (libxsmm_blasint)(BLOCK_K * made->element);
    const float beta = 0;
    if (rows == 0)
        return true;
    if (made->p.w->format == YOKE_F32)
        return (out->f32 = libxsmm_smmdispatch_reducebatch_strd(BLOCK_N, m, BLOCK_K, step_a, step_b,
                                                                &lda, &ldb, &ldc, NULL, &beta, NULL,
                                                                NULL)) != NULL;
    return (out->bf16 =
                libxsmm_bsmmdispatch_reducebatch_strd(BLOCK_N, m, BLOCK_K, step_a, step_b, &lda,
                                                      &ldb, &ldc, NULL, &beta, NULL, NULL)) != NULL;
}

/* bf16: two elements of k side by side for each output. */
static void pack_block(const product *made, size_t n, size_t k, char *block)
{
    const size_t element = made->element, pair = made->p.w->format == YOKE_BF16 ? 2 : 1;
    const char *w = made->p.w->data;
    for (size_t i = 0; i < BLOCK_N; i++)
        for (size_t j = 0; j < BLOCK_K; j++) {
            size_t at = (j / pair * BLOCK_N + i) * pair + j % pair;
            memcpy(block + at * element, w + ((n + i) * made->p.w->cols + k + j) * element,
                   element);
        }
}

static void pack(const product *made)
{
    const size_t n = made->p.w->rows, k = made->p.w->cols;
#pragma omp parallel for
    for (size_t i = 0; i < n; i += BLOCK_N)
        for (size_t j = 0; j < k; j += BLOCK_K)
            pack_block(made, i, j, made->blocks + (i * k + j * BLOCK_N) * made->element);
}

static void release(void *prepared)
{
    product *made = prepared;
    libxsmm_free(made->blocks);
    free(made);
}

static void *prepare(const problem *p)
{
    const yoke_matrix *w = p->w;
    if ((w->format != YOKE_F32 && w->format != YOKE_BF16) || p->x->format != w->format ||
        w->rows % BLOCK_N || w->cols % BLOCK_K)
        return NULL;
    product *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    *made = (product){.p = *p, .element = w->format == YOKE_F32 ? 4 : 2};
    made->blocks = libxsmm_aligned_malloc(w->rows * w->cols * made->element, 64);
    if (!made->blocks || !make_kernel(made, BLOCK_M, &made->whole) ||
        !make_kernel(made, p->x->rows % BLOCK_M, &made->rest)) {
        release(made);
        return NULL;
    }
    pack(made);
    return made;
}

/* The outputs of one block, BLOCK_M rows at a time. */
static void multiply_block(const product *made, size_t n)
{
    const size_t m = made->p.x->rows, k = made->p.x->cols;
    const unsigned long long steps = k / BLOCK_K;
    const char *w = made->blocks + n * k * made->element, *x = made->p.x->data;
    float *y = (float *)made->p.y->data + n;
    for (size_t row = 0; row < m; row += BLOCK_M) {
        const kernel *use = m - row < BLOCK_M ? &made->rest : &made->whole;
        const void *b = x + row * k * made->element;
        float *c = y + row * made->p.y->cols;
        if (made->element == 4)
            use->f32((const float *)(const void *)w, b, c, &steps);
        else
            use->bf16((const libxsmm_bfloat16 *)(const void *)w, b, c, &steps);
    }
}

static void multiply(void *prepared)
{
    const product *made = prepared;
    const size_t n = made->p.w->rows;
#pragma omp parallel for
    for (size_t i = 0; i < n; i += BLOCK_N)
        multiply_block(made, i);
}

PEER_MODULE = {"libxsmm", open_libxsmm, prepare, multiply, release};
