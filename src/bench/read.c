/* Weight-read bandwidth at M = 1: windows of one prepared weight, of several sizes, each in turns
 * with a plain read of as many bytes; time over bytes is fitted by a line, whose slope is the
 * bandwidth and whose fixed part is what a call costs beside its bytes.
 *
 * The windows wander over the weight and the sizes lie beyond the caches, so that every run reads
 * memory. A size that does not is labelled cached and left out of the fit. */
#include <stdio.h>

#include "base/size.h"
#include "bench/limit.h"
#include "bench/product.h"
#include "measure/wander.h"

enum { READ_SIZES = 4, FIT_SIZES_LEAST = 3, BEYOND_CACHE = 4 };

typedef struct read_size {
    yoke_weight *own; /* where windows of the engine's weight will not do */
    bench_product product;
    bench_read_limit limit;
    yoke_record_row *row;
} read_size;

typedef struct read_suite {
    yoke_matrix x, y; /* y is shared: only one product runs at a time */
    yoke_check *check;
    read_size sizes[READ_SIZES];
    size_t count;
    bool limit_known;
    yoke_sampling sampling;
} read_suite;

/* Evenly from a quarter of the outputs, or from where the cache no longer matters, to all of them.
 * When that leaves no range to fit over, from a quarter on, cached or not. */
static size_t pick_sizes(size_t outputs, size_t granule, size_t row_bytes, size_t cache_bytes,
                         size_t sizes[READ_SIZES])
{
    size_t beyond = size_ceil_div(BEYOND_CACHE * cache_bytes, row_bytes), least = outputs / 4;
    if (beyond > least && beyond <= outputs / 3 * 2)
        least = size_ceil_div(beyond, granule) * granule;
    size_t count = 0;
    for (size_t i = 0; i < READ_SIZES; i++) {
        double part = (double)(outputs - least) * (double)i / (READ_SIZES - 1);
        size_t rows = wander_size(outputs, least + (size_t)part, granule);
        if (count == 0 || rows > sizes[count - 1])
            sizes[count++] = rows;
    }
    return count;
}

static yoke_status add_size(bench *b, bench_engine *e, read_suite *s, size_t rows, yoke_error *err)
{
    read_size *size = &s->sizes[s->count];
    yoke_status status = bench_add_row(b, e, "read", "size", &size->row, err);
    if (status != YOKE_OK)
        return status;
    s->count++;
    const yoke_weight *weight;
    status = bench_window_weight(b, e, rows, &size->own, &weight, err);
    if (status != YOKE_OK)
        return status;
    size->product = (bench_product){.weight = weight,
                                    .check = s->check,
                                    .x = s->x,
                                    .y = s->y,
                                    .options = {.precision = b->options.precision},
                                    .facts = &e->info->facts};
    size->product.y.cols = rows;
    size->limit = (bench_read_limit){.engine = e->engine,
                                     .w = yoke_artefact_matrix(b->artefact),
                                     .window = rows,
                                     .granule = e->info->facts.granule_n};
    bench_product_report(e, &size->product, size->row);
    size->row->cached = size->row->prepared_bytes < BEYOND_CACHE * (uint64_t)b->options.cache_bytes;
    return YOKE_OK;
}

static yoke_status prepare_sizes(bench *b, bench_engine *e, read_suite *s, yoke_error *err)
{
    const yoke_matrix *w = yoke_artefact_matrix(b->artefact);
    size_t sizes[READ_SIZES], row_bytes = 0;
    yoke_status status = yoke_format_bytes(e->report.format, 1, w->cols, &row_bytes, err);
    if (status == YOKE_OK)
        status = bench_make_x(b, 1, w->cols, &s->x, err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(YOKE_F32, 1, w->rows, &s->y, err);
    if (status == YOKE_OK)
        status = yoke_check_create(w, 1, &s->check, err);
    if (status != YOKE_OK)
        return status;
    size_t count =
        pick_sizes(w->rows, e->info->facts.granule_n, row_bytes, b->options.cache_bytes, sizes);
    for (size_t i = 0; i < count && status == YOKE_OK; i++)
        status = add_size(b, e, s, sizes[i], err);
    return status;
}

/* One try says whether the engine can tell its read limit. */
static yoke_status try_limit(bench *b, bench_engine *e, read_suite *s, yoke_error *err)
{
    double elapsed_ns;
    yoke_error reason = {0};
    s->limit_known = bench_limit_bytes(yoke_artefact_matrix(b->artefact), 1) > 0 &&
                     bench_read_limit_run(&s->sizes[0].limit, &elapsed_ns, &reason) == YOKE_OK;
    if (s->limit_known)
        return YOKE_OK;
    return yoke_record_add_text(&b->record->notes, err, "%s: read limit not known: %s",
                                e->specification, reason.text);
}

static void check_sizes(read_suite *s)
{
    for (size_t i = 0; i < s->count; i++) {
        read_size *size = &s->sizes[i];
        size_t begin = wander_begin(yoke_weight_outputs(size->product.weight), size->product.y.cols,
                                    size->product.facts->granule_n, size->product.runs);
        if (!size->row->failed)
            bench_product_check(&size->product, begin, size->row);
    }
}

/* Samples all sizes that have not failed, in turns. */
static yoke_status sample_sizes(read_suite *s, yoke_error *err)
{
    yoke_subject subjects[2 * READ_SIZES];
    yoke_series series[2 * READ_SIZES];
    yoke_series *homes[2 * READ_SIZES];
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        read_size *size = &s->sizes[i];
        if (size->row->failed)
            continue;
        subjects[count] = (yoke_subject){bench_product_run, &size->product};
        homes[count++] = &size->row->samples;
        if (s->limit_known) {
            subjects[count] = (yoke_subject){bench_read_limit_run, &size->limit};
            homes[count++] = &size->row->limit_samples;
        }
    }
    for (size_t i = 0; i < count; i++)
        series[i] = *homes[i];
    yoke_status status = yoke_sample(subjects, count, &s->sampling, series, err);
    for (size_t i = 0; i < count; i++)
        *homes[i] = series[i];
    return status;
}

/* Finds out whose failure ended the sampling; false when nobody's. */
static bool take_out_culprit(read_suite *s, const yoke_error *failure)
{
    for (size_t i = 0; i < s->count; i++) {
        read_size *size = &s->sizes[i];
        if (size->limit.failed && s->limit_known) {
            s->limit_known = false;
            return true;
        }
        if (size->product.failure.status != YOKE_OK && !size->row->failed) {
            yoke_record_row_fail(size->row, failure->text);
            return true;
        }
    }
    return false;
}

/* A size whose product fails leaves; the others are measured without it. */
static yoke_status measure_sizes(bench *b, bench_engine *e, read_suite *s, yoke_error *err)
{
    for (;;) {
        yoke_error failure = {0};
        yoke_status status = sample_sizes(s, &failure);
        if (status == YOKE_OK)
            return YOKE_OK;
        bool known_limit = s->limit_known;
        if (status == YOKE_ERR_INTERRUPTED || !take_out_culprit(s, &failure))
            return yoke_error_set(err, status, "%s", failure.text);
        if (known_limit && !s->limit_known &&
            yoke_record_add_text(&b->record->notes, err, "%s: read limit lost: %s",
                                 e->specification, failure.text) != YOKE_OK)
            return YOKE_ERR_MEMORY;
    }
}

static void report_sizes(bench_engine *e, read_suite *s)
{
    for (size_t i = 0; i < s->count; i++) {
        read_size *size = &s->sizes[i];
        yoke_record_row *row = size->row;
        bench_product_report(e, &size->product, row);
        yoke_statistics limit;
        if (!s->limit_known || row->failed ||
            yoke_statistics_of(row->limit_samples.samples_ns, row->limit_samples.count, &limit,
                               NULL) != YOKE_OK)
            continue;
        row->limit_naive_gbps = yoke_gbps((double)row->bytes, limit.median);
        row->limit_gbps = row->limit_naive_gbps;
        row->fraction_of_limit = row->naive_gbps / row->limit_naive_gbps;
    }
}

static bool in_fit(const read_size *size)
{
    return !size->row->failed && !size->row->cached && size->row->samples.count > 0;
}

/* The line through the medians of the product, or of the plain read. */
static bool fit_sizes(const read_suite *s, bool of_limit, yoke_fit *fit)
{
    double bytes[READ_SIZES], ns[READ_SIZES];
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const yoke_record_row *row = s->sizes[i].row;
        if (!in_fit(&s->sizes[i]))
            continue;
        bytes[count] = (double)row->bytes;
        ns[count++] = of_limit ? (double)row->bytes / row->limit_naive_gbps : row->time.median;
    }
    return count >= FIT_SIZES_LEAST && yoke_fit_line(bytes, ns, count, fit, NULL) == YOKE_OK &&
           fit->slope > 0;
}

static void report_fit(yoke_record_row *row, const yoke_fit *product, const yoke_fit *limit)
{
    row->slope_gbps = 1 / product->slope;
    row->slope_error_gbps = product->slope_error / product->slope * row->slope_gbps;
    row->fixed_ns = product->fixed;
    row->fixed_error_ns = product->fixed_error;
    row->fit_residual = product->residual;
    if (!limit)
        return;
    row->limit_gbps = 1 / limit->slope;
    row->fraction_of_limit = row->slope_gbps / row->limit_gbps;
}

static yoke_status fit_and_report(bench *b, bench_engine *e, read_suite *s, yoke_error *err)
{
    yoke_fit product, limit;
    if (!fit_sizes(s, false, &product))
        return yoke_record_add_text(&b->record->notes, err,
                                    "%s: no fit: it needs %d sizes beyond %d times the caches "
                                    "(%.0f MB); only bytes / median is given",
                                    e->specification, FIT_SIZES_LEAST, BEYOND_CACHE,
                                    1e-6 * BEYOND_CACHE * (double)b->options.cache_bytes);
    bool limit_fitted = s->limit_known && fit_sizes(s, true, &limit);
    for (size_t i = 0; i < s->count; i++)
        if (in_fit(&s->sizes[i]))
            report_fit(s->sizes[i].row, &product, limit_fitted ? &limit : NULL);
    return YOKE_OK;
}

/* What the machine counts during the largest product. */
static yoke_status count_largest(bench *b, read_suite *s, yoke_error *err)
{
    read_size *largest = &s->sizes[s->count - 1];
    if (largest->row->failed)
        return YOKE_OK;
    return bench_count(b, &largest->product, largest->row, err);
}

/* The suite's share of the time goes to all subjects alike; what is not needed is not used. */
static yoke_sampling plan_sampling(const bench *b)
{
    double each = 0.4 * b->options.seconds / (2 * READ_SIZES);
    return (yoke_sampling){.min_samples = 12,
                           .min_seconds = each < 0.6 ? each / 2 : 0.3,
                           .max_samples = 2000,
                           .max_seconds = each,
                           .warmup_window = 5,
                           .warmup_spread = 0.05,
                           .warmup_max = 25,
                           .stop = b->options.stop};
}

static yoke_status run_suite(bench *b, bench_engine *e, read_suite *s, yoke_error *err)
{
    bench_progress(b, e, "read: preparing the check");
    yoke_status status = prepare_sizes(b, e, s, err);
    if (status == YOKE_OK)
        status = try_limit(b, e, s, err);
    if (status != YOKE_OK)
        return status;
    bench_progress(b, e, "read: %zu sizes", s->count);
    check_sizes(s);
    status = measure_sizes(b, e, s, err);
    if (status != YOKE_OK)
        return status;
    check_sizes(s);
    report_sizes(e, s);
    status = count_largest(b, s, err);
    if (status != YOKE_OK)
        return status;
    return fit_and_report(b, e, s, err);
}

yoke_status bench_read(bench *b, bench_engine *e, yoke_error *err)
{
    read_suite s = {.sampling = plan_sampling(b)};
    b->record->sampling = s.sampling;
    b->record->sampling.stop = NULL;
    yoke_status status = run_suite(b, e, &s, err);
    for (size_t i = 0; i < s.count; i++) {
        bench_product_free(&s.sizes[i].product);
        yoke_weight_free(s.sizes[i].own);
    }
    yoke_check_free(s.check);
    yoke_matrix_free(&s.y);
    yoke_matrix_free(&s.x);
    return status;
}
