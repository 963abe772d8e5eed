/* The run: engines in turn, each with its suites. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/options.h"
#include "engines/precision.h"

const char *yoke_bench_suite_name(yoke_bench_suite suite)
{
    switch (suite) {
    case YOKE_BENCH_READ: return "read";
    case YOKE_BENCH_COMPUTE: return "compute";
    case YOKE_BENCH_DISPATCH: return "dispatch";
    case YOKE_BENCH_WAKE: return "wake";
    case YOKE_BENCH_CONTENTION: return "contention";
    case YOKE_BENCH_SPLIT: return "split";
    case YOKE_BENCH_ANE: return "ane";
    case YOKE_BENCH_ALL: break;
    }
    return "unknown suite";
}

yoke_status bench_go_on(const bench *b, yoke_error *err)
{
    if (!b->options.stop || !*b->options.stop)
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_INTERRUPTED, "bench: stopped on request");
}

void bench_progress(const bench *b, const bench_engine *e, const char *format, ...)
{
    if (!b->options.progress)
        return;
    char what[160], line[320];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(line, sizeof line, "%s%s%s", e ? e->specification : "", e ? ": " : "", what);
    b->options.progress(b->options.progress_arg, line);
}

yoke_status bench_make_x(const bench *b, size_t m, size_t k, yoke_matrix *x, yoke_error *err)
{
    yoke_status status = yoke_matrix_create(b->options.x_format, m, k, x, err);
    if (status != YOKE_OK)
        return status;
    status = yoke_matrix_fill_random(x, 2, err);
    if (status != YOKE_OK)
        yoke_matrix_free(x);
    return status;
}

yoke_status bench_add_row(bench *b, const bench_engine *e, const char *suite, const char *what,
                          yoke_record_row **row, yoke_error *err)
{
    yoke_status status = yoke_record_add_row(b->record, suite, what, row, err);
    if (status != YOKE_OK)
        return status;
    yoke_record_row *r = *row;
    snprintf(r->engine, sizeof r->engine, "%s", e->specification);
    snprintf(r->precision, sizeof r->precision, "%s", precision_name(b->options.precision));
    snprintf(r->wait, sizeof r->wait, "block");
    r->format = yoke_artefact_matrix(b->artefact)->format;
    r->prepared_format = e->report.format;
    r->x_format = b->options.x_format;
    return YOKE_OK;
}

/* Whether the whole run must end. Anything else is the engine's failure, and a row. */
static bool ends_run(yoke_status status)
{
    return status == YOKE_ERR_INTERRUPTED || status == YOKE_ERR_MEMORY;
}

static yoke_status add_failed_row(bench *b, const bench_engine *e, const char *suite,
                                  const yoke_error *failure, yoke_error *err)
{
    yoke_record_row *row;
    yoke_status status = bench_add_row(b, e, suite, "preparation", &row, err);
    if (status == YOKE_OK)
        yoke_record_row_fail(row, failure->text);
    return status;
}

typedef struct suite {
    yoke_bench_suite bit;
    bool needs_weight; /* the artefact, prepared */
    yoke_status (*run)(bench *b, bench_engine *e, yoke_error *err);
} suite;

static const suite suites[] = {
    {YOKE_BENCH_READ, true, bench_read},
    {YOKE_BENCH_COMPUTE, true, bench_compute},
    {YOKE_BENCH_COMPUTE, false, bench_k_padding},
    {YOKE_BENCH_DISPATCH, false, bench_dispatch},
};

static yoke_status run_suite(bench *b, bench_engine *e, const suite *s, yoke_error *err)
{
    yoke_error failure = {0};
    yoke_status status = bench_go_on(b, &failure);
    if (status == YOKE_OK)
        status = s->run(b, e, &failure);
    if (status == YOKE_OK)
        return YOKE_OK;
    if (ends_run(status))
        return yoke_error_set(err, status, "%s", failure.text);
    return add_failed_row(b, e, yoke_bench_suite_name(s->bit), &failure, err);
}

/* Those that need the prepared weight, or those that do not. */
static yoke_status run_suites(bench *b, bench_engine *e, bool with_weight, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < sizeof suites / sizeof *suites && status == YOKE_OK; i++)
        if ((b->options.suites & suites[i].bit) && suites[i].needs_weight == with_weight)
            status = run_suite(b, e, &suites[i], err);
    return status;
}

static yoke_status run_with_weight(bench *b, bench_engine *e, yoke_error *err)
{
    yoke_error failure = {0};
    e->stored_bytes = yoke_matrix_bytes(yoke_artefact_matrix(b->artefact));
    bench_progress(b, e, "preparing the weight");
    yoke_status status = yoke_weight_prepare(e->engine, yoke_artefact_matrix(b->artefact),
                                             &e->weight, &e->report, &failure);
    if (status != YOKE_OK)
        return add_failed_row(b, e, b->options.suites & YOKE_BENCH_READ ? "read" : "compute",
                              &failure, err);
    status = run_suites(b, e, true, err);
    yoke_weight_free(e->weight);
    e->weight = NULL;
    return status;
}

static yoke_status add_engine(bench *b, const bench_engine *e, yoke_error *err)
{
    yoke_record_engine engine = {.info = *e->info, .prepared = e->report};
    snprintf(engine.specification, sizeof engine.specification, "%s", e->specification);
    return yoke_record_add_engine(b->record, &engine, err);
}

static yoke_status run_engine(bench *b, yoke_context *context, const char *specification,
                              yoke_error *err)
{
    bench_engine e;
    yoke_status status = bench_open(b, context, specification, &e, err);
    if (status != YOKE_OK)
        return status;
    if (b->options.suites & (YOKE_BENCH_READ | YOKE_BENCH_COMPUTE))
        status = run_with_weight(b, &e, err);
    if (status == YOKE_OK)
        status = add_engine(b, &e, err);
    if (status == YOKE_OK)
        status = run_suites(b, &e, false, err);
    yoke_engine_free(e.engine);
    return status;
}

static yoke_status warn_of_zeros(const bench *b, yoke_error *err)
{
    const yoke_identity *identity = yoke_artefact_identity(b->artefact);
    if (!(identity->zero_pages > 0))
        return YOKE_OK;
    return yoke_record_add_text(&b->record->notes, err,
                                "%.0f %% of the sampled pages of the weight are all zeros: memory "
                                "that compresses or is shared reads faster than real weights",
                                100 * identity->zero_pages);
}

static bool is_recorded(const yoke_record *record, const char *specification)
{
    for (size_t i = 0; i < record->engine_count; i++)
        if (strcmp(record->engines[i].specification, specification) == 0)
            return true;
    return false;
}

/* The suites of several engines, and the engines that took part in these alone. */
static yoke_status run_together(bench *b, yoke_context *context, yoke_error *err)
{
    const yoke_bench_options *o = &b->options;
    bench only_engines = *b;
    only_engines.options.suites = 0;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < o->together_count && status == YOKE_OK; i++)
        if (!is_recorded(b->record, o->together[i]))
            status = run_engine(&only_engines, context, o->together[i], err);
    if (status == YOKE_OK && (o->suites & YOKE_BENCH_CONTENTION))
        status = bench_contention(b, context, o->together, o->together_count, err);
    if (status == YOKE_OK && (o->suites & YOKE_BENCH_SPLIT))
        status = bench_split(b, context, o->together, o->together_count, err);
    return status;
}

static yoke_status run_all(bench *b, yoke_context *context, const char *const *specifications,
                           size_t count, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    if (b->options.suites != YOKE_BENCH_WAKE)
        for (size_t i = 0; i < count && status == YOKE_OK; i++)
            status = run_engine(b, context, specifications[i], err);
    if (status == YOKE_OK && (b->options.suites & YOKE_BENCH_WAKE))
        status = bench_wake(b, err);
    if (status == YOKE_OK && (b->options.suites & (YOKE_BENCH_CONTENTION | YOKE_BENCH_SPLIT)))
        status = run_together(b, context, err);
    if (status == YOKE_OK && (b->options.suites & YOKE_BENCH_ANE))
        status = bench_ane(b, context, specifications, count, err);
    return status;
}

/* What a translated process reaches is the translation's figure, not the chip's. */
yoke_status yoke_bench_check_host(const yoke_host *host, yoke_error *err)
{
    if (!host || !host->translated)
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                          "bench: this is an x86-64 process under Rosetta: run the arm64 program");
}

yoke_status yoke_bench_run(yoke_context *context, const char *const *specifications, size_t count,
                           const yoke_artefact *artefact, const yoke_bench_options *options,
                           yoke_record *record, yoke_error *err)
{
    bench b = {.artefact = artefact,
               .options = bench_with_defaults(options, record->host),
               .record = record,
               .threads = record->host ? record->host->usable_threads : 1};
    if (b.options.together_count == 0) {
        b.options.together = specifications;
        b.options.together_count = count;
    }
    record->artefact = *yoke_artefact_identity(artefact);
    yoke_status status = yoke_bench_check_host(record->host, err);
    if (status == YOKE_OK)
        status = bench_check_options(&b.options, err);
    if (status == YOKE_OK)
        status = bench_record_options(&b, err);
    if (status == YOKE_OK)
        status = warn_of_zeros(&b, err);
    if (status == YOKE_OK)
        status = run_all(&b, context, specifications, count, err);
    yoke_record_finish(record);
    return status;
}
