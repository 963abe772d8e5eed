/* Which engines a bench measures. */
#include <stdio.h>
#include <string.h>

#include "bench.h"

#define PAIR_SUITES ((unsigned)(YOKE_BENCH_CONTENTION | YOKE_BENCH_SPLIT))

/* Where every suite was asked for, one that has nothing to measure here is a note. */
static yoke_status refuse_lone_contention(bench_request *r, yoke_record *record, yoke_error *err)
{
    const choice *several = r->together.count > 0 ? &r->together : &r->engines;
    if (!(r->options.suites & YOKE_BENCH_CONTENTION) || several->count >= 2)
        return YOKE_OK;
    if (r->options.suites != BENCH_EVERY_SUITE)
        return yoke_error_set(err, YOKE_ERR_USAGE,
                              "bench: contention needs two engines: name them with --engine");
    r->options.suites &= ~(unsigned)YOKE_BENCH_CONTENTION;
    return yoke_record_add_text(&record->notes, err,
                                "contention: %s is the only engine: there is none beside it",
                                several->specifications[0]);
}

/* A split over core sets would need the calling thread on one of them, and says nothing that cpu
 * does not do by itself. */
static yoke_status leave_split_out(bench_request *r, unsigned suites, yoke_record *record,
                                   yoke_error *err)
{
    if (suites == YOKE_BENCH_SPLIT) {
        choice_free(&r->together);
        return YOKE_OK;
    }
    r->options.suites = suites & ~(unsigned)YOKE_BENCH_SPLIT;
    return yoke_record_add_text(&record->notes, err,
                                "split: nothing here has hardware of its own beside cpu; yoke "
                                "matmul --engines cpu:0,caller=1,cpu:1 splits between core sets");
}

static bool are_core_sets(const choice *c)
{
    return c->count > 0 && strncmp(c->specifications[0], "cpu:", 4) == 0;
}

static yoke_status choose(bench_request *r, const yoke_context *context, yoke_record *record,
                          yoke_error *err)
{
    unsigned suites = r->options.suites ? r->options.suites : (unsigned)YOKE_BENCH_ALL;
    if (r->engines.count == 0 && (suites & PAIR_SUITES)) {
        choice_add_apart(&r->together, context);
        if ((suites & YOKE_BENCH_SPLIT) && are_core_sets(&r->together)) {
            yoke_status status = leave_split_out(r, suites, record, err);
            if (status != YOKE_OK)
                return status;
        }
        r->options.together = r->together.specifications;
        r->options.together_count = r->together.count;
        if (!(suites & YOKE_BENCH_ALL))
            r->engines = r->together;
    }
    if (r->engines.count == 0)
        choice_add(&r->engines, "cpu");
    return refuse_lone_contention(r, record, err);
}

/* Opening each engine first lets a bad specification end the run before anything takes long. */
static yoke_status try_engines(yoke_context *context, const bench_request *r, yoke_error *err)
{
    for (size_t i = 0; i < r->engines.count; i++) {
        yoke_engine *engine;
        yoke_status status = yoke_engine_open(context, r->engines.specifications[i], &engine, err);
        if (status != YOKE_OK)
            return status;
        yoke_engine_free(engine);
    }
    return YOKE_OK;
}

yoke_status bench_choose_engines(bench_request *r, yoke_context *context, yoke_record *record,
                                 yoke_error *err)
{
    yoke_status status = choose(r, context, record, err);
    return status == YOKE_OK ? try_engines(context, r, err) : status;
}

yoke_status bench_add_absent(const yoke_context *context, yoke_record *record, yoke_error *err)
{
    const yoke_engine_info *info;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; (info = yoke_context_engine_info(context, i)) && status == YOKE_OK; i++) {
        yoke_record_engine engine = {.info = *info};
        snprintf(engine.specification, sizeof engine.specification, "%s", info->name);
        if (!info->ready)
            status = yoke_record_add_engine(record, &engine, err);
    }
    return status;
}
