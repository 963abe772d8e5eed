#include "engines/ane/ane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/ane/chain.h"
#include "engines/ane/device.h"
#include "engines/ane/helper.h"
#include "engines/ane/peak.h"
#include "engines/ane/queue.h"
#include "engines/ane/weights.h"

#define NAME "ane"

#define NATIVE(format) ((uint64_t)1 << (format))

static const char *simulated(const ane_framework *f)
{
    return f->objc.standin ? "simulated by a stand-in: " : "";
}

static void describe(const ane_framework *f, const ane_device *d, const ane_options *options,
                     yoke_engine_info *info)
{
    snprintf(info->description, sizeof info->description,
             "%sApple Neural Engine%s%s, %u cores%s; never run on hardware by this project",
             simulated(f), d->architecture[0] ? " " : "", d->architecture, d->cores,
             d->engines > 1 ? " of several engines, which cannot be chosen" : "");
    info->ready = true;
    info->facts = (yoke_engine_facts){
        .accumulate = YOKE_F32,
        .rounds_to = YOKE_F16,
        .granule_m = ANE_GRANULE,
        .granule_n = ANE_GRANULE,
        .zeroes_subnormals = true,
        .saturation = options->guard ? 0 : 32768,
        .copies = true,
        .windows_cost_all = true,
        .native_formats = NATIVE(YOKE_F16),
    };
    if (!options->surface)
        info->facts.native_formats |= NATIVE(YOKE_LUT1) | NATIVE(YOKE_LUT2) | NATIVE(YOKE_LUT3) |
                                      NATIVE(YOKE_LUT4) | NATIVE(YOKE_LUT6) | NATIVE(YOKE_LUT8) |
                                      NATIVE(YOKE_INT4) | NATIVE(YOKE_INT8);
}

static yoke_status probe(yoke_engine_info *infos, size_t capacity, size_t *count, yoke_error *err)
{
    (void)err;
    *count = 1;
    if (capacity == 0)
        return YOKE_OK;
    yoke_engine_info *info = &infos[0];
    *info = (yoke_engine_info){.name = NAME};
    const yoke_engine_config defaults = {.device = ""};
    ane_framework f;
    ane_device device;
    ane_options options;
    yoke_error reason = {0};
    yoke_status status = ane_options_read(&defaults, &options, &reason);
    if (status == YOKE_OK)
        status = ane_device_find(&darwin_here, &f, &device, &reason);
    if (status == YOKE_OK)
        describe(&f, &device, &options, info);
    else
        snprintf(info->reason, sizeof info->reason, "%.239s", reason.text);
    return YOKE_OK;
}

static yoke_status find_helper(ane_engine *e, const yoke_engine_config *config, yoke_error *err)
{
    const char *given = yoke_engine_option_get(config, "helper");
    if (!given) {
        if (!ane_helper_find(e->helper, sizeof e->helper))
            e->helper[0] = '\0';
        return YOKE_OK;
    }
    const int used =
        snprintf(e->helper, sizeof e->helper, "%s", strcmp(given, "none") == 0 ? "" : given);
    if (used < 0 || (size_t)used >= sizeof e->helper)
        return yoke_error_set(err, YOKE_ERR_USAGE, "engine " NAME ": option helper: too long");
    return YOKE_OK;
}

static yoke_status set_up(ane_engine *e, const yoke_engine_config *config, yoke_engine_info *info,
                          yoke_error *err)
{
    ane_device device;
    yoke_error reason = {0};
    yoke_status status = ane_options_read(config, &e->options, err);
    if (status == YOKE_OK && *config->device)
        status =
            yoke_error_set(err, YOKE_ERR_NOT_FOUND,
                           NAME ":%s: there is one device, and it has no number", config->device);
    if (status == YOKE_OK)
        status = find_helper(e, config, err);
    if (status != YOKE_OK)
        return status;
    status = ane_device_find(&darwin_here, &e->framework, &device, &reason);
    if (status != YOKE_OK)
        return yoke_error_set(err, status, "engine " NAME ": %s", reason.text);
    status = worker_create(NAME, &e->worker, err);
    if (status == YOKE_OK && info) {
        *info = (yoke_engine_info){.name = NAME};
        describe(&e->framework, &device, &e->options, info);
    }
    return status;
}

static void destroy(worker_thing *thing)
{
    ane_engine *e = (ane_engine *)thing;
    ane_chain_free(&e->framework, e->chain);
    free(e);
}

static void close_engine(void *engine)
{
    ane_engine *e = engine;
    worker_close(e->worker, &e->thing);
}

static yoke_status open_engine(const yoke_engine_config *config, void **engine,
                               yoke_engine_info *info, yoke_error *err)
{
    ane_engine *e = calloc(1, sizeof *e);
    if (!e)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine " NAME ": out of memory");
    e->thing.destroy = destroy;
    yoke_status status = set_up(e, config, info, err);
    if (status != YOKE_OK) {
        close_engine(e);
        return status;
    }
    *engine = e;
    return YOKE_OK;
}

static yoke_status prepare(void *engine, const yoke_matrix *w, void **prepared,
                           yoke_prepare_report *report, yoke_error *err)
{
    ane_engine *e = engine;
    const ane_maker maker = {&e->framework, &e->options, e->helper, e->worker};
    ane_weight *made;
    yoke_status status = worker_check(e->worker, err);
    if (status == YOKE_OK)
        status = ane_weight_prepare(&maker, w, &made, report, err);
    if (status == YOKE_OK)
        *prepared = made;
    return status;
}

static yoke_status prepare_several(void *engine, const yoke_matrix *w, size_t count,
                                   void **prepared, yoke_prepare_report *reports, size_t *at,
                                   yoke_error *err)
{
    ane_engine *e = engine;
    const ane_maker maker = {&e->framework, &e->options, e->helper, e->worker};
    yoke_status status = worker_check(e->worker, err);
    return status != YOKE_OK ? status
                             : ane_weights_prepare(&maker, w, count, prepared, reports, at, err);
}

static void release(void *engine, void *prepared)
{
    ane_weight_discard(prepared, ((ane_engine *)engine)->worker);
}

static void heed(void *engine, const volatile bool *stop)
{
    ane_engine *e = engine;
    e->options.stop = stop;
    worker_heed(e->worker, stop);
}

const yoke_engine_class engine_ane = {
    .abi = YOKE_ENGINE_ABI,
    .size = sizeof(yoke_engine_class),
    .name = NAME,
    .summary = "the Apple Neural Engine, by its private framework (macOS on Apple silicon)",
    .probe = probe,
    .open = open_engine,
    .close = close_engine,
    .prepare = prepare,
    .release = release,
    .submit = ane_queue_submit,
    .wait = ane_queue_wait,
    .limit = ane_peak_measure,
    .heed = heed,
    .prepare_several = prepare_several,
};
