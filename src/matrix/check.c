/* Checking a product: sampled elements against exact dot products, stretches of outputs against
 * projections of the weight (Freivalds). The bounds are derived in check_bound.h.
 *
 * Every row of y is looked through for infinities, NaN, zeros and saturation. Elements and segments
 * are checked in all rows up to ROWS_MOST; else in ROWS_MOST rows spread from the first to the
 * last, in up to ROWS_MOST rows more that are all zero, and in all rows combined with random signs,
 * which finds one row that is wrong throughout, though not always a single element. A row of x with
 * an infinity or a NaN is left out, and so are outputs whose weights have one. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "matrix/check_bound.h"
#include "matrix/check_row.h"
#include "matrix/check_weight.h"
#include "matrix/read.h"
#include "matrix/write.h"

#define ROWS_MOST 16

/* The first place of something. */
typedef struct check_place {
    bool found;
    size_t row, col;
} check_place;

typedef struct check_state {
    const yoke_check *check;
    const yoke_matrix *x, *y;
    size_t n_begin;
    bound bound;
    check_row row;      /* the row loaded, */
    size_t row_index;   /* its number, */
    check_row combined; /* and all of them, where they are many */

    size_t chosen[2 * ROWS_MOST]; /* rows whose segments are checked */
    size_t spread_rows, zero_rows;
    check_place not_finite, saturated;
    bool only_zeros;
    size_t checked; /* elements and segments */
    double worst;
    size_t worst_row, worst_col;
    double error_energy, exact_energy; /* of the sampled elements */
    bound_evidence evidence;
} check_state;

const char *yoke_verdict_name(yoke_verdict verdict)
{
    switch (verdict) {
    case YOKE_VERDICT_UNCHECKED: return "unchecked";
    case YOKE_VERDICT_RIGHT: return "right";
    case YOKE_VERDICT_WRONG: return "wrong";
    case YOKE_VERDICT_ALL_ZERO: return "all zero";
    case YOKE_VERDICT_NOT_FINITE: return "not finite";
    case YOKE_VERDICT_SATURATED: return "saturated";
    }
    return "unknown verdict";
}

static void place_set(check_place *place, size_t row, size_t col)
{
    if (!place->found)
        *place = (check_place){true, row, col};
}

static void state_measure(check_state *s, double error, double limit, size_t col)
{
    s->checked++;
    double ratio = error > 0.0 ? error / limit : 0.0;
    if (ratio > s->worst) {
        s->worst = ratio;
        s->worst_row = s->row_index;
        s->worst_col = col;
    }
}

/* False when the row of x has an infinity or a NaN. */
static bool row_load(check_state *s, size_t index)
{
    s->row_index = index;
    return check_row_load(&s->row, s->x, s->y, index);
}

/* Whether outputs of which only the size of their weights is known could leave the range of y's
 * format or of f32 sums. |y_n| <= T_n <= |w_n| |x|, by Cauchy and Schwarz. */
static bool row_may_overflow(const check_state *s)
{
    double most = sqrt(s->check->largest_energy * s->row.x_energy);
    return !(most < fmin(fmin(s->bound.y_max, s->bound.saturation), FLT_MAX));
}

/* Notes what y's elements show by themselves. */
static void row_scan(check_state *s)
{
    const check_row *row = &s->row;
    bool may_overflow = row_may_overflow(s);
    for (size_t j = 0; j < s->y->cols; j++) {
        if (!check_output_is_finite(s->check, s->n_begin + j))
            continue;
        if (row->y[j] != 0.0)
            s->only_zeros = false;
        if (!isfinite(row->y[j]) && !may_overflow)
            place_set(&s->not_finite, s->row_index, j);
        else if (isfinite(s->bound.saturation) && fabs(row->y[j]) >= s->bound.saturation)
            place_set(&s->saturated, s->row_index, j);
    }
}

/* Whether the row loaded, they come in order, is the next of those spread over all of y. One that
 * was left out is made good by the next. */
static bool row_is_spread(const check_state *s)
{
    size_t rows = s->y->rows;
    return rows <= ROWS_MOST ||
           s->row_index >= check_fraction(rows - 1, s->spread_rows, ROWS_MOST - 1);
}

/* Whether elements and segments of the row loaded are checked. */
static bool row_choose(check_state *s)
{
    if (row_is_spread(s))
        s->spread_rows++;
    else if (s->zero_rows < ROWS_MOST && check_row_is_zero(&s->row))
        s->zero_rows++;
    else
        return false;
    s->chosen[s->spread_rows + s->zero_rows - 1] = s->row_index;
    return true;
}

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
        place_set(&s->saturated, s->row_index, col);
    else if (sign_agrees && most >= s->bound.y_max)
        s->checked++; /* beyond the format: infinity is right */
    else
        place_set(&s->not_finite, s->row_index, col);
}

static void sample_check(check_state *s, size_t sample, size_t col)
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
    state_measure(s, error, bound_element(&s->bound, &sums), col);
    s->error_energy += error * error;
    s->exact_energy += sums.exact * sums.exact;
    s->evidence.observed = fmax(s->evidence.observed, bound_observed(&s->bound, &sums, error));
}

/* The samples [*begin, *end) lie in the window of outputs. */
static void window_samples(const check_state *s, size_t *begin, size_t *end)
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
    state_measure(s, fabs(projection - exact), limit, begin - s->n_begin);
}

static void row_check_segments(check_state *s, const check_row *row)
{
    for (size_t i = 0; i < s->check->segments; i++)
        segment_check(s, row, i);
}

/* Looks at every row by itself until one is found wrong: the combination cannot say which. */
static void state_find_row(check_state *s)
{
    s->worst = 1.0;
    for (size_t i = 0; s->worst <= 1.0 && i < s->y->rows; i++)
        if (row_load(s, i))
            row_check_segments(s, &s->row);
}

static void state_check_combined(check_state *s)
{
    if (s->combined.rows == 0)
        return;
    s->row_index = 0;
    row_check_segments(s, &s->combined);
    double worst = s->worst;
    if (worst > 1.0)
        state_find_row(s);
    s->worst = fmax(worst, s->worst);
}

static void state_run(check_state *s)
{
    size_t sample_begin, sample_end;
    window_samples(s, &sample_begin, &sample_end);
    for (size_t i = 0; i < s->y->rows; i++) {
        if (!row_load(s, i))
            continue;
        row_scan(s);
        if (s->y->rows > ROWS_MOST)
            check_row_add(&s->combined, &s->row, check_row_sign(s->check, i));
        if (!row_choose(s))
            continue;
        for (size_t j = sample_begin; j < sample_end; j++)
            sample_check(s, j, s->check->sample_output[j] - s->n_begin);
    }
    /* The segments come after all sampled elements, whose errors tell what to allow for. */
    s->evidence.sampled_outputs = sample_end - sample_begin;
    for (size_t i = 0; i < s->spread_rows + s->zero_rows; i++) {
        row_load(s, s->chosen[i]);
        row_check_segments(s, &s->row);
    }
    if (s->worst <= 1.0)
        state_check_combined(s);
}

static yoke_check_result state_result(const check_state *s)
{
    yoke_check_result result = {YOKE_VERDICT_UNCHECKED, s->worst, 0.0, s->worst_row, s->worst_col};
    if (s->exact_energy > 0.0)
        result.rms_error = sqrt(s->error_energy / s->exact_energy);
    bool wrong = !(s->worst <= 1.0);
    check_place place = {false, 0, 0};
    if (s->not_finite.found) {
        result.verdict = YOKE_VERDICT_NOT_FINITE;
        result.worst = INFINITY;
        place = s->not_finite;
    } else if (wrong && s->only_zeros) {
        result.verdict = YOKE_VERDICT_ALL_ZERO;
    } else if (s->saturated.found) {
        result.verdict = YOKE_VERDICT_SATURATED;
        place = s->saturated;
    } else if (wrong) {
        result.verdict = YOKE_VERDICT_WRONG;
    } else if (s->checked > 0) {
        result.verdict = YOKE_VERDICT_RIGHT;
    }
    if (place.found) {
        result.row = place.row;
        result.col = place.col;
    }
    return result;
}

static yoke_status check_arguments(const yoke_check *check, const yoke_matrix *x,
                                   const yoke_matrix *y, size_t n_begin, yoke_error *err)
{
    yoke_status status = yoke_matrix_validate(x, "x", err);
    if (status == YOKE_OK)
        status = yoke_matrix_validate(y, "y", err);
    if (status != YOKE_OK)
        return status;
    if (!read_function(x->format) || !write_supports(y->format))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "products of %s to %s cannot be checked",
                              yoke_format_get(x->format)->name, yoke_format_get(y->format)->name);
    if (x->cols != check->k || x->rows != y->rows || n_begin > check->n ||
        y->cols > check->n - n_begin)
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "x is %zu x %zu, y is %zu x %zu from output %zu on, but the weight "
                              "checked is %zu x %zu",
                              x->rows, x->cols, y->rows, y->cols, n_begin, check->n, check->k);
    return YOKE_OK;
}

yoke_status yoke_check_product(const yoke_check *check, const yoke_matrix *x, const yoke_matrix *y,
                               size_t n_begin, const yoke_error_model *model,
                               yoke_check_result *result, yoke_error *err)
{
    if (!check || !result)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_check_product: %s is NULL",
                              check ? "result" : "check");
    yoke_status status = check_arguments(check, x, y, n_begin, err);
    if (status != YOKE_OK)
        return status;

    check_state state = {.check = check, .x = x, .y = y, .n_begin = n_begin, .only_zeros = true};
    state.bound = bound_make(model, y->format, check->k);
    bool row = check_row_create(&state.row, x->cols, y->cols);
    bool combined = check_row_create(&state.combined, x->cols, y->cols);
    if (row && combined) {
        state_run(&state);
        *result = state_result(&state);
    } else {
        status = yoke_error_set(err, YOKE_ERR_MEMORY, "no memory to check rows of %zu and %zu",
                                x->cols, y->cols);
    }
    check_row_free(&state.row);
    check_row_free(&state.combined);
    return status;
}
