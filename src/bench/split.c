/* Split: one product shared among all engines, against the best single one of them. At M = 1, where
 * weights stream from memory, and at a large M, where arithmetic takes the time. At each M the
 * engines are tuned in brief, alone and beside each other, the plan's borders settle, and then each
 * engine alone and the split are timed in turns.
 *
 * ideal = work / sum over the engines that have a share of (rate alone, as timed / slowdown by the
 *         others, as tuned): no fixed cost, no granule, no joining */
#include <string.h>

#include "base/size.h"
#include "bench/split.h"
#include "yoke/tune.h"

#define OPERATIONS 8e9 /* at a large M: well under a second where 10^11 a second are reached */
#define SHORT_NS   2e7 /* up to here an engine's threads would fall asleep in the turns of others */
#define LOST_NS    1e12 /* what a product that failed says it took: enough to end its series */

enum {
    CACHES = 4, /* a weight so much larger than the caches is read from memory */
    OUTPUTS_LEAST = 1024,
    OUTPUTS_STEP = 64, /* whole granules of most engines */
    SETTLING_MOST = 12,
    SETTLED = 4
};

static const size_t rows[] = {1, 512};

static bool ends_run(yoke_status status)
{
    return status == YOKE_ERR_INTERRUPTED || status == YOKE_ERR_MEMORY;
}

/* Far beyond the caches where reading decides; few enough to compute where arithmetic does. */
static size_t choose_outputs(const bench *b, size_t m)
{
    const yoke_matrix *w = yoke_artefact_matrix(b->artefact);
    double row_bytes = (double)yoke_matrix_bytes(w) / (double)w->rows;
    double wanted = m == 1 ? CACHES * (double)b->options.cache_bytes / row_bytes + OUTPUTS_STEP
                           : OPERATIONS / (2.0 * (double)m * (double)w->cols);
    if (wanted >= (double)w->rows)
        return w->rows;
    size_t outputs = (size_t)wanted / OUTPUTS_STEP * OUTPUTS_STEP;
    return size_min(w->rows, outputs > OUTPUTS_LEAST ? outputs : OUTPUTS_LEAST);
}

static bool is_cached(const split *s)
{
    return s->m == 1 && yoke_matrix_bytes(&s->w) < CACHES * s->b->options.cache_bytes;
}

static void prepare_single(split *s, split_single *one)
{
    yoke_error failure = {0};
    bench_engine *e = &one->engine;
    bench_progress(s->b, e, "split: preparing the weight, M = %zu", s->m);
    e->stored_bytes = yoke_matrix_bytes(&s->w);
    if (yoke_weight_prepare(e->engine, &s->w, &e->weight, &e->report, &failure) != YOKE_OK) {
        yoke_record_row_fail(one->row, failure.text);
        return;
    }
    one->row->prepared_format = e->report.format;
    one->product = (bench_product){.weight = e->weight,
                                   .check = s->check,
                                   .x = s->x,
                                   .y = s->y,
                                   .options = {.precision = s->b->options.precision},
                                   .facts = &e->info->facts};
    bench_product_check(&one->product, 0, one->row);
}

/* What an engine cannot do alone it has no share of. */
static yoke_status add_singles(split *s, yoke_error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        split_single *one = &s->singles[i];
        yoke_status status = bench_add_row(s->b, &one->engine, "split", "single", &one->row, err);
        if (status != YOKE_OK)
            return status;
        one->row->m = s->m;
        one->row->cached = is_cached(s);
        prepare_single(s, one);
        if (one->row->failed)
            continue;
        s->of[s->usable_count] = one;
        s->usable[s->usable_count++] = one->engine.engine;
    }
    return YOKE_OK;
}

/* An engine that cannot be tuned has no curve; the plan measures it itself, or leaves it out. */
static yoke_status tune(split *s, yoke_error *err)
{
    yoke_error why = {0};
    const yoke_bench_options *o = &s->b->options;
    const yoke_tune_options options = {.seconds = o->seconds / 60,
                                       .m = &s->m,
                                       .m_count = 1,
                                       .x_format = o->x_format,
                                       .precision = o->precision,
                                       .stop = o->stop};
    bench_progress(s->b, NULL, "split: tuning, M = %zu", s->m);
    yoke_status status = yoke_profile_create(&s->profile, &why);
    if (status == YOKE_OK)
        status = yoke_tune(s->usable, s->usable_count, &s->w, &options, s->profile, &why);
    return ends_run(status) ? yoke_error_set(err, status, "%s", why.text) : YOKE_OK;
}

static yoke_status multiply(split *s, double *elapsed_ns, yoke_error *err)
{
    uint64_t begin = yoke_clock_ns();
    yoke_status status = yoke_matmul(s->plan, &s->x, &s->y, NULL, &s->run, err);
    *elapsed_ns = (double)(yoke_clock_ns() - begin);
    return status;
}

static yoke_status settle(split *s, yoke_error *err)
{
    size_t resting = 0;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < SETTLING_MOST && resting < SETTLED && status == YOKE_OK; i++) {
        status = multiply(s, &s->last_ns, err);
        resting = s->run.border_moved ? 0 : resting + 1;
    }
    return status;
}

static yoke_status prepare_plan(split *s, yoke_error *err)
{
    const yoke_plan_options options = {
        .m = s->m, .x_format = s->b->options.x_format, .precision = s->b->options.precision};
    yoke_status status =
        yoke_plan_create(s->usable, s->usable_count, &s->w, s->profile, &options, &s->plan, err);
    return status == YOKE_OK ? settle(s, err) : status;
}

/* Both as yoke_subject: one that fails on the way must not end the series of the others. Up to
 * SHORT_NS it is timed right after one like it, as most products are. */
static yoke_status run_single(void *arg, double *elapsed_ns, yoke_error *err)
{
    bench_product *p = arg;
    yoke_status status = p->failure.status;
    for (int i = 0; i < 2 && status == YOKE_OK; i++) {
        status = bench_product_run(p, elapsed_ns, err);
        if (*elapsed_ns > SHORT_NS)
            break;
    }
    if (status != YOKE_OK)
        *elapsed_ns = LOST_NS;
    return YOKE_OK;
}

static yoke_status run_split(void *arg, double *elapsed_ns, yoke_error *err)
{
    (void)err;
    split *s = arg;
    for (int i = 0; i < 2 && s->failure.status == YOKE_OK; i++) {
        multiply(s, &s->last_ns, &s->failure);
        if (s->last_ns > SHORT_NS)
            break;
    }
    *elapsed_ns = s->failure.status == YOKE_OK ? s->last_ns : LOST_NS;
    return YOKE_OK;
}

static yoke_status sample(split *s, yoke_error *err)
{
    yoke_subject subjects[YOKE_SPLIT_MAX_ENGINES + 1];
    yoke_series series[YOKE_SPLIT_MAX_ENGINES + 1] = {{0}};
    double seconds = s->b->options.seconds;
    const yoke_sampling sampling = {.min_samples = 9,
                                    .min_seconds = seconds / 300,
                                    .max_seconds = seconds / 60,
                                    .warmup_window = 3,
                                    .warmup_max = 9,
                                    .stop = s->b->options.stop};
    for (size_t i = 0; i < s->usable_count; i++)
        subjects[i] = (yoke_subject){run_single, &s->of[i]->product};
    subjects[s->usable_count] = (yoke_subject){run_split, s};
    bench_progress(s->b, NULL, "split: each engine alone and all together, M = %zu", s->m);
    yoke_status status = yoke_sample(subjects, s->usable_count + 1, &sampling, series, err);
    for (size_t i = 0; i < s->usable_count; i++)
        s->of[i]->row->samples = series[i];
    s->row->samples = series[s->usable_count];
    return status;
}

static yoke_status measure_split(split *s, yoke_error *err)
{
    yoke_status status = tune(s, err);
    if (status != YOKE_OK)
        return status;
    if (prepare_plan(s, &s->failure) != YOKE_OK)
        return ends_run(s->failure.status)
                   ? yoke_error_set(err, s->failure.status, "%s", s->failure.text)
                   : split_report(s, err);
    status = sample(s, err);
    return status == YOKE_OK ? split_report(s, err) : status;
}

static yoke_status add_split_row(split *s, yoke_error *err)
{
    yoke_status status = yoke_record_add_row(s->b->record, "split", "split", &s->row, err);
    if (status != YOKE_OK)
        return status;
    const yoke_record_row *like = s->singles[0].row;
    memcpy(s->row->precision, like->precision, sizeof s->row->precision);
    s->row->format = like->format;
    s->row->x_format = like->x_format;
    s->row->m = s->m;
    s->row->n = s->w.rows;
    s->row->k = s->w.cols;
    s->row->bytes = yoke_matrix_bytes(&s->w);
    s->row->cached = is_cached(s);
    return YOKE_OK;
}

static yoke_status measure(split *s, yoke_error *err)
{
    s->w = yoke_matrix_rows(yoke_artefact_matrix(s->b->artefact), 0, choose_outputs(s->b, s->m));
    yoke_status status = yoke_check_create(&s->w, 1, &s->check, err);
    if (status == YOKE_OK)
        status = bench_make_x(s->b, s->m, s->w.cols, &s->x, err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(YOKE_F32, s->m, s->w.rows, &s->y, err);
    if (status == YOKE_OK)
        status = add_singles(s, err);
    if (status == YOKE_OK && s->usable_count < 2)
        return yoke_record_add_text(&s->b->record->notes, err,
                                    "split: none at M = %zu: fewer than two engines are usable",
                                    s->m);
    if (status == YOKE_OK)
        status = add_split_row(s, err);
    return status == YOKE_OK ? measure_split(s, err) : status;
}

static void clean(split *s)
{
    yoke_plan_free(s->plan);
    yoke_profile_free(s->profile);
    for (size_t i = 0; i < s->count; i++) {
        bench_product_free(&s->singles[i].product);
        yoke_weight_free(s->singles[i].engine.weight);
        s->singles[i].engine.weight = NULL;
    }
    yoke_check_free(s->check);
    yoke_matrix_free(&s->y);
    yoke_matrix_free(&s->x);
}

static yoke_status open_engines(const bench *b, yoke_context *context,
                                const char *const *specifications, size_t count,
                                split_single *singles, yoke_error *err)
{
    for (size_t i = 0; i < count; i++) {
        yoke_status status = bench_open(b, context, specifications[i], &singles[i].engine, err);
        if (status != YOKE_OK)
            return status;
    }
    return YOKE_OK;
}

yoke_status bench_split(bench *b, yoke_context *context, const char *const *specifications,
                        size_t count, yoke_error *err)
{
    split_single singles[YOKE_SPLIT_MAX_ENGINES] = {{.row = NULL}};
    if (count > YOKE_SPLIT_MAX_ENGINES)
        return yoke_error_set(err, YOKE_ERR_USAGE, "bench: a split over more than %d engines",
                              YOKE_SPLIT_MAX_ENGINES);
    if (count < 2)
        return yoke_record_add_text(&b->record->notes, err,
                                    "split: %s is the only engine: there is nothing to split over",
                                    specifications[0]);
    yoke_status status = open_engines(b, context, specifications, count, singles, err);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == YOKE_OK; i++) {
        split s = {.b = b, .m = rows[i], .singles = singles, .count = count};
        status = measure(&s, err);
        clean(&s);
    }
    for (size_t i = 0; i < count; i++)
        yoke_engine_free(singles[i].engine.engine);
    return status;
}
