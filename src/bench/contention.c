/* Contention: what each engine keeps of its rate while another one works. Every pair is measured in
 * turns: each engine alone, and each one beside the other, which then runs without a pause; at M =
 * 1, where weights stream from memory, and at a large M, where arithmetic takes the time.
 *
 * together = (rate of A beside B + rate of B beside A) / (rate of A alone + rate of B alone)
 *
 *   adds up         the whole 95 % interval of `together` lies at ADDS_UP or above
 *   shared ceiling  the whole interval lies below: the two meet at something they share, such as
 *                   memory, power or cores, and that is full. An engine that is slower then does
 * not stand idle not clear       the interval holds ADDS_UP
 *
 * Each interval is that of a median, by order statistics, of the ratios turn by turn; that of
 * `together` takes both ends of both, which makes it a wide one. */
#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "measure/wander.h"
#include "split/pair.h"

#define ADDS_UP    0.95
#define PRODUCT_NS 5e6 /* long against a call and against waking up, short against a pause */

enum {
    ENGINES_MOST = 32,
    FIRST_PART = 64, /* of w: the window that the first time is taken with */
    Y_BYTES = 8 << 20
};

static const size_t rows[] = {1, 128};
enum { ROWS = sizeof rows / sizeof *rows };

typedef struct contention_suite {
    bench_engine engines[ENGINES_MOST];
    yoke_error failures[ENGINES_MOST]; /* of an engine as such */
    size_t count;
    yoke_matrix x;    /* for the largest M */
    yoke_matrix y[2]; /* memory for results */
    yoke_check *check;
    yoke_sampling sampling;
} contention_suite;

/* One engine of the pair at hand. */
typedef struct side {
    const bench_engine *engine;
    load load;
    double alone_rate; /* outputs per ns */
    yoke_statistics retained;
    yoke_record_row *alone, *beside;
} side;

static load make_load(const contention_suite *s, const bench *b, const bench_engine *e, size_t m,
                      size_t n, size_t which)
{
    load l = {.engine = e->engine,
              .weight = e->weight,
              .x = yoke_matrix_rows(&s->x, 0, m),
              .y = {.format = YOKE_F32, .rows = m, .data = s->y[which].data},
              .precision = b->options.precision};
    load_resize(&l, n);
    return l;
}

static size_t window(const bench_engine *e, size_t m, double wanted)
{
    double most = fmin((double)(Y_BYTES / sizeof(float) / m), (double)SIZE_MAX / 2);
    return wander_size(yoke_weight_outputs(e->weight), (size_t)fmax(fmin(wanted, most), 1),
                       e->info->facts.granule_n);
}

/* A window whose product takes about PRODUCT_NS, checked. */
static yoke_status size_load(const contention_suite *s, const bench *b, side *a, size_t m,
                             size_t which, yoke_error *err)
{
    const bench_engine *e = a->engine;
    double ns = 0, part = (double)yoke_weight_outputs(e->weight) / FIRST_PART;
    a->load = make_load(s, b, e, m, window(e, m, part), which);
    yoke_status status = load_check(&a->load, s->check, &ns, err);
    if (status != YOKE_OK)
        return status;
    load_resize(&a->load, window(e, m, (double)a->load.y.cols * PRODUCT_NS / fmax(ns, 1)));
    return load_check(&a->load, s->check, &ns, err);
}

static yoke_status add_row(bench *b, const side *a, const side *other, const char *what, size_t m,
                           yoke_record_row **row, yoke_error *err)
{
    yoke_status status = bench_add_row(b, a->engine, "contention", what, row, err);
    if (status != YOKE_OK)
        return status;
    snprintf((*row)->other, sizeof(*row)->other, "%s", other->engine->specification);
    (*row)->m = m;
    (*row)->k = yoke_artefact_matrix(b->artefact)->cols;
    return YOKE_OK;
}

static yoke_status add_rows(bench *b, side sides[2], size_t m, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < 2 && status == YOKE_OK; i++) {
        status = add_row(b, &sides[i], &sides[1 - i], "alone", m, &sides[i].alone, err);
        if (status == YOKE_OK)
            status = add_row(b, &sides[i], &sides[1 - i], "beside", m, &sides[i].beside, err);
    }
    return status;
}

static void fail(side sides[2], const char *reason)
{
    for (size_t i = 0; i < 2; i++) {
        yoke_record_row_fail(sides[i].alone, reason);
        yoke_record_row_fail(sides[i].beside, reason);
    }
}

static yoke_status report_row(const side *a, yoke_record_row *row, yoke_series *series,
                              yoke_error *err)
{
    size_t bytes = 0;
    row->n = a->load.y.cols;
    yoke_format_bytes(a->engine->report.format, row->n, row->k, &bytes, NULL);
    row->prepared_bytes = bytes;
    yoke_format_bytes(row->format, row->n, row->k, &bytes, NULL);
    row->bytes = bytes;
    snprintf(row->check, sizeof row->check, "%s", yoke_verdict_name(YOKE_VERDICT_RIGHT));
    row->samples = *series;
    *series = (yoke_series){0};
    yoke_status status = yoke_record_row_summarise(row, err);
    if (status != YOKE_OK)
        return status;
    row->naive_gbps = yoke_gbps((double)row->bytes, row->time.median);
    row->tflops = 2.0 * (double)row->m * (double)row->n * (double)row->k / row->time.median * 1e-3;
    return YOKE_OK;
}

static yoke_status report_side(side *a, pair_side *measured, yoke_error *err)
{
    yoke_status status = pair_retained(measured, &a->retained, err);
    if (status == YOKE_OK)
        status = report_row(a, a->alone, &measured->alone, err);
    if (status == YOKE_OK)
        status = report_row(a, a->beside, &measured->beside, err);
    if (status != YOKE_OK)
        return status;
    a->alone_rate = (double)a->load.y.cols / a->alone->time.median;
    a->beside->retained = a->retained.median;
    a->beside->retained_low = a->retained.median_low;
    a->beside->retained_high = a->retained.median_high;
    return YOKE_OK;
}

static const char *judge(double low, double high)
{
    if (low >= ADDS_UP)
        return "adds up";
    return high < ADDS_UP ? "shared ceiling" : "not clear";
}

/* What both reach together, of the sum of what they reach alone. */
static double together(const side sides[2], double first, double second)
{
    double sum = sides[0].alone_rate + sides[1].alone_rate;
    return (first * sides[0].alone_rate + second * sides[1].alone_rate) / sum;
}

static void report_together(side sides[2])
{
    const yoke_statistics *a = &sides[0].retained, *b = &sides[1].retained;
    for (size_t i = 0; i < 2; i++) {
        yoke_record_row *row = sides[i].beside;
        row->together = together(sides, a->median, b->median);
        row->together_low = together(sides, a->median_low, b->median_low);
        row->together_high = together(sides, a->median_high, b->median_high);
        snprintf(row->sharing, sizeof row->sharing, "%s",
                 judge(row->together_low, row->together_high));
    }
}

static yoke_status measure_sides(const contention_suite *s, side sides[2], yoke_error *err)
{
    pair_side measured[2] = {{.load = &sides[0].load}, {.load = &sides[1].load}};
    yoke_status status = pair_measure(measured, &s->sampling, err);
    for (size_t i = 0; i < 2 && status == YOKE_OK; i++)
        status = report_side(&sides[i], &measured[i], err);
    if (status == YOKE_OK)
        report_together(sides);
    pair_free(measured);
    return status;
}

static yoke_status measure_pair(bench *b, const contention_suite *s, size_t i, size_t j, size_t m,
                                yoke_error *err)
{
    side sides[2] = {{.engine = &s->engines[i]}, {.engine = &s->engines[j]}};
    yoke_error failure = s->failures[i].status != YOKE_OK ? s->failures[i] : s->failures[j];
    yoke_status status = bench_go_on(b, err);
    if (status == YOKE_OK)
        status = add_rows(b, sides, m, err);
    if (status != YOKE_OK)
        return status;
    bench_progress(b, sides[0].engine, "contention: beside %s, M = %zu",
                   sides[1].engine->specification, m);
    status = failure.status;
    for (size_t which = 0; which < 2 && status == YOKE_OK; which++)
        status = size_load(s, b, &sides[which], m, which, &failure);
    if (status == YOKE_OK)
        status = measure_sides(s, sides, &failure);
    if (status == YOKE_ERR_INTERRUPTED)
        return yoke_error_set(err, status, "%s", failure.text);
    if (status != YOKE_OK)
        fail(sides, failure.text);
    return YOKE_OK;
}

static yoke_status measure_all(bench *b, const contention_suite *s, yoke_error *err)
{
    for (size_t r = 0; r < ROWS; r++)
        for (size_t i = 0; i < s->count; i++)
            for (size_t j = i + 1; j < s->count; j++) {
                yoke_status status = measure_pair(b, s, i, j, rows[r], err);
                if (status != YOKE_OK)
                    return status;
            }
    return YOKE_OK;
}

/* What an engine cannot do is its failure, in every pair it is in. */
static yoke_status open_engine(bench *b, contention_suite *s, yoke_context *context,
                               const char *specification, yoke_error *err)
{
    bench_engine *e = &s->engines[s->count];
    yoke_status status = bench_open(b, context, specification, e, err);
    if (status != YOKE_OK)
        return status;
    bench_progress(b, e, "preparing the weight");
    yoke_weight_prepare(e->engine, yoke_artefact_matrix(b->artefact), &e->weight, &e->report,
                        &s->failures[s->count]);
    s->count++;
    return YOKE_OK;
}

static yoke_status prepare_suite(bench *b, contention_suite *s, yoke_error *err)
{
    const yoke_matrix *w = yoke_artefact_matrix(b->artefact);
    bench_progress(b, NULL, "contention: preparing the check");
    yoke_status status = yoke_check_create(w, 1, &s->check, err);
    if (status == YOKE_OK)
        status = bench_make_x(b, rows[ROWS - 1], w->cols, &s->x, err);
    for (size_t i = 0; i < 2 && status == YOKE_OK; i++)
        status = yoke_matrix_create(YOKE_F32, 1, Y_BYTES / sizeof(float), &s->y[i], err);
    return status;
}

static void free_suite(contention_suite *s)
{
    for (size_t i = 0; i < s->count; i++) {
        yoke_weight_free(s->engines[i].weight);
        yoke_engine_free(s->engines[i].engine);
    }
    yoke_matrix_free(&s->y[1]);
    yoke_matrix_free(&s->y[0]);
    yoke_matrix_free(&s->x);
    yoke_check_free(s->check);
}

static yoke_sampling plan_sampling(const bench *b, size_t count)
{
    double seconds = b->options.seconds / (double)(ROWS * (count - 1));
    return (yoke_sampling){.min_samples = 25, /* for an interval worth its name */
                           .min_seconds = seconds / 64,
                           .max_samples = 1000,
                           .max_seconds = seconds / 4,
                           .warmup_max = 5,
                           .warmup_window = 3,
                           .stop = b->options.stop};
}

yoke_status bench_contention(bench *b, yoke_context *context, const char *const *specifications,
                             size_t count, yoke_error *err)
{
    contention_suite s = {.sampling = plan_sampling(b, count)};
    yoke_status status = YOKE_OK;
    if (count > ENGINES_MOST)
        return yoke_error_set(err, YOKE_ERR_USAGE, "bench: contention of more than %d engines",
                              ENGINES_MOST);
    for (size_t i = 0; i < count && status == YOKE_OK; i++)
        status = open_engine(b, &s, context, specifications[i], err);
    if (status == YOKE_OK)
        status = prepare_suite(b, &s, err);
    if (status == YOKE_OK)
        status = measure_all(b, &s, err);
    free_suite(&s);
    return status;
}
