#include "engines/opencl/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "engines/count.h"

#define MOST_PLATFORMS 16
#define MOST_DEVICES   32 /* of one platform */
#define GRANULE_N      16 /* a whole number of every kernel's tiles of w */

static cl_uint property(const api *cl, cl_device_id id, cl_uint what)
{
    cl_uint value = 0;
    return cl->clGetDeviceInfo(id, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

static uint64_t wide_property(const api *cl, cl_device_id id, cl_uint what)
{
    uint64_t value = 0;
    return cl->clGetDeviceInfo(id, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

static size_t size_property(const api *cl, cl_device_id id, cl_uint what)
{
    size_t value = 0;
    return cl->clGetDeviceInfo(id, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

/* Text of any length, cut to fit. */
static void text_property(const api *cl, cl_device_id id, cl_uint what, char *out, size_t bytes)
{
    char text[512] = "";
    if (cl->clGetDeviceInfo(id, what, sizeof text, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    text[sizeof text - 1] = '\0';
    const char *begin = text + strspn(text, " ");
    snprintf(out, bytes, "%s", *begin ? begin : "unknown");
}

static bool is_cpu(const api *cl, cl_device_id id)
{
    return (wide_property(cl, id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
}

yoke_status opencl_device_visit_all(const api *cl, device_visitor *visit, void *arg,
                                    yoke_error *err)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint platform_count = 0;
    cl_int code = cl->clGetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count);
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && platform_count == 0))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "the OpenCL loader knows no platform: no driver is installed");
    if (code != CL_SUCCESS)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "clGetPlatformIDs: %s (%d)",
                              api_error_name(code), (int)code);
    size_t number = 0;
    bool more = true;
    for (cl_uint p = 0; p < platform_count && p < MOST_PLATFORMS && more; p++) {
        cl_device_id ids[MOST_DEVICES];
        cl_uint count = 0;
        if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &count) !=
            CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < count && d < MOST_DEVICES && more; d++)
            more = visit(arg, cl, platforms[p], ids[d], number++);
    }
    if (number == 0)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "no OpenCL platform has a device");
    return YOKE_OK;
}

/* NULL when the device can be used. */
static const char *obstacle(const api *cl, cl_device_id id)
{
    if (!property(cl, id, CL_DEVICE_AVAILABLE))
        return "the driver says that the device is not available";
    if (!property(cl, id, CL_DEVICE_COMPILER_AVAILABLE))
        return "the driver has no compiler for OpenCL C";
    if (!property(cl, id, CL_DEVICE_ENDIAN_LITTLE))
        return "the device is big-endian";
    return NULL;
}

static void set_facts(const api *cl, cl_device_id id, yoke_engine_facts *facts)
{
    uint64_t precision = wide_property(cl, id, CL_DEVICE_SINGLE_FP_CONFIG);
    *facts = (yoke_engine_facts){
        .accumulate = YOKE_F32,
        .granule_m = 1,
        .granule_n = GRANULE_N,
        .max_m = INT32_MAX,
        .max_n = INT32_MAX,
        .max_k = INT32_MAX / 2,
        .zeroes_subnormals = (precision & CL_FP_DENORM) == 0,
        .copies = !is_cpu(cl, id) && !property(cl, id, CL_DEVICE_HOST_UNIFIED_MEMORY),
        .on_host_cpu = is_cpu(cl, id),
    };
    static const yoke_format native[] = {YOKE_F32, YOKE_F16, YOKE_BF16, YOKE_Q8_0, YOKE_Q4_0};
    for (size_t i = 0; i < sizeof native / sizeof native[0]; i++)
        facts->native_formats |= UINT64_C(1) << native[i];
}

void opencl_device_describe(const api *cl, cl_platform_id platform, cl_device_id id, size_t number,
                            yoke_engine_info *info)
{
    char name[80], driver[32], vendor[48] = "";
    text_property(cl, id, CL_DEVICE_NAME, name, sizeof name);
    text_property(cl, id, CL_DRIVER_VERSION, driver, sizeof driver);
    cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof vendor, vendor, NULL);
    vendor[sizeof vendor - 1] = '\0';
    *info = (yoke_engine_info){0};
    snprintf(info->name, sizeof info->name, "opencl:%zu", number);
    snprintf(info->description, sizeof info->description, "%s%s, %u units, %s %s",
             is_cpu(cl, id) ? "the CPU again: " : "", name,
             (unsigned)property(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS), vendor, driver);
    const char *reason = obstacle(cl, id);
    info->ready = reason == NULL;
    if (reason)
        snprintf(info->reason, sizeof info->reason, "%s", reason);
    set_facts(cl, id, &info->facts);
}

/* The index of the option's value in `names` (NULL-terminated); `otherwise` without the option. */
static yoke_status read_choice(const yoke_engine_config *config, const char *key,
                               const char *const *names, size_t otherwise, size_t *out,
                               yoke_error *err)
{
    const char *text = yoke_engine_option_get(config, key);
    *out = otherwise;
    if (!text)
        return YOKE_OK;
    for (*out = 0; names[*out]; ++*out)
        if (strcmp(names[*out], text) == 0)
            return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_USAGE, "opencl engine: %s=%s: not known", key, text);
}

/* The part-th group of `units` compute units. */
static yoke_status take_part(const api *cl, device *d, size_t units, size_t part, yoke_error *err)
{
    const intptr_t how[] = {CL_DEVICE_PARTITION_EQUALLY, (intptr_t)units, 0};
    cl_uint count = 0;
    cl_int code = cl->clCreateSubDevices(d->id, how, 0, NULL, &count);
    if (code != CL_SUCCESS)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "opencl engine: units=%zu: clCreateSubDevices: %s (%d)", units,
                              api_error_name(code), (int)code);
    if (part >= count)
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND,
                              "opencl engine: part=%zu: the device has %u parts of %zu units", part,
                              (unsigned)count, units);
    cl_device_id *parts = calloc(count, sizeof(cl_device_id));
    if (!parts)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "opencl engine: out of memory");
    code = cl->clCreateSubDevices(d->id, how, count, parts, NULL);
    for (cl_uint i = 0; i < count && code == CL_SUCCESS; i++)
        if (i != part)
            cl->clReleaseDevice(parts[i]);
    if (code == CL_SUCCESS) {
        d->id = parts[part];
        d->partial = true;
    }
    free(parts);
    return code == CL_SUCCESS
               ? YOKE_OK
               : yoke_error_set(err, YOKE_ERR_ENGINE,
                                "opencl engine: units=%zu: clCreateSubDevices: %s (%d)", units,
                                api_error_name(code), (int)code);
}

/* The largest power of 2 up to `most` that is no larger than `limit`. */
static unsigned power_within(size_t limit, unsigned most)
{
    while (most > 1 && most > limit)
        most /= 2;
    return most;
}

static void choose_kernels(const api *cl, device *d)
{
    size_t items = size_property(cl, d->id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    cl_uint width = property(cl, d->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
    d->units = property(cl, d->id, CL_DEVICE_MAX_COMPUTE_UNITS);
    if (d->units == 0)
        d->units = 1;
    d->vector = d->grouped ? 4 : width >= 16 ? 16 : width >= 8 ? 8 : 4;
    d->lanes = power_within(items, 64);
    d->side = items >= 256 && wide_property(cl, d->id, CL_DEVICE_LOCAL_MEM_SIZE) >= 20000 ? 16 : 8;
    if (items < 64)
        d->side = power_within(items / 4, 4);
}

yoke_status opencl_device_choose(const api *cl, cl_device_id id, const yoke_engine_config *config,
                                 device *out, yoke_engine_info *info, yoke_error *err)
{
    static const char *const kernels[] = {"cpu", "gpu", NULL};
    static const char *const memories[] = {"copy", "map", "direct", NULL};
    *out = (device){.id = id, .cpu = is_cpu(cl, id)};
    bool unified = property(cl, id, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0;
    size_t grouped = 0, memory = 0;
    size_t limit = (size_t)wide_property(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    uint64_t units = 0, part = 0, wanted = limit;
    yoke_status status = count_read("opencl", config, "units", &units, err);
    if (status == YOKE_OK)
        status = count_read("opencl", config, "part", &part, err);
    if (status == YOKE_OK)
        status = count_read("opencl", config, "largest_buffer", &wanted, err);
    if (status == YOKE_OK)
        status = read_choice(config, "kernels", kernels, !out->cpu, &grouped, err);
    if (status == YOKE_OK)
        status = read_choice(config, "memory", memories,
                             out->cpu  ? SHARING_DIRECT
                             : unified ? SHARING_MAP
                                       : SHARING_COPY,
                             &memory, err);
    if (status == YOKE_OK && memory == SHARING_DIRECT && !out->cpu)
        status = yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                                "opencl engine: memory=direct: the device is no CPU");
    if (status == YOKE_OK && units > 0)
        status = take_part(cl, out, units, part, err);
    if (status != YOKE_OK)
        return status;
    out->largest_buffer = size_min(wanted, limit);
    out->grouped = grouped != 0;
    out->sharing = (sharing)memory;
    choose_kernels(cl, out);
    info->facts.copies = out->sharing == SHARING_COPY;
    return YOKE_OK;
}

void opencl_device_release(const api *cl, device *d)
{
    if (d->partial)
        cl->clReleaseDevice(d->id);
    d->partial = false;
}
