/* Arithmetic: M from 1 to 2048 over windows of the prepared weight that wander, so that the weight
 * comes from memory and the turn from read-bound to compute-bound shows. The register-only peak is
 * measured before and after each M; when the two differ by more than a tenth the clock has moved,
 * and the M is measured again. */
#include <math.h>
#include <stdio.h>

#include "base/size.h"
#include "bench/limit.h"
#include "bench/product.h"
#include "measure/wander.h"

enum {
    M_MOST = 2048,
    M_COUNT = 12, /* 1, 2, 4 ... 2048 */
    BEYOND_CACHE = 4,
    TRIES = 3,
    READS = 25,
    WINDOW_LEAST = 384, /* outputs: some for every thread, yet a small y and a small check */
    WINDOW_MOST = 2048,
    WINDOW_OF_THREAD = 64
};
#define X_BYTES_MOST    ((size_t)32 << 20) /* y, the check and the engine want the rest of 64 MiB */
#define LIMIT_TOLERANCE 0.1

typedef struct compute_suite {
    yoke_matrix x, y; /* for the largest M */
    yoke_check *check;
    const yoke_weight *weight;
    yoke_weight *own; /* where windows of the engine's weight will not do */
    size_t window, m_most;
    double limit;     /* the latest register-only peak, operations per second; NaN not known */
    double read_rate; /* bytes per second of a plain read; NaN not known */
    yoke_record_row *rows[M_COUNT];
    size_t count;
    yoke_sampling sampling;
    double seconds; /* for one M */
} compute_suite;

static size_t most_m(size_t k)
{
    size_t m = M_MOST;
    while (m > 1 && m * sizeof(float) > X_BYTES_MOST / k)
        m /= 2;
    return m;
}

static size_t wanted_window(size_t threads)
{
    size_t wanted = size_min(threads, WINDOW_MOST) * WINDOW_OF_THREAD;
    return wanted < WINDOW_LEAST ? WINDOW_LEAST : size_min(wanted, WINDOW_MOST);
}

static yoke_status prepare_suite(bench *b, bench_engine *e, compute_suite *s, yoke_error *err)
{
    const yoke_matrix *w = yoke_artefact_matrix(b->artefact);
    s->m_most = most_m(w->cols);
    s->window = wander_size(w->rows, wanted_window(b->threads), e->info->facts.granule_n);
    /* The first window has a check of its own: one over all outputs knows little of so few. */
    yoke_matrix first = yoke_matrix_rows(w, 0, s->window);
    yoke_status status = yoke_check_create(&first, 1, &s->check, err);
    if (status == YOKE_OK)
        status = bench_window_weight(b, e, s->window, &s->own, &s->weight, err);
    if (status == YOKE_OK)
        status = bench_make_x(b, s->m_most, w->cols, &s->x, err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(YOKE_F32, s->m_most, s->window, &s->y, err);
    if (status == YOKE_OK && s->m_most < M_MOST)
        status = yoke_record_add_text(&b->record->notes, err,
                                      "compute: M stops at %zu: x of %zu columns fills its memory",
                                      s->m_most, w->cols);
    return status;
}

/* The peak, NaN (with a note, once) when the engine cannot tell. */
static double read_limit(bench *b, bench_engine *e)
{
    double per_second = 0;
    yoke_error reason = {0};
    yoke_status status = bench_compute_limit(b, e, &per_second, &reason);
    if (status == YOKE_OK && per_second > 0)
        return per_second;
    yoke_record_add_text(&b->record->notes, NULL, "%s: compute limit not known: %s",
                         e->specification, reason.text);
    return (double)NAN;
}

/* What a plain read of a window reaches: the median of some. */
static double measure_read_rate(bench *b, bench_engine *e, const compute_suite *s)
{
    double ns[READS];
    yoke_statistics statistics;
    bench_read_limit limit = {.engine = e->engine,
                              .w = yoke_artefact_matrix(b->artefact),
                              .window = s->window,
                              .granule = e->info->facts.granule_n};
    if (bench_limit_bytes(limit.w, 1) == 0)
        return (double)NAN;
    for (size_t i = 0; i < READS; i++)
        if (bench_read_limit_run(&limit, &ns[i], NULL) != YOKE_OK)
            return (double)NAN;
    if (yoke_statistics_of(ns, READS, &statistics, NULL) != YOKE_OK)
        return (double)NAN;
    return yoke_gbps((double)bench_limit_bytes(limit.w, s->window), statistics.median) * 1e9;
}

static bool limits_agree(double before, double after)
{
    return !(fabs(before - after) > LIMIT_TOLERANCE * fmax(before, after)); /* NaN: no doubt */
}

/* Samples between two readings of the peak, again when they differ. */
static yoke_status sample_between_limits(bench *b, bench_engine *e, compute_suite *s,
                                         bench_product *p, yoke_record_row *row, yoke_error *err)
{
    yoke_subject subject = {bench_product_run, p};
    for (int try = 0; try < TRIES; try++) {
        double before = try == 0 ? s->limit : read_limit(b, e);
        yoke_series_free(&row->samples);
        yoke_series_free(&p->device);
        yoke_status status = yoke_sample(&subject, 1, &s->sampling, &row->samples, err);
        if (status != YOKE_OK)
            return status;
        s->limit = read_limit(b, e);
        row->limit_before_tflops = before * 1e-12;
        row->limit_after_tflops = s->limit * 1e-12;
        row->limit_tflops = 0.5 * (row->limit_before_tflops + row->limit_after_tflops);
        if (limits_agree(before, s->limit))
            return YOKE_OK;
    }
    return yoke_record_add_text(&b->record->notes, err,
                                "%s: the peak moved by more than a tenth around M = %zu: the clock "
                                "is not steady",
                                e->specification, p->x.rows);
}

static yoke_status measure_m(bench *b, bench_engine *e, compute_suite *s, size_t m, yoke_error *err)
{
    yoke_record_row *row;
    yoke_status status = bench_add_row(b, e, "compute", "m", &row, err);
    if (status != YOKE_OK)
        return status;
    s->rows[s->count++] = row;
    bench_product p = {.weight = s->weight,
                       .check = s->check,
                       .x = yoke_matrix_rows(&s->x, 0, m),
                       .y = yoke_matrix_rows(&s->y, 0, m),
                       .options = {.precision = b->options.precision},
                       .facts = &e->info->facts};
    bench_progress(b, e, "compute: M = %zu", m);
    bench_product_check(&p, 0, row);
    if (!row->failed) {
        yoke_error failure = {0};
        status = sample_between_limits(b, e, s, &p, row, &failure);
        if (status == YOKE_ERR_INTERRUPTED)
            yoke_error_set(err, status, "%s", failure.text);
        else if (status != YOKE_OK)
            yoke_record_row_fail(row, failure.text);
    }
    if (!row->failed)
        bench_product_check(&p, 0, row);
    bench_product_report(e, &p, row);
    row->fraction_of_limit = row->tflops / row->limit_tflops;
    row->cached =
        s->own || e->report.prepared_bytes < BEYOND_CACHE * (uint64_t)b->options.cache_bytes;
    bench_product_free(&p);
    return status == YOKE_ERR_INTERRUPTED ? status : YOKE_OK;
}

/* The next M takes about twice as long; a check and three samples may take four times its share:
 * the small M leave as much over. */
static bool affordable(const compute_suite *s)
{
    if (s->count == 0)
        return true;
    const yoke_record_row *last = s->rows[s->count - 1];
    return last->failed || 2 * last->time.median * 4 < 4 * s->seconds * 1e9;
}

static yoke_status measure_all(bench *b, bench_engine *e, compute_suite *s, yoke_error *err)
{
    s->limit = read_limit(b, e);
    s->read_rate = measure_read_rate(b, e, s);
    for (size_t m = 1; m <= s->m_most; m *= 2) {
        if (!affordable(s))
            return yoke_record_add_text(&b->record->notes, err,
                                        "%s: compute stops before M = %zu: the time does not allow "
                                        "more",
                                        e->specification, m);
        yoke_status status = measure_m(b, e, s, m, err);
        if (status != YOKE_OK)
            return status;
    }
    return YOKE_OK;
}

/* Time at small M is that of reading the weight, t(1); at large M it is c * M. The two lines cross
 * where the product turns, provided that M went well beyond. */
static double measured_turn(const compute_suite *s)
{
    const yoke_record_row *first = s->rows[0], *last = s->rows[s->count - 1];
    if (first->failed || last->failed)
        return (double)NAN;
    double turn = first->time.median / (last->time.median / (double)last->m);
    return turn * 2 <= (double)last->m ? turn : (double)NAN;
}

/* Where the operations take as long at the peak as the bytes take at the plain read's rate. */
static double predicted_turn(const compute_suite *s)
{
    const yoke_record_row *row = s->rows[0];
    double read_seconds = (double)row->prepared_bytes / s->read_rate;
    return read_seconds * s->limit / (2.0 * (double)row->n * (double)row->k);
}

static void report_turn(compute_suite *s)
{
    if (s->count == 0)
        return;
    double measured = measured_turn(s), predicted = predicted_turn(s);
    for (size_t i = 0; i < s->count; i++) {
        if (!s->rows[i]->failed)
            s->rows[i]->turn_m = measured;
        s->rows[i]->turn_m_predicted = predicted;
    }
}

static yoke_sampling plan_sampling(const bench *b, double seconds)
{
    return (yoke_sampling){.min_samples = 7,
                           .min_seconds = seconds / 4,
                           .max_samples = 2000,
                           .max_seconds = seconds,
                           .warmup_max = 10,
                           .warmup_window = 3,
                           .stop = b->options.stop};
}

yoke_status bench_compute(bench *b, bench_engine *e, yoke_error *err)
{
    compute_suite s = {.seconds = 0.4 * b->options.seconds / M_COUNT};
    s.sampling = plan_sampling(b, s.seconds);
    bench_progress(b, e, "compute: preparing the check");
    yoke_status status = prepare_suite(b, e, &s, err);
    if (status == YOKE_OK)
        status = measure_all(b, e, &s, err);
    if (status == YOKE_OK)
        report_turn(&s);
    yoke_matrix_free(&s.y);
    yoke_matrix_free(&s.x);
    yoke_check_free(s.check);
    yoke_weight_free(s.own);
    return status;
}
