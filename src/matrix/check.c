/* Checking a product: sampled elements against exact dot products, stretches of outputs against
 * projections of the weight (Freivalds). The bounds are derived in check_bound.h.
 *
 * Every row of y is looked through for infinities, NaN, zeros and saturation. Elements and segments
 * are checked in all rows up to CHECK_ROWS_MOST; else in CHECK_ROWS_MOST rows spread from the first
 * to the last, in up to CHECK_ROWS_MOST rows more that are all zero, and in all rows combined with
 * random signs, which finds one row that is wrong throughout, though not always a single element. A
 * row of x with an infinity or a NaN is left out, and so are outputs whose weights have one. */
#include <float.h>
#include <math.h>

#include "matrix/check_state.h"
#include "matrix/read.h"
#include "matrix/write.h"

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
            check_place_set(&s->not_finite, s->row_index, j);
        else if (isfinite(s->bound.saturation) && fabs(row->y[j]) >= s->bound.saturation)
            check_place_set(&s->saturated, s->row_index, j);
    }
}

/* Whether the row loaded, they come in order, is the next of those spread over all of y. One that
 * was left out is made good by the next. */
static bool row_is_spread(const check_state *s)
{
    size_t rows = s->y->rows;
    return rows <= CHECK_ROWS_MOST ||
           s->row_index >= check_fraction(rows - 1, s->spread_rows, CHECK_ROWS_MOST - 1);
}

/* Whether elements and segments of the row loaded are checked. */
static bool row_choose(check_state *s)
{
    if (row_is_spread(s))
        s->spread_rows++;
    else if (s->zero_rows < CHECK_ROWS_MOST && check_row_is_zero(&s->row))
        s->zero_rows++;
    else
        return false;
    s->chosen[s->spread_rows + s->zero_rows - 1] = s->row_index;
    return true;
}

static void state_run(check_state *s)
{
    size_t sample_begin, sample_end;
    check_window_samples(s, &sample_begin, &sample_end);
    for (size_t i = 0; i < s->y->rows; i++) {
        if (!check_load(s, i))
            continue;
        row_scan(s);
        if (s->y->rows > CHECK_ROWS_MOST)
            check_row_add(&s->combined, &s->row, check_row_sign(s->check, i));
        if (!row_choose(s))
            continue;
        for (size_t j = sample_begin; j < sample_end; j++)
            check_sample(s, j, s->check->sample_output[j] - s->n_begin);
    }
    /* The segments come after all sampled elements, whose errors tell what to allow for. */
    s->evidence.sampled_outputs = sample_end - sample_begin;
    for (size_t i = 0; i < s->spread_rows + s->zero_rows; i++) {
        check_load(s, s->chosen[i]);
        check_segments(s, &s->row);
    }
    if (s->worst <= 1.0)
        check_combined(s);
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
