/* The fixed cost of one call: a product so small that the arithmetic is nothing, waiting asleep and
 * waiting awake in turns. */
#include <stdio.h>

#include "bench/small.h"

enum { TINY_M = 1, TINY_N = 16, TINY_K = 32 };

static const struct {
    yoke_wait_how how;
    const char *name;
} waits[] = {{YOKE_WAIT_BLOCK, "block"}, {YOKE_WAIT_POLL, "poll"}};
enum { WAITS = sizeof waits / sizeof *waits };

static yoke_status add_call(bench *b, bench_small *tiny, size_t i, bench_product *product,
                            yoke_record_row **row, yoke_error *err)
{
    yoke_status status = bench_add_row(b, &tiny->engine, "dispatch", "call", row, err);
    if (status != YOKE_OK)
        return status;
    *product = bench_small_product(b, tiny, TINY_M);
    product->options.wait = waits[i].how;
    snprintf((*row)->wait, sizeof(*row)->wait, "%s", waits[i].name);
    (*row)->format = bench_small_format(b, TINY_K);
    (*row)->cached = true;
    bench_product_check(product, 0, *row);
    return YOKE_OK;
}

static yoke_status sample_calls(const bench *b, bench_product *products, yoke_record_row **rows,
                                yoke_error *err)
{
    yoke_subject subjects[WAITS];
    yoke_series series[WAITS] = {{0}, {0}};
    /* A call of a microsecond never settles within 5 %: the clock and interrupts are as large. */
    yoke_sampling sampling = {.min_samples = 500,
                              .min_seconds = 0.02,
                              .max_samples = 2000,
                              .max_seconds = 0.04 * b->options.seconds,
                              .warmup_spread = 0.25,
                              .warmup_max = 500,
                              .stop = b->options.stop};
    for (size_t i = 0; i < WAITS; i++)
        subjects[i] = (yoke_subject){bench_product_run, &products[i]};
    yoke_status status = yoke_sample(subjects, WAITS, &sampling, series, err);
    for (size_t i = 0; i < WAITS; i++)
        rows[i]->samples = series[i];
    return status;
}

static yoke_status measure_calls(bench *b, bench_small *tiny, yoke_error *err)
{
    bench_product products[WAITS];
    yoke_record_row *rows[WAITS];
    for (size_t i = 0; i < WAITS; i++) {
        yoke_status status = add_call(b, tiny, i, &products[i], &rows[i], err);
        if (status != YOKE_OK)
            return status;
    }
    yoke_error failure = {0};
    yoke_status status = YOKE_OK;
    if (!rows[0]->failed && !rows[1]->failed)
        status = sample_calls(b, products, rows, &failure);
    bool engine_failed = false;
    for (size_t i = 0; i < WAITS; i++) {
        if (products[i].failure.status != YOKE_OK && !rows[i]->failed) {
            yoke_record_row_fail(rows[i], failure.text);
            engine_failed = true;
        }
        bench_product_report(&tiny->engine, &products[i], rows[i]);
        bench_product_free(&products[i]);
    }
    if (status != YOKE_OK && !engine_failed)
        return yoke_error_set(err, status, "%s", failure.text);
    return YOKE_OK;
}

yoke_status bench_dispatch(bench *b, bench_engine *e, yoke_error *err)
{
    bench_small tiny;
    bench_progress(b, e, "dispatch");
    yoke_status status =
        bench_small_create(b, e, bench_small_format(b, TINY_K), TINY_M, TINY_N, TINY_K, &tiny, err);
    if (status == YOKE_OK)
        status = measure_calls(b, &tiny, err);
    bench_small_free(&tiny);
    return status;
}
