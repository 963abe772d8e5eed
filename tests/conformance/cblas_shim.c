/* sgemm_ and cblas_sgemm over yoke, to be preloaded into netlib's level-3 testers.
 *
 * A column-major matrix is its transpose in row-major order, so C = alpha * op(A) * op(B) + beta *
 * C becomes C^T = alpha * op(B)^T * (op(A))^T ..., which is y = alpha * x * w^T + beta * y with
 *
 *     y = C^T          n by m, row-major, stride ldc: C as it lies in memory
 *     x = op(B)^T      n by k: B as it lies when it is not transposed, else a transposed copy
 *     w = op(A)        m by k: A as it lies when it is transposed, else a transposed copy
 *
 * The engine is the one that YOKE_SHIM_ENGINE specifies.
 */
#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "yoke/yoke.h"

enum { ROW_MAJOR = 101, COLUMN_MAJOR = 102, NO_TRANS = 111, TRANS = 112, CONJ_TRANS = 113 };

/* The error handlers belong to the tester. */
extern void xerbla_(const char *name, const int *info, size_t name_length) __attribute__((weak));
extern void cblas_xerbla(int info, const char *name, const char *form, ...) __attribute__((weak));

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
            const float *beta, float *c, const int *ldc);
void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);

static void die_on(yoke_status status, const yoke_error *err)
{
    if (status == YOKE_OK)
        return;
    fprintf(stderr, "cblas shim: %s\n", err->text);
    exit(3);
}

static yoke_engine *engine;
static atomic_ulong products;

/* So that a run in which the tester used some other sgemm is noticed. */
static void report_products(void)
{
    fprintf(stderr, "cblas shim: %lu products\n", (unsigned long)products);
}

static void open_engine(void)
{
    yoke_error err = {0};
    yoke_context *context;
    const char *specification = getenv("YOKE_SHIM_ENGINE");
    die_on(yoke_context_create(NULL, &context, &err), &err);
    die_on(yoke_engine_open(context, specification ? specification : "cpu", &engine, &err), &err);
    atexit(report_products);
}

/* rows by cols, row-major: `data` as it lies, or the transpose of what lies there. */
static yoke_matrix operand(const float *data, size_t rows, size_t cols, size_t stride,
                           bool transpose, float **copy)
{
    *copy = NULL;
    if (!transpose || rows == 0 || cols == 0)
        return (yoke_matrix){.format = YOKE_F32,
                             .rows = rows,
                             .cols = cols,
                             .stride = transpose ? cols : stride,
                             .data = (void *)data};
    float *out = malloc(rows * cols * sizeof *out);
    if (!out)
        abort();
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            out[r * cols + c] = data[c * stride + r];
    *copy = out;
    return (yoke_matrix){
        .format = YOKE_F32, .rows = rows, .cols = cols, .stride = cols, .data = out};
}

/* Column-major, arguments already checked. */
static void multiply(bool transa, bool transb, size_t m, size_t n, size_t k, float alpha,
                     const float *a, size_t lda, const float *b, size_t ldb, float beta, float *c,
                     size_t ldc)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_engine);
    if (alpha == 0)
        k = 0; /* a and b are not to be read */
    atomic_fetch_add(&products, 1);
    yoke_error err = {0};
    float *x_copy, *w_copy;
    yoke_matrix x = operand(b, n, k, ldb, transb, &x_copy);
    yoke_matrix w = operand(a, m, k, lda, !transa, &w_copy);
    yoke_matrix y = {.format = YOKE_F32, .rows = n, .cols = m, .stride = ldc, .data = c};
    yoke_weight *weight;
    const yoke_multiply_options options = {.scaled = true, .alpha = alpha, .beta = beta};
    die_on(yoke_weight_prepare(engine, &w, &weight, NULL, &err), &err);
    die_on(yoke_weight_multiply(weight, &x, &y, &options, NULL, &err), &err);
    yoke_weight_free(weight);
    free(x_copy);
    free(w_copy);
}

static int at_least_one(int value)
{
    return value > 1 ? value : 1;
}

/* The number of the first bad argument of the column-major call in Fortran's order, or 0. */
static int bad_argument(bool known_a, bool known_b, bool transa, bool transb, int m, int n, int k,
                        int lda, int ldb, int ldc)
{
    if (!known_a)
        return 1;
    if (!known_b)
        return 2;
    if (m < 0)
        return 3;
    if (n < 0)
        return 4;
    if (k < 0)
        return 5;
    if (lda < at_least_one(transa ? k : m))
        return 8;
    if (ldb < at_least_one(transb ? n : k))
        return 10;
    if (ldc < at_least_one(m))
        return 13;
    return 0;
}

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
            const float *beta, float *c, const int *ldc)
{
    int ta = toupper((unsigned char)*transa), tb = toupper((unsigned char)*transb);
    bool known_a = ta == 'N' || ta == 'T' || ta == 'C',
         known_b = tb == 'N' || tb == 'T' || tb == 'C';
    int bad = bad_argument(known_a, known_b, ta != 'N', tb != 'N', *m, *n, *k, *lda, *ldb, *ldc);
    if (bad == 0)
        multiply(ta != 'N', tb != 'N', (size_t)*m, (size_t)*n, (size_t)*k, *alpha, a, (size_t)*lda,
                 b, (size_t)*ldb, *beta, c, (size_t)*ldc);
    else if (xerbla_)
        xerbla_("SGEMM ", &bad, 6);
}

static bool is_known(int transpose)
{
    return transpose == NO_TRANS || transpose == TRANS || transpose == CONJ_TRANS;
}

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    if (order == ROW_MAJOR) { /* C^T in column-major order: exchange the operands */
        int t = transa, d = m, ld = lda;
        const float *p = a;
        transa = transb, transb = t;
        m = n, n = d;
        a = b, b = p;
        lda = ldb, ldb = ld;
    }
    int bad = bad_argument(is_known(transa), is_known(transb), transa != NO_TRANS,
                           transb != NO_TRANS, m, n, k, lda, ldb, ldc);
    if (order != ROW_MAJOR && order != COLUMN_MAJOR)
        bad = 0;
    else if (bad == 0) {
        multiply(transa != NO_TRANS, transb != NO_TRANS, (size_t)m, (size_t)n, (size_t)k, alpha, a,
                 (size_t)lda, b, (size_t)ldb, beta, c, (size_t)ldc);
        return;
    }
    if (cblas_xerbla)
        cblas_xerbla(bad + 1, "cblas_sgemm", "");
}
