/* Sampled elements of y against exact dot products. */
#include <float.h>
#include <math.h>

#include "matrix/check_state.h"

static bound_sums sample_sums(const check_state *s, size_t sample)
{
    const float *w = s->check->sample_row + sample * s->check->k;
    bound_sums sums = {.x = sqrt(s->row.x_sums)};
    for (size_t k = 0; k < s->check->k; k++) {
        double product = (double)w[k] * s->row.x[k];
        sums.exact += product;
        sums.magnitude += fabs(product);
        sums.energy += product * product;
        sums.w += fabs((double)w[k]);
    }
    return sums;
}

/* An infinity or NaN where the exact value is known. */
static void sample_not_finite(check_state *s, const bound_sums *sums, size_t col)
{
    double y = s->row.y[col];
    double most = fabs(sums->exact) + bound_computed(&s->bound, sums);
    bool sign_agrees = isinf(y) && (signbit(y) != 0) == (sums->exact < 0.0);
    if (sign_agrees && most >= s->bound.saturation)
        check_place_set(&s->saturated, s->row_index, col);
    else if (sign_agrees && most >= s->bound.y_max)
        s->checked++; /* beyond the format: infinity is right */
    else
        check_place_set(&s->not_finite, s->row_index, col);
}

void check_sample(check_state *s, size_t sample, size_t col)
{
    if (!check_output_is_finite(s->check, s->n_begin + col))
        return;
    bound_sums sums = sample_sums(s, sample);
    if (!(sums.magnitude < FLT_MAX))
        return; /* sums on the way may overflow */
    double y = s->row.y[col];
    if (!isfinite(y)) {
        sample_not_finite(s, &sums, col);
        return;
    }
    double error = fabs(y - sums.exact);
    check_measure(s, error, bound_element(&s->bound, &sums), col);
    s->error_energy += error * error;
    s->exact_energy += sums.exact * sums.exact;
    s->evidence.observed = fmax(s->evidence.observed, bound_observed(&s->bound, &sums, error));
}

void check_window_samples(const check_state *s, size_t *begin, size_t *end)
{
    const yoke_check *check = s->check;
    size_t i = 0;
    while (i < check->samples && check->sample_output[i] < s->n_begin)
        i++;
    *begin = i;
    while (i < check->samples && check->sample_output[i] - s->n_begin < s->y->cols)
        i++;
    *end = i;
}
