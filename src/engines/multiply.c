/* One product on one engine: everything is checked here, so that engines need not. */
#include "engines/weight.h"
#include "yoke/measure.h"

/* A window of the weight's outputs. */
typedef struct window {
    size_t begin, count;
} window;

static bool is_activation_format(yoke_format format)
{
    return format == YOKE_F32 || format == YOKE_F16 || format == YOKE_BF16;
}

static yoke_status check_operand(const yoke_matrix *matrix, const char *what, yoke_error *err)
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

/* y = beta * y: what is left of a product whose sum is empty. */
static yoke_status scale_result(float beta, yoke_matrix *y, yoke_timing *timing, yoke_error *err)
{
    const yoke_matrix x = {.format = YOKE_F32, .rows = y->rows};
    const yoke_matrix w = {.format = YOKE_F32, .rows = y->cols};
    timing->submit_ns = timing->submitted_ns = yoke_clock_ns();
    yoke_status status = yoke_matrix_product(1.0f, &x, &w, beta, y, err);
    timing->done_ns = yoke_clock_ns();
    timing->path = "no product";
    return status;
}

static uint64_t deadline_after(uint64_t now_ns, uint64_t patience_ns)
{
    if (patience_ns == 0)
        return 0;
    return patience_ns > UINT64_MAX - now_ns ? UINT64_MAX : now_ns + patience_ns;
}

static void complete_timing(yoke_timing *timing, const yoke_timing *seen, const char *path)
{
    if (timing->submit_ns == 0)
        timing->submit_ns = seen->submit_ns;
    if (timing->submitted_ns == 0)
        timing->submitted_ns = seen->submitted_ns;
    if (timing->done_ns == 0)
        timing->done_ns = seen->done_ns;
    if (!timing->path)
        timing->path = path;
}

static yoke_status run(const yoke_weight *weight, const yoke_task *task,
                       const yoke_multiply_options *options, yoke_timing *timing, yoke_error *err)
{
    yoke_engine *engine = weight->engine;
    yoke_ticket ticket = {{0}};
    yoke_timing seen = {.submit_ns = yoke_clock_ns()};
    yoke_status status = engine->class->submit(engine->self, weight->prepared, task, &ticket, err);
    if (status != YOKE_OK)
        return status;
    seen.submitted_ns = yoke_clock_ns();
    status = engine->class->wait(engine->self, &ticket, options->wait, 0,
                                 deadline_after(seen.submit_ns, options->deadline_ns), timing, err);
    seen.done_ns = yoke_clock_ns();
    if (status == YOKE_ERR_TIMEOUT)
        atomic_store(&engine->lost, true);
    if (status == YOKE_OK)
        complete_timing(timing, &seen, engine->class->name);
    return status;
}

static yoke_status multiply(const yoke_weight *weight, const yoke_matrix *x, yoke_matrix *y,
                            const yoke_multiply_options *options, yoke_timing *timing,
                            yoke_error *err)
{
    window n = {0};
    yoke_status status = check_options(options, err);
    if (status == YOKE_OK)
        status = check_operand(x, "x", err);
    if (status == YOKE_OK)
        status = check_operand(y, "y", err);
    if (status == YOKE_OK)
        status = choose_window(weight, options, &n, err);
    if (status == YOKE_OK)
        status = check_shapes(weight, x, y, n, err);
    if (status == YOKE_OK)
        status = handle_check(weight->engine, err);
    if (status != YOKE_OK || x->rows == 0 || n.count == 0)
        return status;

    const yoke_task task = {
        .size = sizeof task,
        .precision = options->precision,
        .pin_path = options->pin_path,
        .alpha = options->scaled ? options->alpha : 1.0f,
        .beta = options->scaled ? options->beta : 0.0f,
        .x = x,
        .y = y,
        .n_begin = n.begin,
        .n_count = n.count,
    };
    if (weight->cols == 0 || task.alpha == 0.0f)
        return scale_result(task.beta, y, timing, err);
    return run(weight, &task, options, timing, err);
}

yoke_status yoke_weight_multiply(const yoke_weight *weight, const yoke_matrix *x, yoke_matrix *y,
                                 const yoke_multiply_options *options, yoke_timing *timing,
                                 yoke_error *err)
{
    static const yoke_multiply_options defaults = {0};
    if (!weight)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_weight_multiply: weight is NULL");
    yoke_timing local = {0};
    yoke_status status = multiply(weight, x, y, options ? options : &defaults, &local, err);
    if (status == YOKE_OK && timing)
        *timing = local;
    return status;
}
