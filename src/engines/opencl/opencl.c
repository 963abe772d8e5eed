#include "engines/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/await.h"
#include "engines/count.h"
#include "engines/opencl/limit.h"
#include "engines/opencl/product.h"
#include "engines/opencl/program.h"
#include "yoke/measure.h"

#define COMPILE_S 120u
#define LET_GO_NS UINT64_C(1000000000)

static const char *const known_options[] = {"units",          "part",      "kernels", "memory",
                                            "largest_buffer", "compile_s", "library", NULL};

yoke_status engine_check_alive(const opencl_engine *e, yoke_error *err)
{
    if (!atomic_load(&e->stuck))
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_ENGINE,
                          "engine %s: lost: an earlier call to it was given up", e->name);
}

yoke_status engine_check(const opencl_engine *e, const char *call, cl_int code, yoke_error *err)
{
    if (code == CL_SUCCESS)
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_ENGINE, "engine %s: %s: %s (%d)", e->name, call,
                          api_error_name(code), (int)code);
}

/* What probe collects. */
typedef struct listing {
    yoke_engine_info *infos;
    size_t capacity, count;
} listing;

static bool list_device(void *arg, const api *cl, cl_platform_id platform, cl_device_id id,
                        size_t number)
{
    listing *l = arg;
    if (l->count < l->capacity)
        opencl_device_describe(cl, platform, id, number, &l->infos[l->count]);
    l->count++;
    return true;
}

static yoke_status probe(yoke_engine_info *infos, size_t capacity, size_t *count, yoke_error *err)
{
    (void)err;
    listing l = {.infos = infos, .capacity = capacity};
    yoke_error reason = {0};
    api cl;
    yoke_status status = api_load(NULL, &cl, &reason);
    if (status == YOKE_OK) {
        status = opencl_device_visit_all(&cl, list_device, &l, &reason);
        api_unload(&cl);
    }
    if (status != YOKE_OK && l.count++ < capacity) {
        infos[0] = (yoke_engine_info){.name = "opencl"};
        snprintf(infos[0].reason, sizeof infos[0].reason, "%.239s", reason.text);
    }
    *count = l.count;
    return YOKE_OK;
}

/* The device of a number. */
typedef struct search {
    size_t wanted, seen;
    cl_device_id id;
    yoke_engine_info info;
} search;

static bool find_device(void *arg, const api *cl, cl_platform_id platform, cl_device_id id,
                        size_t number)
{
    search *s = arg;
    s->seen = number + 1;
    if (number != s->wanted)
        return true;
    s->id = id;
    opencl_device_describe(cl, platform, id, number, &s->info);
    return false;
}

static yoke_status find(const api *cl, const char *text, search *s, yoke_error *err)
{
    char *end;
    s->wanted = strtoul(text, &end, 10);
    if (*text && (*end || *text < '0' || *text > '9'))
        return yoke_error_set(err, YOKE_ERR_USAGE, "opencl:%s: a device is a number, as opencl:0",
                              text);
    yoke_status status = opencl_device_visit_all(cl, find_device, s, err);
    if (status == YOKE_OK && !s->id)
        status = yoke_error_set(err, YOKE_ERR_NOT_FOUND, "opencl:%s: there are %zu devices, from 0",
                                text, s->seen);
    if (status == YOKE_OK && !s->info.ready)
        status = yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine %s: %s", s->info.name,
                                s->info.reason);
    return status;
}

static yoke_status create_queue(opencl_engine *e, yoke_error *err)
{
    cl_int code;
    e->context = e->cl.clCreateContext(NULL, 1, &e->device.id, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        e->context = NULL;
    yoke_status status = engine_check(e, "clCreateContext", code, err);
    if (status != YOKE_OK)
        return status;
    e->queue =
        e->cl.clCreateCommandQueue(e->context, e->device.id, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS)
        e->queue = NULL;
    return engine_check(e, "clCreateCommandQueue", code, err);
}

static bool is_ours_alone(void *arg)
{
    const opencl_engine *e = arg;
    cl_uint holders = 1;
    cl_int code = e->cl.clGetCommandQueueInfo(e->queue, CL_QUEUE_REFERENCE_COUNT, sizeof holders,
                                              &holders, NULL);
    return code != CL_SUCCESS || holders <= 1;
}

/* PoCL's threads let go of a command, and with it of the queue, a little after its end; before
 * PoCL 4.0 that did not keep a part of a device, and they read its memory. What is never let go of
 * stays. */
static void let_go_of_part(opencl_engine *e)
{
    if (!await(is_ours_alone, e, YOKE_WAIT_BLOCK, 0, yoke_clock_ns() + LET_GO_NS))
        e->device.partial = false;
}

static void release_driver_objects(opencl_engine *e)
{
    program_release_all(e);
    if (e->device.partial && e->queue)
        let_go_of_part(e);
    if (e->queue)
        e->cl.clReleaseCommandQueue(e->queue);
    if (e->context)
        e->cl.clReleaseContext(e->context);
    opencl_device_release(&e->cl, &e->device);
}

static void close_engine(void *engine)
{
    opencl_engine *e = engine;
    slot_free_idle(e);
    if (!atomic_load(&e->stuck)) /* else releasing could wait for ever */
        release_driver_objects(e);
    api_unload(&e->cl);
    pthread_mutex_destroy(&e->mutex);
    free(e);
}

static yoke_status read_compile_s(opencl_engine *e, const yoke_engine_config *config,
                                  yoke_error *err)
{
    uint64_t seconds = COMPILE_S;
    yoke_status status = count_read("opencl", config, "compile_s", &seconds, err);
    if (status == YOKE_OK && (seconds == 0 || seconds > 3600))
        status =
            yoke_error_set(err, YOKE_ERR_USAGE, "opencl engine: compile_s=%llu: from 1 to 3600",
                           (unsigned long long)seconds);
    e->rehearsal_ns = seconds * UINT64_C(1000000000);
    return status;
}

static yoke_status set_up(opencl_engine *e, const yoke_engine_config *config,
                          yoke_engine_info *info, yoke_error *err)
{
    search s = {0};
    yoke_status status = read_compile_s(e, config, err);
    if (status == YOKE_OK)
        status = api_load(yoke_engine_option_get(config, "library"), &e->cl, err);
    if (status == YOKE_OK)
        status = find(&e->cl, config->device, &s, err);
    if (status != YOKE_OK)
        return status;
    memcpy(e->name, s.info.name, sizeof e->name);
    status = opencl_device_choose(&e->cl, s.id, config, &e->device, &s.info, err);
    if (status == YOKE_OK)
        status = create_queue(e, err);
    if (status == YOKE_OK)
        status = program_build_common(e, err);
    if (info)
        *info = s.info;
    return status;
}

static yoke_status open_engine(const yoke_engine_config *config, void **engine,
                               yoke_engine_info *info, yoke_error *err)
{
    yoke_status status = yoke_engine_option_check(config, known_options, err);
    if (status != YOKE_OK)
        return status;
    opencl_engine *e = calloc(1, sizeof *e);
    if (!e)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine opencl: out of memory");
    pthread_mutex_init(&e->mutex, NULL);
    atomic_init(&e->stuck, false);
    e->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    status = set_up(e, config, info, err);
    if (status != YOKE_OK) {
        close_engine(e);
        return status;
    }
    *engine = e;
    return YOKE_OK;
}

static yoke_status build_products(opencl_engine *e, yoke_format format, bool *first,
                                  yoke_error *err)
{
    pthread_mutex_lock(&e->mutex);
    *first = e->products[format].program == NULL;
    yoke_status status = program_build_products(e, format, err);
    pthread_mutex_unlock(&e->mutex);
    return status;
}

static yoke_status prepare(void *engine, const yoke_matrix *w, void **out,
                           yoke_prepare_report *report, yoke_error *err)
{
    opencl_engine *e = engine;
    prepared *p;
    bool first = false;
    yoke_status status = engine_check_alive(e, err);
    if (status == YOKE_OK)
        status = prepare_weight(e, w, &p, report, err);
    if (status != YOKE_OK)
        return status;
    status = build_products(e, w->format, &first, err);
    if (status == YOKE_OK && first)
        status = product_rehearse(e, p, err);
    if (status != YOKE_OK) {
        prepare_release(e, p);
        return status;
    }
    *out = p;
    return YOKE_OK;
}

static void heed(void *engine, const volatile bool *stop)
{
    ((opencl_engine *)engine)->stop = stop;
}

const yoke_engine_class engine_opencl = {
    .abi = YOKE_ENGINE_ABI,
    .size = sizeof(yoke_engine_class),
    .name = "opencl",
    .summary = "GPUs and other devices with an OpenCL 1.2 driver",
    .probe = probe,
    .open = open_engine,
    .close = close_engine,
    .prepare = prepare,
    .release = prepare_release,
    .submit = product_submit,
    .wait = product_wait,
    .limit = limit_measure,
    .heed = heed,
};
