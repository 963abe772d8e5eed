/* What a K that is not round costs: the same product with one column less and one more, in turns.
 * The weights are small, and stay in the caches: the cost is one of arithmetic and layout. */
#include <stdio.h>

#include "base/size.h"
#include "bench/small.h"

enum { CASES = 3, OUTPUTS_MOST = 512, COLUMNS_MOST = 4096, ROUND = 64 };

typedef struct padding_case {
    bench_small small;
    bench_product product;
    yoke_record_row *row;
} padding_case;

static yoke_status add_case(bench *b, padding_case *c, size_t m, yoke_error *err)
{
    yoke_status status = bench_add_row(b, &c->small.engine, "compute", "k padding", &c->row, err);
    if (status != YOKE_OK)
        return status;
    c->product = bench_small_product(b, &c->small, m);
    c->row->format = bench_small_format(b, c->small.x.cols);
    c->row->cached = true;
    bench_product_check(&c->product, 0, c->row);
    return YOKE_OK;
}

static bool any_failed(const padding_case *cases)
{
    return cases[0].row->failed || cases[1].row->failed || cases[2].row->failed;
}

static yoke_status sample_cases(const bench *b, padding_case *cases, yoke_error *err)
{
    yoke_subject subjects[CASES];
    yoke_series series[CASES] = {{0}, {0}, {0}};
    yoke_sampling sampling = {.min_samples = 20,
                              .min_seconds = 0.005 * b->options.seconds / CASES,
                              .max_seconds = 0.03 * b->options.seconds / CASES,
                              .max_samples = 2000,
                              .stop = b->options.stop};
    for (size_t i = 0; i < CASES; i++)
        subjects[i] = (yoke_subject){bench_product_run, &cases[i].product};
    yoke_status status = yoke_sample(subjects, CASES, &sampling, series, err);
    for (size_t i = 0; i < CASES; i++)
        cases[i].row->samples = series[i];
    return status;
}

/* Time per column against that of the round K, in the middle. */
static void report_cost(padding_case *cases)
{
    for (size_t i = 0; i < CASES; i++)
        bench_product_report(&cases[i].small.engine, &cases[i].product, cases[i].row);
    if (any_failed(cases))
        return;
    double round = cases[1].row->time.median / (double)cases[1].row->k;
    for (size_t i = 0; i < CASES; i += 2)
        cases[i].row->k_padding_cost =
            cases[i].row->time.median / (double)cases[i].row->k / round - 1;
}

static yoke_status measure_m(bench *b, bench_engine *e, padding_case *cases, size_t m,
                             yoke_error *err)
{
    bench_progress(b, e, "compute: odd K at M = %zu", m);
    for (size_t i = 0; i < CASES; i++) {
        yoke_status status = add_case(b, &cases[i], m, err);
        if (status != YOKE_OK)
            return status;
    }
    yoke_error failure = {0};
    yoke_status status = any_failed(cases) ? YOKE_OK : sample_cases(b, cases, &failure);
    bool engine_failed = false;
    for (size_t i = 0; i < CASES; i++)
        if (cases[i].product.failure.status != YOKE_OK && !cases[i].row->failed) {
            yoke_record_row_fail(cases[i].row, failure.text);
            engine_failed = true;
        }
    report_cost(cases);
    for (size_t i = 0; i < CASES; i++)
        bench_product_free(&cases[i].product);
    if (status != YOKE_OK && !engine_failed)
        return yoke_error_set(err, status, "%s", failure.text);
    return YOKE_OK;
}

yoke_status bench_k_padding(bench *b, bench_engine *e, yoke_error *err)
{
    const size_t ms[] = {1, 64};
    const yoke_matrix *w = yoke_artefact_matrix(b->artefact);
    size_t n = size_min(w->rows, OUTPUTS_MOST), k = size_min(w->cols, COLUMNS_MOST) / ROUND * ROUND;
    size_t block = yoke_format_get(w->format)->block;
    if (block > 1 || k == 0)
        return yoke_record_add_text(&b->record->notes, err, "compute: no odd K: %s",
                                    k == 0 ? "the weight has too few columns"
                                           : "rows of this format are whole blocks");
    padding_case cases[CASES] = {{.row = NULL}, {.row = NULL}, {.row = NULL}};
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < CASES && status == YOKE_OK; i++)
        status = bench_small_create(b, e, bench_small_format(b, k - 1 + i), ms[1], n, k - 1 + i,
                                    &cases[i].small, err);
    for (size_t i = 0; i < 2 && status == YOKE_OK; i++)
        status = measure_m(b, e, cases, ms[i], err);
    for (size_t i = 0; i < CASES; i++)
        bench_small_free(&cases[i].small);
    return status;
}
