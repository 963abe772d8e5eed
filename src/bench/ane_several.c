#include "bench/ane_several.h"

#include "bench/ane_case.h"
#include "yoke/measure.h"

enum { WEIGHTS = 8, ENGINES = 2 };

typedef struct several {
    ane_case what;
    bench_engine engine; /* with the first of the weights */
    yoke_weight *weights[WEIGHTS];
    yoke_check *checks[WEIGHTS];
    yoke_matrix y;
    bench_product product; /* by one of them after the other */
    size_t runs;
    ane_sampled sampled;
} several;

/* The system keeps what it has compiled, so these are weights that it has not seen. */
static yoke_status fill(yoke_matrix w[WEIGHTS], size_t side, yoke_error *err)
{
    const uint64_t seed = yoke_clock_ns();
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < WEIGHTS && status == YOKE_OK; i++) {
        status = yoke_matrix_create(YOKE_F16, side, side, &w[i], err);
        if (status == YOKE_OK)
            status = yoke_matrix_fill_random(&w[i], seed + i, err);
    }
    return status;
}

static yoke_status prepare(bench *b, several *s, const yoke_matrix w[WEIGHTS], yoke_error *err)
{
    yoke_prepare_report reports[WEIGHTS];
    const uint64_t begin = yoke_clock_ns();
    yoke_status status =
        yoke_weights_prepare(s->engine.engine, w, WEIGHTS, s->weights, reports, err);
    if (status != YOKE_OK)
        return status;
    s->sampled.row->weights = WEIGHTS;
    s->sampled.row->prepare_ns = (double)(yoke_clock_ns() - begin);
    s->sampled.row->prepared_format = reports[0].format;
    s->engine.weight = s->weights[0];
    s->engine.report = reports[0];
    s->engine.stored_bytes = yoke_matrix_bytes(&w[0]);
    for (size_t i = 0; i < WEIGHTS && status == YOKE_OK; i++)
        status = yoke_check_create(&w[i], 1, &s->checks[i], err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(YOKE_F32, s->what.m, s->what.n, &s->y, err);
    return status == YOKE_OK
               ? yoke_record_add_text(&b->record->notes, err, "ane: %s: each weight is %s",
                                      s->what.what, reports[0].layout)
               : status;
}

static yoke_status check_all(bench *b, several *s, double seconds, yoke_error *err)
{
    const ane_sampled *state = &s->sampled;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < WEIGHTS && status == YOKE_OK; i++) {
        s->product.weight = s->weights[i];
        s->product.check = s->checks[i];
        if (!state->row->failed && !state->left_out)
            status = ane_case_check(b, &s->what, seconds, &s->sampled, err);
    }
    return status;
}

static yoke_status run_next(void *arg, double *elapsed_ns, yoke_error *err)
{
    several *s = arg;
    s->product.weight = s->weights[s->runs++ % WEIGHTS];
    return bench_product_run(&s->product, elapsed_ns, err);
}

static yoke_status begin(bench *b, several *s, const yoke_matrix w[WEIGHTS], const yoke_matrix *x,
                         double seconds, yoke_error *err)
{
    yoke_error failure = {0};
    yoke_record_row *row;
    yoke_status status = bench_add_row(b, &s->engine, "ane", s->what.what, &row, err);
    if (status != YOKE_OK)
        return status;
    s->sampled = (ane_sampled){{run_next, s}, &s->product, row, false};
    row->format = s->what.format;
    row->cached = true;
    status = prepare(b, s, w, &failure);
    if (status == YOKE_ERR_INTERRUPTED || status == YOKE_ERR_MEMORY)
        return yoke_error_set(err, status, "%s", failure.text);
    if (status != YOKE_OK) {
        yoke_record_row_fail(row, failure.text);
        return YOKE_OK;
    }
    s->product = (bench_product){.x = *x,
                                 .y = s->y,
                                 .options = {.precision = b->options.precision},
                                 .facts = &s->engine.info->facts};
    return check_all(b, s, seconds, err);
}

static void end(several *s)
{
    if (s->weights[0])
        bench_product_report(&s->engine, &s->product, s->sampled.row);
    bench_product_free(&s->product);
    yoke_matrix_free(&s->y);
    for (size_t i = 0; i < WEIGHTS; i++) {
        yoke_check_free(s->checks[i]);
        yoke_weight_free(s->weights[i]);
    }
}

yoke_status ane_several_measure(bench *b, const bench_engine *shared, const bench_engine *single,
                                size_t side, double seconds, yoke_error *err)
{
    several all[ENGINES] = {
        {.what = {shared, "procedures", YOKE_F16, 1, side, side}, .engine = *shared},
        {.what = {single, "programs", YOKE_F16, 1, side, side}, .engine = *single}};
    yoke_matrix w[WEIGHTS] = {{.data = NULL}}, x = {.data = NULL};
    yoke_status status = fill(w, side, err);
    if (status == YOKE_OK)
        status = bench_make_x(b, 1, side, &x, err);
    for (size_t i = 0; i < ENGINES && status == YOKE_OK; i++)
        status = begin(b, &all[i], w, &x, seconds / ENGINES, err);
    if (status == YOKE_OK)
        status = ane_case_sample(b, (ane_sampled *[]){&all[0].sampled, &all[1].sampled}, ENGINES,
                                 seconds, err);
    for (size_t i = 0; i < ENGINES; i++)
        end(&all[i]);
    for (size_t i = 0; i < WEIGHTS; i++)
        yoke_matrix_free(&w[i]);
    yoke_matrix_free(&x);
    return status;
}
