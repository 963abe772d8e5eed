/* Those who compute the product: made ready, checked, timed in turns. */
#include <math.h>

#include "cli.h"
#include "matmul.h"

/* Products usually follow each other, and an engine's threads are then awake; in turns with others
 * they fall asleep. Up to this length a product is timed right after one like it. */
#define SHORT_NS 2e7

/* What one that failed says it takes: enough to end its series. */
#define NOTHING_LEFT_NS 1e12

static void check(matmul_entry *e)
{
    yoke_error *err = &e->failure;
    const matmul_product *p = e->of;
    if (yoke_check_product(p->check, &p->x, &e->y, 0, &e->model, &e->checked, err) != YOKE_OK)
        return;
    if (e->checked.verdict == YOKE_VERDICT_UNCHECKED)
        yoke_error_set(err, YOKE_ERR_CHECK,
                       "%s: the result cannot be checked: no row of the weight that a check looks "
                       "at is finite",
                       e->name);
    else if (e->checked.verdict != YOKE_VERDICT_RIGHT)
        yoke_error_set(err, YOKE_ERR_CHECK,
                       "%s: result is %s: error %.3g times its bound at y[%zu][%zu]", e->name,
                       yoke_verdict_name(e->checked.verdict), e->checked.worst, e->checked.row,
                       e->checked.col);
}

static void multiply_on_engine(matmul_entry *e)
{
    yoke_timing timing = {0};
    yoke_multiply_options options = {.precision = e->of->precision, .wait = YOKE_WAIT_SLEEP_POLL};
    uint64_t begin = yoke_clock_ns();
    if (yoke_weight_multiply(e->weight, &e->of->x, &e->y, &options, &timing, &e->failure) !=
        YOKE_OK)
        return;
    e->last_ns = (double)(yoke_clock_ns() - begin);
    e->path = timing.path;
}

static void multiply(matmul_entry *e)
{
    if (!e->plan) {
        multiply_on_engine(e);
        return;
    }
    uint64_t begin = yoke_clock_ns();
    if (yoke_matmul(e->plan, &e->of->x, &e->y, NULL, &e->run, &e->failure) == YOKE_OK)
        e->last_ns = (double)(yoke_clock_ns() - begin);
}

void matmul_first(matmul_entry *e)
{
    if (yoke_matrix_create(YOKE_F32, e->of->x.rows, e->of->w.rows, &e->y, &e->failure) != YOKE_OK)
        return;
    multiply(e);
    if (e->failure.status == YOKE_OK)
        check(e);
}

void matmul_open_engine(matmul_entry *e, yoke_context *context)
{
    yoke_error *err = &e->failure;
    if (yoke_engine_open(context, e->name, &e->engine, err) != YOKE_OK)
        return;
    yoke_engine_heed(e->engine, &cli_stopped);
    if (yoke_weight_prepare(e->engine, &e->of->w, &e->weight, &e->report, err) != YOKE_OK)
        return;
    e->model = yoke_engine_error_model(e->engine, e->of->precision);
    matmul_first(e);
}

void matmul_close(matmul_entry *e)
{
    yoke_series_free(&e->series);
    yoke_matrix_free(&e->y);
    yoke_weight_free(e->weight);
    yoke_engine_free(e->engine);
}

/* A yoke_subject. One that fails on the way must not end the others' series: from then on it takes
 * part with runs that cost nothing and are not shown. */
static yoke_status run(void *arg, double *elapsed_ns, yoke_error *err)
{
    (void)err;
    matmul_entry *e = arg;
    if (e->failure.status == YOKE_OK && e->last_ns < SHORT_NS)
        multiply(e);
    if (e->failure.status == YOKE_OK)
        multiply(e);
    *elapsed_ns = e->failure.status == YOKE_OK ? e->last_ns : NOTHING_LEFT_NS;
    if (e->failure.status == YOKE_OK && e->of->check_all)
        check(e);
    return YOKE_OK;
}

yoke_status matmul_time(matmul *all, yoke_error *err)
{
    yoke_sampling sampling = {.min_samples = all->split ? 15 : 7,
                              .min_seconds = 0.1,
                              .max_seconds = all->split ? 4 : 2,
                              .warmup_max = 10,
                              .stop = &cli_stopped};
    yoke_subject subjects[MATMUL_MAX_ENTRIES] = {{NULL, NULL}};
    yoke_series series[MATMUL_MAX_ENTRIES];
    matmul_entry *timed[MATMUL_MAX_ENTRIES];
    size_t timed_count = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->entries[i].failure.status != YOKE_OK)
            continue;
        subjects[timed_count] = (yoke_subject){run, &all->entries[i]};
        series[timed_count] = (yoke_series){0};
        timed[timed_count++] = &all->entries[i];
    }
    yoke_status status = yoke_sample(subjects, timed_count, &sampling, series, err);
    for (size_t i = 0; i < timed_count; i++)
        timed[i]->series = series[i];
    return status;
}

double matmul_median(const matmul_entry *e)
{
    yoke_statistics of;
    if (e->failure.status != YOKE_OK ||
        yoke_statistics_of(e->series.samples_ns, e->series.count, &of, NULL) != YOKE_OK)
        return (double)NAN;
    return of.median;
}
