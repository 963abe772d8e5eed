/* f32 weights by cblas_sgemm. A panel is a matrix of K rows by 16 outputs as it lies, so nothing is
 * packed again: for each panel C[m][16] = x[m][K] * panel[K][16], with x as f32 rows. What bounds
 * it is the library's, never measured on its machines by this project. */
#include "engines/cpu/accelerate.h"

#include <pthread.h>

#include "apple/framework.h"
#include "base/size.h"
#include "engines/cpu/exact.h"
#include "engines/cpu/peak.h"

enum { ROW_MAJOR = 101, NO_TRANS = 111 }; /* of CBLAS */

typedef void sgemm_function(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                            const float *a, int lda, const float *b, int ldb, float beta, float *c,
                            int ldc);

#define SCRATCH_ROWS (SCRATCH_BYTES / (PANEL_N * sizeof(float)))

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sgemm_function *sgemm; /* NULL: not to be had */
static yoke_error missing;

static void load(void)
{
    void *library;
    if (apple_framework_open("Accelerate", &library, &missing) == YOKE_OK)
        apple_framework_function(library, "Accelerate", "cblas_sgemm", &sgemm, &missing);
}

uint32_t accelerate_feature(yoke_error *err)
{
    pthread_once(&once, load);
    if (sgemm)
        return FEATURE_ACCELERATE;
    yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "%s", missing.text);
    return 0;
}

static void pack_x(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to)
{
    for (size_t r = 0; r < rows; r++)
        (void)yoke_matrix_read(x, row + r, 0, l->k, (float *)((char *)to + r * exact_row_bytes(l)),
                               NULL); /* checked before it came here */
}

/* Dimensions are int there: a panel of more columns would take 128 GiB. */
static void multiply(const layout *l, size_t m, const float *x, const float *panel, float *c)
{
    int x_stride = (int)(exact_row_bytes(l) / sizeof *x);
    sgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, (int)m, (int)PANEL_N, (int)l->k, 1, x,
          x_stride > 0 ? x_stride : 1, panel, (int)PANEL_N, 0, c, (int)PANEL_N);
}

static void compute(const product *p, size_t begin, size_t count, void *scratch)
{
    const layout *l = p->layout;
    for (size_t i = begin; i < begin + count; i++)
        for (size_t row = 0; row < p->m; row += SCRATCH_ROWS) {
            size_t rows = size_min(SCRATCH_ROWS, p->m - row);
            multiply(l, rows, (const float *)((const char *)p->x + row * exact_row_bytes(l)),
                     (const float *)(p->panels + i * l->panel_stride), scratch);
            product_store(p, row, rows, i * PANEL_N, PANEL_N, scratch, PANEL_N);
        }
}

/* No loop over registers is to be had: the rate of a small product whose operands lie in L1. */
#define PEAK_M 32
#define PEAK_K 128

typedef struct peak_product {
    layout layout;
    float x[PEAK_M * (PEAK_K + 128)], panel[PEAK_K * PANEL_N], c[PEAK_M * PANEL_N];
} peak_product;

static void peak_round(void *arg)
{
    peak_product *p = arg;
    multiply(&p->layout, PEAK_M, p->x, p->panel, p->c);
}

static double peak(uint64_t ns)
{
    peak_product p = {.layout = {.k = PEAK_K, .unit_k = 1, .units = PEAK_K}};
    for (size_t i = 0; i < sizeof p.x / sizeof *p.x; i++)
        p.x[i] = 1 + (float)(i % 7);
    for (size_t i = 0; i < sizeof p.panel / sizeof *p.panel; i++)
        p.panel[i] = 1 + (float)(i % 5);
    return peak_rate(ns, 2.0 * PEAK_M * PEAK_K * (double)PANEL_N, peak_round, &p);
}

const path path_f32_accelerate = {
    .name = "accelerate sgemm",
    .features = FEATURE_ACCELERATE,
    .format = YOKE_F32,
    .precision = YOKE_PRECISION_FULL,
    .min_m = 32,
    .row_block = 1,
    .row_bytes = exact_row_bytes,
    .pack_x = pack_x,
    .compute = compute,
    .peak = peak,
};
