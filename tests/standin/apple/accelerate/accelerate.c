/* Stands in for Accelerate: the one order and form of cblas_sgemm that the library calls, in double
 * precision. Anything else ends the program. */
#include <stdlib.h>

void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);

void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    if (order != 101 || trans_a != 111 || trans_b != 111 || beta != 0 || lda < (k > 1 ? k : 1) ||
        ldb < n || ldc < n)
        abort();
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += (double)a[(size_t)i * (size_t)lda + (size_t)p] *
                       (double)b[(size_t)p * (size_t)ldb + (size_t)j];
            c[(size_t)i * (size_t)ldc + (size_t)j] = (float)((double)alpha * sum);
        }
}
