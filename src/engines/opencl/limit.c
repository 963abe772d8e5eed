#include "engines/opencl/limit.h"

#include "base/size.h"
#include "engines/opencl/event.h"
#include "engines/opencl/launch.h"

#define READ_BYTES     16 /* of one read of read_all */
#define ITEMS_PER_UNIT 2048u
#define CHAINS         16u /* vectors of sums that multiply_add keeps in flight */
#define FIRST_ROUNDS   2000u
#define MOST_ROUNDS    2000000000.0

/* How long the kernel ran, by the device's clock. */
static yoke_status time_kernel(opencl_engine *e, cl_kernel kernel, const grid *g,
                               const argument *arguments, size_t count, double *ns, yoke_error *err)
{
    cl_event event;
    pthread_mutex_lock(&e->mutex);
    cl_int code = launch(e, kernel, g, arguments, count, &event);
    pthread_mutex_unlock(&e->mutex);
    yoke_status status = engine_check(e, "clEnqueueNDRangeKernel of a limit", code, err);
    if (status != YOKE_OK)
        return status;
    const event_await_how await_how = {.how = YOKE_WAIT_BLOCK,
                                       .uses_callers_memory = e->device.sharing == SHARING_DIRECT};
    status = event_await(e, event, "a limit's kernel", &await_how, err);
    if (status != YOKE_OK)
        return status;
    cl_ulong begin = 0, end = 0;
    code = event_status(e, event);
    if (code == CL_COMPLETE)
        code = e->cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin,
                                             &begin, NULL);
    if (code == CL_SUCCESS)
        code =
            e->cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    e->cl.clReleaseEvent(event);
    *ns = end > begin ? (double)(end - begin) : 1;
    return engine_check(e, "a limit's kernel", code, err);
}

/* A CPU runs one item of a unit at a time; a GPU hides waiting behind many. */
static grid limit_grid(const opencl_engine *e)
{
    size_t items = e->device.grouped ? ITEMS_PER_UNIT : 4;
    size_t lanes = e->device.grouped ? e->device.lanes : 1;
    return (grid){{size_round_up(items * e->device.units, lanes), 1}, {lanes, 1}};
}

/* What a kernel that never ended may still use stays. */
static void release(const opencl_engine *e, cl_mem memory)
{
    if (!atomic_load(&e->stuck))
        e->cl.clReleaseMemObject(memory);
}

static yoke_status create_sums(opencl_engine *e, const grid *g, cl_mem *out, yoke_error *err)
{
    cl_int code;
    *out = e->cl.clCreateBuffer(e->context, CL_MEM_READ_WRITE, g->global_size[0] * sizeof(float),
                                NULL, &code);
    return engine_check(e, "clCreateBuffer", code, err);
}

static yoke_status time_read(opencl_engine *e, const void *bytes, size_t count, cl_mem sums,
                             const grid *g, double *ns, yoke_error *err)
{
    const bool in_place = e->device.sharing == SHARING_DIRECT;
    cl_int code;
    cl_mem from =
        e->cl.clCreateBuffer(e->context, CL_MEM_READ_ONLY | (in_place ? CL_MEM_USE_HOST_PTR : 0),
                             count, in_place ? (void *)bytes : NULL, &code);
    yoke_status status = engine_check(e, "clCreateBuffer", code, err);
    if (status != YOKE_OK)
        return status;
    if (!in_place)
        status = engine_check(
            e, "clEnqueueWriteBuffer",
            e->cl.clEnqueueWriteBuffer(e->queue, from, 1, 0, count, bytes, 0, NULL, NULL), err);
    const cl_ulong reads = count / READ_BYTES;
    const argument arguments[] = {ARGUMENT(from), ARGUMENT(reads), ARGUMENT(sums)};
    double first = 0;
    if (status == YOKE_OK) /* the first run compiles, and finds the memory cold */
        status = time_kernel(e, e->read_all, g, arguments, 3, &first, err);
    if (status == YOKE_OK)
        status = time_kernel(e, e->read_all, g, arguments, 3, ns, err);
    release(e, from);
    return status;
}

static yoke_status measure_read(opencl_engine *e, const yoke_limit_request *request, cl_mem sums,
                                const grid *g, double *per_second, yoke_error *err)
{
    const char *bytes = request->bytes;
    const size_t most = e->device.largest_buffer / READ_BYTES * READ_BYTES;
    if (request->byte_count < READ_BYTES || (uintptr_t)bytes % READ_BYTES != 0)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "engine %s: reading is measured from %d aligned bytes on", e->name,
                              READ_BYTES);
    double total_ns = 0;
    size_t done = 0;
    yoke_status status = YOKE_OK;
    while (status == YOKE_OK && request->byte_count - done >= READ_BYTES) {
        size_t count = size_min(most, request->byte_count - done);
        double ns = 0;
        status = time_read(e, bytes + done, count, sums, g, &ns, err);
        total_ns += ns;
        done += count;
    }
    *per_second = (double)done * 1e9 / total_ns;
    return status;
}

static yoke_status measure_compute(opencl_engine *e, const yoke_limit_request *request, cl_mem sums,
                                   const grid *g, double *per_second, yoke_error *err)
{
    const float a = 0.5f, b = 1.0f;
    cl_uint rounds = FIRST_ROUNDS;
    const argument arguments[] = {ARGUMENT(rounds), ARGUMENT(a), ARGUMENT(b), ARGUMENT(sums)};
    double ns = 0;
    yoke_status status = time_kernel(e, e->multiply_add, g, arguments, 4, &ns, err);
    if (status == YOKE_OK)
        status = time_kernel(e, e->multiply_add, g, arguments, 4, &ns, err);
    if (status != YOKE_OK)
        return status;
    double wanted = FIRST_ROUNDS * ((double)request->duration_ns / ns);
    rounds = wanted < FIRST_ROUNDS  ? FIRST_ROUNDS
             : wanted > MOST_ROUNDS ? (cl_uint)MOST_ROUNDS
                                    : (cl_uint)wanted;
    status = time_kernel(e, e->multiply_add, g, arguments, 4, &ns, err);
    if (status != YOKE_OK)
        return status;
    *per_second = 2.0 * rounds * CHAINS * e->device.vector * (double)g->global_size[0] * 1e9 / ns;
    return status;
}

yoke_status limit_measure(void *engine, const yoke_limit_request *request, double *per_second,
                          yoke_error *err)
{
    opencl_engine *e = engine;
    const grid g = limit_grid(e);
    cl_mem sums;
    yoke_status status = engine_check_alive(e, err);
    if (status == YOKE_OK)
        status = create_sums(e, &g, &sums, err);
    if (status != YOKE_OK)
        return status;
    double result = 0;
    status = (request->limit == YOKE_LIMIT_READ ? measure_read : measure_compute)(e, request, sums,
                                                                                  &g, &result, err);
    release(e, sums);
    if (status == YOKE_OK)
        *per_second = result;
    return status;
}
