/* Stretches of outputs against projections of the weight (Freivalds). */
#include <float.h>
#include <math.h>

#include "base/size.h"
#include "matrix/check_state.h"

/* Sums y over a segment; false when it has an element that is not finite. */
static bool segment_project(const check_state *s, const check_row *row, size_t begin, size_t end,
                            double *projection, double *y_energy)
{
    *projection = *y_energy = 0.0;
    for (size_t n = begin; n < end; n++) {
        if (!check_output_is_finite(s->check, n))
            continue;
        *projection += check_sign(s->check, n) * row->y[n - s->n_begin];
        *y_energy += row->y_squares[n - s->n_begin];
    }
    return isfinite(*y_energy);
}

static void segment_check(check_state *s, const check_row *row, size_t segment)
{
    const yoke_check *check = s->check;
    size_t begin = segment * check->segment_outputs;
    size_t end = size_min(begin + check->segment_outputs, check->n);
    if (begin < s->n_begin || end > s->n_begin + s->y->cols)
        return; /* the window cuts it */
    bound_segment sums = {
        .rows = (double)row->rows, .outputs = (double)(end - begin), .x_sums = row->x_sums};
    double projection, exact = 0.0;
    if (!segment_project(s, row, begin, end, &projection, &sums.y_energy))
        return;
    const double *p = check->projection + segment * check->k;
    const double *q = check->energy + segment * check->k;
    for (size_t k = 0; k < check->k; k++) {
        exact += p[k] * row->x[k];
        sums.energy += q[k] * row->x_squares[k];
        sums.w_energy += q[k];
    }
    if (!(sqrt(s->bound.k * sums.energy) < FLT_MAX))
        return; /* sums on the way may overflow */
    bound_evidence evidence = s->evidence;
    evidence.few_values = row->few_values;
    double limit = bound_projection(&s->bound, &sums, &evidence);
    check_measure(s, fabs(projection - exact), limit, begin - s->n_begin);
}

void check_segments(check_state *s, const check_row *row)
{
    for (size_t i = 0; i < s->check->segments; i++)
        segment_check(s, row, i);
}

/* Looks at every row by itself until one is found wrong: the combination cannot say which. */
static void state_find_row(check_state *s)
{
    s->worst = 1.0;
    for (size_t i = 0; s->worst <= 1.0 && i < s->y->rows; i++)
        if (check_load(s, i))
            check_segments(s, &s->row);
}

void check_combined(check_state *s)
{
    if (s->combined.rows == 0)
        return;
    s->row_index = 0;
    check_segments(s, &s->combined);
    double worst = s->worst;
    if (worst > 1.0)
        state_find_row(s);
    s->worst = fmax(worst, s->worst);
}
