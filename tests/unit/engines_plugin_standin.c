/* Small plug-ins, each with one property that the loader must notice; STANDIN_... says which. */
#include <stddef.h>

#include "yoke/engine.h"

#if defined(STANDIN_OLD_AND_SMALL)
#define NAME "old_and_small"
#elif defined(STANDIN_BAD_NAME)
#define NAME "Bad Name"
#elif defined(STANDIN_TAKEN_NAME)
#define NAME "ref"
#elif defined(STANDIN_PROBE_FAILS)
#define NAME "probe_fails"
#else
#define NAME "good"
#endif

#ifndef STANDIN_NO_SYMBOL
__attribute__((visibility("default"))) const yoke_engine_class *yoke_engine_plugin(void);

static yoke_status probe(yoke_engine_info *infos, size_t capacity, size_t *count, yoke_error *err)
{
#ifdef STANDIN_PROBE_FAILS
    (void)infos, (void)capacity, (void)count;
    return yoke_error_set(err, YOKE_ERR_ENGINE, "the driver is upset");
#else
    (void)err;
    *count = 20; /* more than a caller makes room for at first */
    for (size_t i = 0; i < 20 && i < capacity; i++)
        infos[i] = (yoke_engine_info){.name = NAME ":x", .reason = "needs a moon"};
    return YOKE_OK;
#endif
}

static yoke_status open_engine(const yoke_engine_config *config, void **engine,
                               yoke_engine_info *info, yoke_error *err)
{
    static int something;
    (void)config, (void)info, (void)err;
    *engine = &something;
    return YOKE_OK;
}

static void close_engine(void *engine)
{
    (void)engine;
}

static yoke_status prepare(void *engine, const yoke_matrix *w, void **prepared,
                           yoke_prepare_report *report, yoke_error *err)
{
    (void)w, (void)report, (void)err;
    *prepared = engine;
    return YOKE_OK;
}

static void release(void *engine, void *prepared)
{
    (void)engine, (void)prepared;
}

static yoke_status submit(void *engine, void *prepared, const yoke_task *task, yoke_ticket *ticket,
                          yoke_error *err)
{
    (void)engine, (void)prepared, (void)task, (void)ticket, (void)err;
    return YOKE_OK;
}

static yoke_status wait(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                        uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                        yoke_error *err)
{
    (void)engine, (void)ticket, (void)how, (void)predicted_end_ns, (void)deadline_ns;
    (void)timing, (void)err;
    return YOKE_OK;
}

/* Behind the end of an old table lies whatever lies there: it must not be called. */
static yoke_status limit(void *engine, const yoke_limit_request *request, double *per_second,
                         yoke_error *err)
{
    (void)engine, (void)request;
    *per_second = 1;
    return yoke_error_set(err, YOKE_ERR_CHECK, "called an entry beyond the table's size");
}

const yoke_engine_class *yoke_engine_plugin(void)
{
    static const yoke_engine_class table = {
#ifdef STANDIN_WRONG_ABI
        .abi = YOKE_ENGINE_ABI + 1,
#else
        .abi = YOKE_ENGINE_ABI,
#endif
#if defined(STANDIN_OLD_AND_SMALL)
        .size = offsetof(yoke_engine_class, limit),
#elif defined(STANDIN_TOO_SMALL)
        .size = offsetof(yoke_engine_class, submit),
#else
        .size = sizeof(yoke_engine_class) + 64, /* a newer table, with entries we do not know */
#endif
        .name = NAME,
        .summary = "a stand-in",
        .probe = probe,
        .open = open_engine,
        .close = close_engine,
        .prepare = prepare,
        .release = release,
        .submit = submit,
        .wait = wait,
        .limit = limit,
    };
#ifdef STANDIN_NULL_TABLE
    return table.name ? NULL : &table;
#else
    return &table;
#endif
}
#endif
