#include "engines/metal/metal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/count.h"
#include "engines/metal/library.h"
#include "engines/metal/product.h"
#include "engines/metal/slot.h"

static const char *const known_options[] = {"kernels", NULL};

static yoke_status find_device(const metal_api *api, apple_id *out, yoke_error *err)
{
    apple_id device = api->create_device();
    if (!device)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "MTLCreateSystemDefaultDevice gives no device");
    *out = device;
    return api->mps_supports(device)
               ? YOKE_OK
               : yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                                "Metal Performance Shaders do not support this device");
}

/* A virtual machine's GPU, on which compiled kernels were seen to give zeros (JuliaGPU/Metal.jl
 * issue 309). */
static bool is_virtual(const metal_api *api, apple_id device)
{
    char name[96];
    apple_text(&api->objc, apple_send(&api->objc, device, "name"), name, sizeof name);
    return strstr(name, "Paravirtual") != NULL;
}

static void describe(const metal_api *api, apple_id device, yoke_engine_info *info)
{
    char name[96];
    apple_text(&api->objc, apple_send(&api->objc, device, "name"), name, sizeof name);
    snprintf(info->description, sizeof info->description,
             "%s%s%s; never run on hardware by this project",
             api->objc.standin ? "simulated by a stand-in: " : "", name,
             is_virtual(api, device) ? ", a virtual machine's" : "");
    info->facts.max_m = info->facts.max_n = INT32_MAX;
    info->facts.max_k = INT32_MAX / 2;
}

static void begin_info(yoke_engine_info *info)
{
    *info = (yoke_engine_info){
        .name = METAL_NAME,
        .facts = {.accumulate = YOKE_F32,
                  .granule_m = 1,
                  .granule_n = 1,
                  .zeroes_subnormals = true,
                  .copies = true,
                  .native_formats = 1ull << YOKE_F32 | 1ull << YOKE_F16 | 1ull << YOKE_BF16 |
                                    1ull << YOKE_Q8_0 | 1ull << YOKE_Q4_0},
    };
}

static yoke_status probe(yoke_engine_info *infos, size_t capacity, size_t *count, yoke_error *err)
{
    (void)err;
    *count = 1;
    if (capacity == 0)
        return YOKE_OK;
    metal_api api;
    apple_id device = NULL;
    yoke_error reason = {0};
    begin_info(infos);
    yoke_status status = metal_api_load(&api, &reason);
    if (status == YOKE_OK) {
        void *pool = apple_pool_push(&api.objc);
        status = find_device(&api, &device, &reason);
        if (status == YOKE_OK)
            describe(&api, device, infos);
        apple_release(&api.objc, device);
        apple_pool_pop(&api.objc, pool);
    }
    infos->ready = status == YOKE_OK;
    if (status != YOKE_OK)
        snprintf(infos->reason, sizeof infos->reason, "%.239s", reason.text);
    return YOKE_OK;
}

static void close_engine(void *engine)
{
    metal_engine *e = engine;
    void *pool = apple_pool_push(&e->api.objc);
    metal_slot_free_idle(e);
    metal_library_release_all(e);
    apple_release(&e->api.objc, e->queue);
    apple_release(&e->api.objc, e->device);
    apple_pool_pop(&e->api.objc, pool);
    pthread_mutex_destroy(&e->mutex);
    free(e);
}

static size_t largest_buffer(const metal_engine *e)
{
    const uint64_t bytes = apple_send_u64(&e->api.objc, e->device, "maxBufferLength");
    return bytes ? (size_t)bytes : SIZE_MAX; /* before macOS 10.14 it is not told */
}

static yoke_status set_up(metal_engine *e, const yoke_engine_config *config, yoke_engine_info *info,
                          yoke_error *err)
{
    yoke_error why = {0};
    const apple *a = &e->api.objc;
    yoke_status status = find_device(&e->api, &e->device, &why);
    if (status == YOKE_OK) {
        e->queue = apple_send(a, e->device, "newCommandQueue");
        status = metal_api_check(&e->api, e->device, e->queue, &why);
    }
    if (status != YOKE_OK)
        return yoke_error_set(err, status, "engine %s: %s", METAL_NAME, why.text);
    uint64_t kernels = !is_virtual(&e->api, e->device);
    status = count_read(METAL_NAME, config, "kernels", &kernels, err);
    e->own_kernels = kernels != 0;
    e->largest_buffer = largest_buffer(e);
    if (info) {
        begin_info(info);
        describe(&e->api, e->device, info);
        info->ready = true;
    }
    return status;
}

static yoke_status check_config(const yoke_engine_config *config, yoke_error *err)
{
    yoke_status status = yoke_engine_option_check(config, known_options, err);
    if (status == YOKE_OK && *config->device && strcmp(config->device, "0") != 0)
        status = yoke_error_set(err, YOKE_ERR_NOT_FOUND,
                                "metal:%s: only the system's default device, metal:0, is used",
                                config->device);
    return status;
}

static yoke_status open_engine(const yoke_engine_config *config, void **engine,
                               yoke_engine_info *info, yoke_error *err)
{
    yoke_error why = {0};
    metal_api api;
    yoke_status status = check_config(config, err);
    if (status != YOKE_OK)
        return status;
    status = metal_api_load(&api, &why);
    if (status != YOKE_OK)
        return yoke_error_set(err, status, "engine %s: %s", METAL_NAME, why.text);
    metal_engine *e = calloc(1, sizeof *e);
    if (!e)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: out of memory", METAL_NAME);
    e->api = api;
    e->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    pthread_mutex_init(&e->mutex, NULL);
    void *pool = apple_pool_push(&api.objc);
    status = set_up(e, config, info, err);
    apple_pool_pop(&api.objc, pool);
    if (status != YOKE_OK) {
        close_engine(e);
        return status;
    }
    *engine = e;
    return YOKE_OK;
}

static yoke_status prepare(void *engine, const yoke_matrix *w, void **out,
                           yoke_prepare_report *report, yoke_error *err)
{
    metal_engine *e = engine;
    metal_prepared *p = NULL;
    void *pool = apple_pool_push(&e->api.objc);
    yoke_status status = metal_prepare(e, w, &p, report, err);
    apple_pool_pop(&e->api.objc, pool);
    *out = p;
    return status;
}

static void heed(void *engine, const volatile bool *stop)
{
    ((metal_engine *)engine)->stop = stop;
}

const yoke_engine_class engine_metal = {
    .abi = YOKE_ENGINE_ABI,
    .size = sizeof(yoke_engine_class),
    .name = METAL_NAME,
    .summary = "the GPU of a Mac, by Metal and Metal Performance Shaders",
    .probe = probe,
    .open = open_engine,
    .close = close_engine,
    .prepare = prepare,
    .release = metal_release,
    .submit = metal_product_submit,
    .wait = metal_product_wait,
    .heed = heed,
};
