/* Starting a product on one engine: everything is checked here, so that engines need not. */
#include "engines/flight.h"

/* A window of the weight's outputs. */
typedef struct window {
    size_t begin, count;
} window;

static bool is_activation_format(yoke_format format)
{
    return format == YOKE_F32 || format == YOKE_F16 || format == YOKE_BF16;
}

yoke_status flight_check_operand(const yoke_matrix *matrix, const char *what, yoke_error *err)
{
    yoke_status status = yoke_matrix_validate(matrix, what, err);
    if (status == YOKE_OK && !is_activation_format(matrix->format))
        status = yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "%s is %s; it must be f32, f16 or bf16",
                                what, yoke_format_get(matrix->format)->name);
    return status;
}

static yoke_status check_options(const yoke_multiply_options *options, yoke_error *err)
{
    if (options->precision > YOKE_PRECISION_INT8_X)
        return yoke_error_set(err, YOKE_ERR_USAGE, "options.precision is %d, not a yoke_precision",
                              (int)options->precision);
    if (options->wait > YOKE_WAIT_SLEEP_POLL)
        return yoke_error_set(err, YOKE_ERR_USAGE, "options.wait is %d, not a yoke_wait_how",
                              (int)options->wait);
    return YOKE_OK;
}

static yoke_status choose_window(const yoke_weight *weight, const yoke_multiply_options *options,
                                 window *out, yoke_error *err)
{
    size_t begin = options->n_begin, granule = weight->engine->info.facts.granule_n;
    if (begin > weight->rows || options->n_count > weight->rows - begin)
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "the window of %zu outputs from %zu does not lie in w's %zu rows",
                              options->n_count, begin, weight->rows);
    size_t count = options->n_count ? options->n_count : weight->rows - begin;
    if (begin % granule != 0 || (count % granule != 0 && begin + count != weight->rows))
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "the window of %zu outputs from %zu is not a multiple of engine %s's "
                              "granule of %zu",
                              count, begin, weight->engine->info.name, granule);
    *out = (window){.begin = begin, .count = count};
    return YOKE_OK;
}

static yoke_status check_shapes(const yoke_weight *weight, const yoke_matrix *x,
                                const yoke_matrix *y, window n, yoke_error *err)
{
    if (x->cols != weight->cols)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "x has %zu columns, w has %zu", x->cols,
                              weight->cols);
    if (y->rows != x->rows)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "y has %zu rows, x has %zu", y->rows, x->rows);
    if (y->cols != n.count)
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "y has %zu columns, the window of w has %zu rows", y->cols, n.count);
    size_t max_m = weight->engine->info.facts.max_m;
    if (max_m > 0 && x->rows > max_m)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "engine %s: x has %zu rows, its limit is %zu",
                              weight->engine->info.name, x->rows, max_m);
    return YOKE_OK;
}

yoke_status flight_start(flight *f, const yoke_weight *weight, const yoke_matrix *x,
                         const yoke_matrix *y, const yoke_multiply_options *options,
                         yoke_error *err)
{
    window n = {0};
    yoke_status status = check_options(options, err);
    if (status == YOKE_OK)
        status = flight_check_operand(x, "x", err);
    if (status == YOKE_OK)
        status = flight_check_operand(y, "y", err);
    if (status == YOKE_OK)
        status = choose_window(weight, options, &n, err);
    if (status == YOKE_OK)
        status = check_shapes(weight, x, y, n, err);
    if (status == YOKE_OK)
        status = handle_check(weight->engine, err);
    if (status != YOKE_OK)
        return status;
    *f = (flight){.weight = weight, .x = *x, .y = *y};
    f->task = (yoke_task){
        .size = sizeof f->task,
        .precision = options->precision,
        .pin_path = options->pin_path,
        .alpha = options->scaled ? options->alpha : 1.0f,
        .beta = options->scaled ? options->beta : 0.0f,
        .x = &f->x,
        .y = &f->y,
        .n_begin = n.begin,
        .n_count = n.count,
        .has_deadline = options->deadline_ns != 0,
    };
    return flight_submit(f, err);
}

static uint64_t deadline_after(uint64_t now_ns, uint64_t patience_ns)
{
    if (patience_ns == 0)
        return 0;
    return patience_ns > UINT64_MAX - now_ns ? UINT64_MAX : now_ns + patience_ns;
}

yoke_status yoke_weight_multiply(const yoke_weight *weight, const yoke_matrix *x, yoke_matrix *y,
                                 const yoke_multiply_options *options, yoke_timing *timing,
                                 yoke_error *err)
{
    static const yoke_multiply_options defaults = {0};
    if (!weight)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_weight_multiply: weight is NULL");
    if (!options)
        options = &defaults;
    flight f;
    yoke_timing local = {0};
    yoke_status status = flight_start(&f, weight, x, y, options, err);
    if (status == YOKE_OK)
        status = flight_finish(&f, options->wait, 0,
                               deadline_after(f.seen.submit_ns, options->deadline_ns), &local, err);
    if (status == YOKE_OK && timing)
        *timing = local;
    return status;
}
