/* Products on an engine over the stand-ins, held against plain sums in double precision. */
#ifndef UNIT_ENGINES_APPLE_PRODUCT_H
#define UNIT_ENGINES_APPLE_PRODUCT_H

#include <math.h>
#include <stdlib.h>

#include "unit/engines_test.h"

/* One product: its matrices, and what becomes of it. */
typedef struct apple_product {
    yoke_matrix x, w, y;
    yoke_prepare_report report;
    yoke_timing timing;
    yoke_error err;
} apple_product;

static inline double apple_value(const yoke_matrix *of, size_t row, size_t col)
{
    float value;
    yoke_error err = {0};
    assert_ok(yoke_matrix_read(of, row, col, 1, &value, &err), &err);
    return (double)value;
}

/* All values, without gaps; the caller frees them. */
static inline float *apple_floats(const yoke_matrix *of)
{
    float *values = malloc(of->rows * of->cols * sizeof *values);
    yoke_error err = {0};
    assert_non_null(values);
    for (size_t row = 0; row < of->rows; row++)
        assert_ok(yoke_matrix_read(of, row, 0, of->cols, values + row * of->cols, &err), &err);
    return values;
}

static inline void apple_product_make(apple_product *p, yoke_format w, yoke_format x, yoke_format y,
                                      size_t m, size_t n, size_t k)
{
    *p = (apple_product){0};
    assert_ok(yoke_matrix_create(w, n, k, &p->w, &p->err), &p->err);
    assert_ok(yoke_matrix_fill_random(&p->w, 1, &p->err), &p->err);
    assert_ok(yoke_matrix_create(x, m, k, &p->x, &p->err), &p->err);
    assert_ok(yoke_matrix_fill_random(&p->x, 2, &p->err), &p->err);
    assert_ok(yoke_matrix_create(y, m, n, &p->y, &p->err), &p->err);
}

static inline void apple_product_free(apple_product *p)
{
    yoke_matrix_free(&p->x);
    yoke_matrix_free(&p->w);
    yoke_matrix_free(&p->y);
}

/* Prepares, multiplies the window [options->n_begin, + y's columns), releases. */
static inline yoke_status apple_product_run(apple_product *p, yoke_engine *engine,
                                            const yoke_multiply_options *options)
{
    yoke_weight *weight;
    yoke_status status = yoke_weight_prepare(engine, &p->w, &weight, &p->report, &p->err);
    if (status != YOKE_OK)
        return status;
    status = yoke_weight_multiply(weight, &p->x, &p->y, options, &p->timing, &p->err);
    yoke_weight_free(weight);
    return status;
}

/* The largest |y - alpha * x * w^T| over what rounding explains: one unit for each multiply-add and
 * one for each operand, and y's own. */
static inline double apple_product_error(const apple_product *p, double unit, double y_unit,
                                         double alpha, size_t n_begin)
{
    float *x = apple_floats(&p->x), *w = apple_floats(&p->w);
    double worst = 0;
    for (size_t m = 0; m < p->y.rows; m++)
        for (size_t n = 0; n < p->y.cols; n++) {
            double sum = 0, magnitude = 0;
            for (size_t k = 0; k < p->x.cols; k++) {
                double term =
                    (double)x[m * p->x.cols + k] * (double)w[(n_begin + n) * p->w.cols + k];
                sum += term;
                magnitude += fabs(term);
            }
            double bound = ((double)p->x.cols + 4) * unit * magnitude * fabs(alpha) +
                           y_unit * fabs(alpha * sum) + 1e-7;
            double error = fabs(apple_value(&p->y, m, n) - alpha * sum) / bound;
            worst = error > worst || error != error ? error : worst;
        }
    free(x);
    free(w);
    return worst;
}

#endif
