#include "engines/coreml/coreml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/coreml/product.h"
#include "engines/count.h"

#define NAME       "coreml"
#define ROWS       64u /* the last axis of the Neural Engine's fast path */
#define MOST_ROWS  16384u
#define COMPILE_S  600u
#define MOST_S     86400u
#define SATURATION 32768.0 /* from here on the Neural Engine gives infinity */
#define N_GRANULE  16u

static const char *const known_options[] = {"units", "rows", "compile_s", "round", NULL};

static void begin_info(const apple *a, const coreml_options *options, yoke_engine_info *info)
{
    *info = (yoke_engine_info){
        .name = NAME,
        .facts = {.accumulate = YOKE_F32,
                  .rounds_to = YOKE_F16,
                  .granule_m = options->rows,
                  .granule_n = N_GRANULE,
                  .zeroes_subnormals = true,
                  .saturation = SATURATION,
                  .copies = true,
                  .windows_cost_all = true,
                  .native_formats = 1ull << YOKE_F16 | 1ull << YOKE_F32 | 1ull << YOKE_INT8 |
                                    1ull << YOKE_LUT1 | 1ull << YOKE_LUT2 | 1ull << YOKE_LUT3 |
                                    1ull << YOKE_LUT4 | 1ull << YOKE_LUT6 | 1ull << YOKE_LUT8},
    };
    snprintf(info->description, sizeof info->description,
             "%sCore ML, which chooses the device (its plan is asked); never run on hardware by "
             "this project",
             a->standin ? "simulated by a stand-in: " : "");
}

static const coreml_options defaults = {
    .units = COREML_CPU_AND_ANE, .rows = ROWS, .compile_ns = COMPILE_S * UINT64_C(1000000000)};

static yoke_status probe(yoke_engine_info *infos, size_t capacity, size_t *count, yoke_error *err)
{
    (void)err;
    *count = 1;
    if (capacity == 0)
        return YOKE_OK;
    apple a = {0};
    yoke_error reason = {0};
    yoke_status status = coreml_api_load(&a, &reason);
    begin_info(&a, &defaults, infos);
    infos->ready = status == YOKE_OK;
    if (status != YOKE_OK) {
        infos->description[0] = '\0';
        snprintf(infos->reason, sizeof infos->reason, "%.239s", reason.text);
    }
    return YOKE_OK;
}

static yoke_status read_units(const yoke_engine_config *config, coreml_units *out, yoke_error *err)
{
    static const char *const names[] = {"cpu", "gpu", "all", "ane"}; /* as MLComputeUnits */
    const char *text = yoke_engine_option_get(config, "units");
    for (size_t i = 0; i < 4 && text; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = (coreml_units)i;
            return YOKE_OK;
        }
    }
    return text ? yoke_error_set(err, YOKE_ERR_USAGE,
                                 "coreml engine: option units=%s; it is cpu, gpu, all or ane", text)
                : YOKE_OK;
}

static yoke_status read_options(const yoke_engine_config *config, coreml_options *out,
                                yoke_error *err)
{
    *out = defaults;
    uint64_t rows = ROWS, seconds = COMPILE_S, round = 0;
    yoke_status status = yoke_engine_option_check(config, known_options, err);
    if (status == YOKE_OK)
        status = read_units(config, &out->units, err);
    if (status == YOKE_OK)
        status = count_read(NAME, config, "rows", &rows, err);
    if (status == YOKE_OK)
        status = count_read(NAME, config, "compile_s", &seconds, err);
    if (status == YOKE_OK)
        status = count_read(NAME, config, "round", &round, err);
    if (status == YOKE_OK && (rows == 0 || rows > MOST_ROWS || seconds == 0 || seconds > MOST_S))
        status =
            yoke_error_set(err, YOKE_ERR_USAGE, "coreml engine: rows is 1 to %u, compile_s 1 to %u",
                           MOST_ROWS, MOST_S);
    out->rows = (size_t)rows;
    out->compile_ns = seconds * UINT64_C(1000000000);
    out->round = round != 0;
    return status;
}

static void destroy(worker_thing *thing)
{
    free(thing);
}

static void close_engine(void *engine)
{
    coreml_engine *e = engine;
    worker_close(e->worker, &e->thing);
}

static yoke_status set_up(coreml_engine *e, const yoke_engine_config *config, yoke_error *err)
{
    yoke_error why = {0};
    yoke_status status = read_options(config, &e->options, err);
    if (status == YOKE_OK && *config->device)
        status = yoke_error_set(err, YOKE_ERR_NOT_FOUND, "coreml:%s: it has no devices to choose",
                                config->device);
    if (status != YOKE_OK)
        return status;
    status = coreml_api_load(&e->objc, &why);
    if (status != YOKE_OK)
        return yoke_error_set(err, status, "engine coreml: %s", why.text);
    return worker_create(NAME, &e->worker, err);
}

static yoke_status open_engine(const yoke_engine_config *config, void **engine,
                               yoke_engine_info *info, yoke_error *err)
{
    coreml_engine *e = calloc(1, sizeof *e);
    if (!e)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine coreml: out of memory");
    e->thing.destroy = destroy;
    yoke_status status = set_up(e, config, err);
    if (status != YOKE_OK) {
        close_engine(e);
        return status;
    }
    if (info) {
        begin_info(&e->objc, &e->options, info);
        info->ready = true;
    }
    *engine = e;
    return YOKE_OK;
}

static yoke_status prepare(void *engine, const yoke_matrix *w, void **out,
                           yoke_prepare_report *report, yoke_error *err)
{
    coreml_prepared *p = NULL;
    yoke_status status = worker_check(((coreml_engine *)engine)->worker, err);
    if (status == YOKE_OK)
        status = coreml_prepare(engine, w, &p, report, err);
    *out = p;
    return status;
}

static void heed(void *engine, const volatile bool *stop)
{
    worker_heed(((coreml_engine *)engine)->worker, stop);
}

const yoke_engine_class engine_coreml = {
    .abi = YOKE_ENGINE_ABI,
    .size = sizeof(yoke_engine_class),
    .name = NAME,
    .summary = "Core ML: the Neural Engine by Apple's public framework",
    .probe = probe,
    .open = open_engine,
    .close = close_engine,
    .prepare = prepare,
    .release = coreml_release,
    .submit = coreml_product_submit,
    .wait = coreml_product_wait,
    .heed = heed,
};
