/* What goes wrong with a product's result, by the script. */
#include "engines/fake/spoil.h"

#include <math.h>

#include "engines/cell.h"

/* Replaces one element of y by what `spoil` makes of it. */
typedef float spoiler(float value, double parameter);

static float spoil_to_zero(float value, double parameter)
{
    (void)value, (void)parameter;
    return 0.0f;
}

static float spoil_to_nan(float value, double parameter)
{
    (void)value, (void)parameter;
    return NAN;
}

static float spoil_beyond(float value, double limit)
{
    return fabs((double)value) > limit ? copysignf(INFINITY, value) : value;
}

static float spoil_by_more(float value, double parameter)
{
    (void)parameter;
    return value + 1.0f + fabsf(value);
}

static yoke_status spoil_row(const yoke_matrix *y, size_t row, spoiler *spoil, double parameter,
                             yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t column = 0; column < y->cols && status == YOKE_OK; column++) {
        float value;
        status = yoke_matrix_read(y, row, column, 1, &value, err);
        if (status == YOKE_OK)
            status = cell_write(y, row, column, spoil(value, parameter), err);
    }
    return status;
}

static yoke_status spoil_all(const yoke_matrix *y, spoiler *spoil, double parameter,
                             yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t row = 0; row < y->rows && status == YOKE_OK; row++)
        status = spoil_row(y, row, spoil, parameter, err);
    return status;
}

yoke_status spoil_result(const script *s, uint64_t number, size_t k, const yoke_matrix *y,
                         yoke_error *err)
{
    yoke_status status = YOKE_OK;
    if (s->inf_above > 0)
        status = spoil_all(y, spoil_beyond, s->inf_above, err);
    if (status == YOKE_OK && (number == s->zeros_at || (s->zeros_k32 && k % 32 != 0)))
        status = spoil_all(y, spoil_to_zero, 0, err);
    if (status == YOKE_OK && number == s->wrong_row_at)
        status = spoil_row(y, y->rows / 2, spoil_by_more, 0, err);
    if (status == YOKE_OK && number == s->nan_at)
        status = spoil_row(y, y->rows / 2, spoil_to_nan, 0, err);
    return status;
}
