#include "matrix/check_row.h"

#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "matrix/check_weight.h"
#include "matrix/wide.h"

#define LOOKED_AT 256
#define DIFFERENT (LOOKED_AT / 4)

bool check_row_create(check_row *row, size_t k, size_t n)
{
    *row = (check_row){.k = k, .n = n};
    row->x = calloc(k + 1, sizeof *row->x);
    row->x_squares = calloc(k + 1, sizeof *row->x_squares);
    row->y = calloc(n + 1, sizeof *row->y);
    row->y_squares = calloc(n + 1, sizeof *row->y_squares);
    row->scratch = calloc(k + 1, sizeof *row->scratch);
    return row->x && row->x_squares && row->y && row->y_squares && row->scratch;
}

void check_row_free(check_row *row)
{
    free(row->x);
    free(row->x_squares);
    free(row->y);
    free(row->y_squares);
    free(row->scratch);
}

/* Whether fewer than a quarter of x's magnitudes, zeros apart, differ from each other. */
static bool has_few_values(const float *x, size_t count)
{
    float seen[DIFFERENT];
    size_t look = size_min(count, LOOKED_AT), different = 0, not_zero = 0;
    for (size_t i = 0; i < look && different < DIFFERENT; i++) {
        float value = fabsf(x[check_fraction(count, i, look)]);
        if (value == 0.0f)
            continue;
        size_t j = 0;
        while (j < different && seen[j] != value)
            j++;
        if (j == different)
            seen[different++] = value;
        not_zero++;
    }
    return different * 4 < not_zero;
}

bool check_row_load(check_row *row, const yoke_matrix *x, const yoke_matrix *y, size_t i)
{
    yoke_matrix_read(x, i, 0, row->k, row->scratch, NULL);
    wide_read(y, i, 0, row->n, row->y);
    double sum = 0.0, energy = 0.0;
    for (size_t k = 0; k < row->k; k++) {
        row->x[k] = (double)row->scratch[k];
        row->x_squares[k] = row->x[k] * row->x[k];
        sum += fabs(row->x[k]);
        energy += row->x_squares[k];
    }
    for (size_t n = 0; n < row->n; n++)
        row->y_squares[n] = row->y[n] * row->y[n];
    row->rows = 1;
    row->x_sums = sum * sum;
    row->x_energy = energy;
    row->few_values = has_few_values(row->scratch, row->k);
    return isfinite(sum); /* finite f32 values do not overflow a double's sum */
}

void check_row_add(check_row *sum, const check_row *row, double sign)
{
    sum->rows += row->rows;
    sum->x_sums += row->x_sums;
    sum->x_energy += row->x_energy;
    sum->few_values = sum->few_values || row->few_values;
    for (size_t k = 0; k < row->k; k++) {
        sum->x[k] += sign * row->x[k];
        sum->x_squares[k] += row->x_squares[k];
    }
    for (size_t n = 0; n < row->n; n++) {
        sum->y[n] += sign * row->y[n];
        sum->y_squares[n] += row->y_squares[n];
    }
}

bool check_row_is_zero(const check_row *row)
{
    for (size_t n = 0; n < row->n; n++)
        if (row->y[n] != 0.0)
            return false;
    return row->x_energy > 0.0;
}
