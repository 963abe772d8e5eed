#include <stdlib.h>

#include "base/size.h"
#include "matrix/view.h"
#include "matrix/wide.h"
#include "matrix/write.h"

static yoke_status product_check(const yoke_matrix *x, const yoke_matrix *w, const yoke_matrix *y,
                                 yoke_error *err)
{
    const struct {
        const yoke_matrix *matrix;
        const char *name;
    } all[] = {{x, "x"}, {w, "w"}, {y, "y"}};
    for (size_t i = 0; i < 3; i++) {
        yoke_status status = yoke_matrix_validate(all[i].matrix, all[i].name, err);
        if (status != YOKE_OK)
            return status;
        const yoke_format_info *info = yoke_format_get(all[i].matrix->format);
        if (!info->readable || (all[i].matrix == y && !write_supports(y->format)))
            return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "%s: %s has no reference product",
                                  all[i].name, info->name);
    }
    if (x->cols != w->cols || y->rows != x->rows || y->cols != w->rows)
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "x is %zu x %zu, w is %zu x %zu, y is %zu x %zu: y = x * w^T needs "
                              "m x k, n x k, m x n",
                              x->rows, x->cols, w->rows, w->cols, y->rows, y->cols);
    return YOKE_OK;
}

/* One element: term + beta * y; a beta of zero does not look at y. */
static void product_store(double term, double beta, yoke_matrix *y, size_t row, size_t col)
{
    double value = term;
    if (beta != 0.0) {
        double old;
        wide_read(y, row, col, 1, &old);
        value += beta * old;
    }
    write_from_f64(y->format, view_block(y, row, col), &value, 1);
}

/* The dot product of x's row with w_row, x being read in pieces; every element as f32. */
static double product_dot(const yoke_matrix *x, size_t row, const float *w_row)
{
    enum { CHUNK = 256 };
    float x_part[CHUNK];
    double sum = 0.0;
    for (size_t k = 0; k < x->cols; k += CHUNK) {
        size_t n = size_min(CHUNK, x->cols - k);
        yoke_matrix_read(x, row, k, n, x_part, NULL);
        for (size_t i = 0; i < n; i++)
            sum += (double)x_part[i] * (double)w_row[k + i];
    }
    return sum;
}

yoke_status yoke_matrix_product(float alpha, const yoke_matrix *x, const yoke_matrix *w, float beta,
                                yoke_matrix *y, yoke_error *err)
{
    yoke_status status = product_check(x, w, y, err);
    if (status != YOKE_OK || y->rows == 0 || y->cols == 0)
        return status;
    bool multiply = alpha != 0.0f && x->cols > 0;
    float *w_row = NULL;
    if (multiply && !(w_row = calloc(w->cols, sizeof *w_row)))
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for a row of w (%zu elements)",
                              w->cols);
    for (size_t n = 0; n < w->rows; n++) {
        if (multiply)
            yoke_matrix_read(w, n, 0, w->cols, w_row, NULL);
        for (size_t m = 0; m < x->rows; m++) {
            double term = multiply ? (double)alpha * product_dot(x, m, w_row) : 0.0;
            product_store(term, (double)beta, y, m, n);
        }
    }
    free(w_row);
    return YOKE_OK;
}
