#include "bench/ane_case.h"

#include "base/size.h"
#include "bench/small.h"
#include "yoke/measure.h"

/* A core's outputs times columns times bytes; where that is within 16 KiB of a multiple of 1 MiB,
 * weights were seen to be read at a third of the rate (E. Yoon, on stablehlo-coreml). */
#define NOTCH_CORES  ((size_t)16)
#define NOTCH_STEP   ((size_t)1 << 20)
#define NOTCH_WITHIN ((size_t)16 << 10)

/* Runs of a case, the warm-up and the checks included, at the least; and how much longer than
 * planned it may take. */
enum { RUNS_LEAST = 16, PATIENCE = 4 };

typedef struct measured {
    bench_small small;
    bench_product product;
    ane_sampled sampled;
} measured;

static bool is_at_notch(const ane_case *c, size_t *payload)
{
    size_t row_bytes = 0;
    if (yoke_format_bytes(c->format, 1, c->k, &row_bytes, NULL) != YOKE_OK)
        return false;
    *payload = size_ceil_div(c->n, NOTCH_CORES) * row_bytes;
    const size_t beyond = *payload % NOTCH_STEP;
    return *payload + NOTCH_WITHIN >= NOTCH_STEP &&
           (beyond <= NOTCH_WITHIN || beyond >= NOTCH_STEP - NOTCH_WITHIN);
}

static yoke_status note_notch(bench *b, const ane_case *c, yoke_error *err)
{
    size_t payload;
    if (!is_at_notch(c, &payload))
        return YOKE_OK;
    return yoke_record_add_text(&b->record->notes, err,
                                "ane: %s of %zu by %zu: a core's payload of %zu bytes is within "
                                "16 KiB of a multiple of 1 MiB, where reads were seen to be slow",
                                c->what, c->n, c->k, payload);
}

yoke_status ane_case_check(bench *b, const ane_case *c, double seconds, ane_sampled *s,
                           yoke_error *err)
{
    const uint64_t begin = yoke_clock_ns();
    bench_product_check(s->product, 0, s->row);
    const double took = (double)(yoke_clock_ns() - begin) * 1e-9;
    s->left_out = took * RUNS_LEAST > seconds * PATIENCE;
    yoke_status status = bench_go_on(b, err);
    if (status != YOKE_OK || !s->left_out)
        return status;
    return yoke_record_add_text(&b->record->notes, err,
                                "ane: %s, %zu rows, %zu by %zu: the time does not allow it",
                                c->what, c->m, c->n, c->k);
}

/* What an engine does not take is its row's failure. */
static yoke_status begin(bench *b, const ane_case *c, double seconds, measured *m, yoke_error *err)
{
    yoke_error failure = {0};
    yoke_record_row *row;
    yoke_status status = note_notch(b, c, err);
    if (status == YOKE_OK)
        status = bench_add_row(b, c->engine, "ane", c->what, &row, err);
    if (status != YOKE_OK)
        return status;
    m->sampled = (ane_sampled){{bench_product_run, &m->product}, &m->product, row, false};
    row->format = c->format;
    row->cached = true;
    status = bench_small_create(b, c->engine, c->format, c->m, c->n, c->k, &m->small, &failure);
    if (status == YOKE_ERR_INTERRUPTED || status == YOKE_ERR_MEMORY)
        return yoke_error_set(err, status, "%s", failure.text);
    if (status != YOKE_OK) {
        yoke_record_row_fail(row, failure.text);
        return YOKE_OK;
    }
    row->prepared_format = m->small.engine.report.format;
    m->product = bench_small_product(b, &m->small, c->m);
    return ane_case_check(b, c, seconds, &m->sampled, err);
}

yoke_status ane_case_sample(const bench *b, ane_sampled *const *all, size_t count, double seconds,
                            yoke_error *err)
{
    yoke_subject subjects[ANE_CASES_MOST];
    yoke_series series[ANE_CASES_MOST] = {{0}, {0}, {0}, {0}};
    const ane_sampled *of[ANE_CASES_MOST];
    size_t used = 0;
    const yoke_sampling sampling = {.min_samples = 12,
                                    .min_seconds = seconds / (double)(4 * count),
                                    .max_seconds = seconds / (double)count,
                                    .max_samples = 2000,
                                    .warmup_max = 10,
                                    .warmup_window = 3,
                                    .stop = b->options.stop};
    for (size_t i = 0; i < count; i++)
        if (!all[i]->row->failed && !all[i]->left_out) {
            of[used] = all[i];
            subjects[used++] = all[i]->subject;
        }
    if (used == 0)
        return YOKE_OK;
    yoke_error failure = {0};
    yoke_status status = yoke_sample(subjects, used, &sampling, series, &failure);
    for (size_t i = 0; i < used; i++) {
        of[i]->row->samples = series[i];
        if (of[i]->product->failure.status != YOKE_OK)
            yoke_record_row_fail(of[i]->row, of[i]->product->failure.text);
    }
    if (status == YOKE_ERR_INTERRUPTED || status == YOKE_ERR_MEMORY)
        return yoke_error_set(err, status, "%s", failure.text);
    return YOKE_OK;
}

yoke_status ane_case_measure(bench *b, const ane_case *cases, size_t count, double seconds,
                             yoke_error *err)
{
    measured all[ANE_CASES_MOST] = {{.sampled.row = NULL}};
    ane_sampled *sampled[ANE_CASES_MOST] = {NULL};
    size_t made = 0;
    yoke_status status = YOKE_OK;
    for (; made < count && status == YOKE_OK; made++) {
        sampled[made] = &all[made].sampled;
        status = begin(b, &cases[made], seconds / (double)count, &all[made], err);
    }
    if (status == YOKE_OK)
        status = ane_case_sample(b, sampled, count, seconds, err);
    for (size_t i = 0; i < made; i++) {
        if (all[i].small.engine.weight)
            bench_product_report(&all[i].small.engine, &all[i].product, all[i].sampled.row);
        bench_product_free(&all[i].product);
        bench_small_free(&all[i].small);
    }
    return status;
}
