/* A row of x and of y as a check sees it, or several rows combined with random signs. */
#ifndef MATRIX_CHECK_ROW_H
#define MATRIX_CHECK_ROW_H

#include "yoke/matrix.h"

typedef struct check_row {
    size_t rows; /* combined here */
    size_t k, n;
    double *x, *x_squares; /* sum of +-x and of x^2 over the rows, k each */
    double *y, *y_squares; /* the same of y, n each */
    double x_sums;         /* sum over the rows of (sum |x|)^2 */
    double x_energy;       /* sum of all x^2 */
    bool few_values;       /* x repeats itself in one of the rows */
    float *scratch;        /* k */
} check_row;

/* False when there is no memory; free it all the same. */
bool check_row_create(check_row *row, size_t k, size_t n);
void check_row_free(check_row *row);

/* Loads row i of matrices that were validated; false when x has an infinity or a NaN there. */
bool check_row_load(check_row *row, const yoke_matrix *x, const yoke_matrix *y, size_t i);

/* Adds a loaded row, times sign, to a combination. */
void check_row_add(check_row *sum, const check_row *row, double sign);

/* Whether y is all zero in a loaded row, and x is not. */
bool check_row_is_zero(const check_row *row);

#endif
