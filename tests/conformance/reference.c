#include "conformance/reference.h"

#include <math.h>
#include <stdlib.h>

#include "conformance/subject.h"

static void *checked(void *memory)
{
    if (!memory)
        fail_msg("out of memory");
    return memory;
}

static double *read_all(const yoke_matrix *matrix)
{
    double *all = checked(malloc(matrix->rows * matrix->cols * sizeof *all));
    float *row = checked(malloc(matrix->cols * sizeof *row));
    for (size_t r = 0; r < matrix->rows; r++) {
        assert_int_equal(yoke_matrix_read(matrix, r, 0, matrix->cols, row, NULL), YOKE_OK);
        for (size_t c = 0; c < matrix->cols; c++)
            all[r * matrix->cols + c] = (double)row[c];
    }
    free(row);
    return all;
}

/* Of columns: all elements of one, then those of the next. */
static double *turned(const double *all, size_t rows, size_t cols)
{
    double *columns = checked(malloc(rows * cols * sizeof *columns));
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            columns[c * rows + r] = all[r * cols + c];
    return columns;
}

/* All outputs of a row take one product after the other, so that compilers use vectors; each sum is
 * formed in the order of k. */
reference reference_create(const yoke_matrix *x, const yoke_matrix *w)
{
    reference r = {.m = x->rows, .n = w->rows, .k = w->cols};
    double *x_all = read_all(x), *w_all = read_all(w), *w_columns = turned(w_all, r.n, r.k);
    r.sum = checked(calloc(r.m * r.n, sizeof *r.sum));
    r.magnitude = checked(calloc(r.m * r.n, sizeof *r.magnitude));
    for (size_t m = 0; m < r.m; m++) {
        double *sum = r.sum + m * r.n, *magnitude = r.magnitude + m * r.n;
        for (size_t k = 0; k < r.k; k++)
            for (size_t n = 0; n < r.n; n++) {
                const double product = x_all[m * r.k + k] * w_columns[k * r.n + n];
                sum[n] += product;
                magnitude[n] += fabs(product);
            }
    }
    free(x_all);
    free(w_all);
    free(w_columns);
    return r;
}

void reference_free(reference *r)
{
    free(r->sum);
    free(r->magnitude);
    *r = (reference){0};
}

/* Half a unit in the last place of a format, relative and, among subnormals, absolute. */
static double rounding_of(yoke_format format, double value)
{
    switch (format) {
    case YOKE_F16: return fmax(0x1p-11 * fabs(value), 0x1p-25);
    case YOKE_BF16: return fmax(0x1p-8 * fabs(value), 0x1p-134);
    default: return fmax(0x1p-24 * fabs(value), 0x1p-150);
    }
}

/* Where x, products and results are rounded to f16, to nearest and with its subnormals; what does
 * that in another way is not held to it here. */
static double narrowing_of(size_t k, double magnitude)
{
    if (tested.facts->rounds_to != YOKE_F16)
        return 0;
    return 3.01 * 0x1p-11 * magnitude + 0x1p-24 * (double)(k + 1);
}

double reference_bound(size_t k, double sum, double magnitude, yoke_format y_format)
{
    double summing = 1.02 * 0x1p-24 * (double)(k + 2) * magnitude;
    double flushing = tested.facts->zeroes_subnormals ? 0x1p-126 * (double)k : 0;
    return summing + flushing + narrowing_of(k, magnitude) +
           rounding_of(y_format, fabs(sum) + summing);
}

static void check_element(const reference *r, size_t m, size_t n, double x_rounding, double got,
                          yoke_format format)
{
    double sum = r->sum[m * r->n + n], magnitude = r->magnitude[m * r->n + n];
    double bound = reference_bound(r->k, sum, magnitude, format) + x_rounding * magnitude;
    if (!(fabs(got - sum) <= bound))
        fail_msg("y[%zu][%zu] is %.9g, not %.9g +- %.3g (n=%zu k=%zu)", m, n, got, sum, bound, r->n,
                 r->k);
}

void reference_check(const reference *r, size_t row, size_t output, double x_rounding,
                     const yoke_matrix *y)
{
    float *values = checked(malloc(y->cols * sizeof *values));
    for (size_t m = 0; m < y->rows; m++) {
        assert_int_equal(yoke_matrix_read(y, m, 0, y->cols, values, NULL), YOKE_OK);
        for (size_t n = 0; n < y->cols; n++)
            check_element(r, row + m, output + n, x_rounding, (double)values[n], y->format);
    }
    free(values);
}
