/* Stands in for an OpenCL loader with one platform and one GPU whose memory is its own. It computes
 * nothing; what it does is fail, as real drivers were seen to. Built once for each failure, by one
 * of
 *
 *   NO_PLATFORM       clGetPlatformIDs finds none
 *   NO_DEVICE         the platform has no device
 *   NO_COMPILER       the device has no compiler
 *   BUILD_FAILS       clBuildProgram fails, with a log
 *   ENQUEUE_FAILS     the second product is refused
 *   EVENT_FAILS       the second product is accepted, fails on the way, and all calls succeed
 *   NEVER_ENDS        the second product is accepted and never ends
 *   HANGS             no kernel ever ends
 *   UPLOAD_HANGS      no memory ever reaches the device
 *   LITTLE_MEMORY     buffers above 64 KiB are refused
 *   LETS_GO_LATE      the queue is held by more than the caller until it was looked at five times
 *   NEVER_LETS_GO     it is held for ever
 *
 * A driver may use what it holds of the host's memory until a product ends, however late:
 * standin_end_late() writes all over it.
 */
#include <string.h>
#include <unistd.h>

#include "engines/opencl/api.h"

#define X(result, name, parameters) __attribute__((visibility("default"))) result name parameters;
API_FUNCTIONS(X)
#undef X

/* A driver's device, context and so on: only their addresses matter. */
static char thing;

typedef enum outcome { ENDS_WELL, ENDS_BADLY, ENDS_NEVER } outcome;
static outcome outcomes[] = {ENDS_WELL, ENDS_BADLY, ENDS_NEVER};

/* Products after those by which the engine has its kernels compiled, one row and two rows. */
#if defined HANGS || defined UPLOAD_HANGS
#define REHEARSALS (-1) /* the first product counts: it is the last */
#else
#define REHEARSALS 2
#endif
static int products;

/* Memory of the host's that was handed over for products that count. */
static struct {
    void *memory;
    size_t bytes;
} held[64];
static size_t held_count;

static void hold(void *memory, size_t bytes)
{
    if (products <= REHEARSALS || held_count == sizeof held / sizeof held[0])
        return;
    held[held_count].memory = memory;
    held[held_count++].bytes = bytes;
}

/* How many places it spoiled. */
__attribute__((visibility("default"))) size_t standin_end_late(void);
size_t standin_end_late(void)
{
    for (size_t i = 0; i < held_count; i++)
        memset(held[i].memory, 0xee, held[i].bytes);
    return held_count;
}

static cl_int answer(const void *from, size_t bytes, size_t room, void *to, size_t *needed)
{
    if (needed)
        *needed = bytes;
    if (to)
        memcpy(to, from, bytes < room ? bytes : room);
    return CL_SUCCESS;
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
#ifdef NO_PLATFORM
    (void)room, (void)platforms, (void)count;
    return CL_PLATFORM_NOT_FOUND_KHR;
#else
    if (room > 0)
        platforms[0] = (cl_platform_id)&thing;
    *count = 1;
    return CL_SUCCESS;
#endif
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_uint what, size_t room, void *to,
                         size_t *needed)
{
    (void)platform, (void)what;
    return answer("stand-in", 9, room, to, needed);
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_bitfield type, cl_uint room,
                      cl_device_id *devices, cl_uint *count)
{
    (void)platform, (void)type;
#ifdef NO_DEVICE
    (void)room, (void)devices, (void)count;
    return CL_DEVICE_NOT_FOUND;
#else
    if (room > 0)
        devices[0] = (cl_device_id)&thing;
    *count = 1;
    return CL_SUCCESS;
#endif
}

static uint64_t device_number(cl_uint what)
{
    switch (what) {
    case CL_DEVICE_TYPE: return CL_DEVICE_TYPE_GPU;
    case CL_DEVICE_MAX_COMPUTE_UNITS: return 8;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return 256;
    case CL_DEVICE_LOCAL_MEM_SIZE: return 32768;
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_AVAILABLE: return 1;
#ifndef NO_COMPILER
    case CL_DEVICE_COMPILER_AVAILABLE: return 1;
#endif
#ifdef LITTLE_MEMORY
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return 65536;
#else
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return (uint64_t)1 << 30;
#endif
    default: return 0;
    }
}

cl_int clGetDeviceInfo(cl_device_id device, cl_uint what, size_t room, void *to, size_t *needed)
{
    (void)device;
    if (what == CL_DEVICE_NAME || what == CL_DRIVER_VERSION)
        return answer("stand-in", 9, room, to, needed);
    const uint64_t number = device_number(what); /* little-endian: any size of it */
    return answer(&number, room, room, to, needed);
}

cl_int clCreateSubDevices(cl_device_id device, const intptr_t *how, cl_uint room,
                          cl_device_id *devices, cl_uint *count)
{
#if defined LETS_GO_LATE || defined NEVER_LETS_GO
    (void)device, (void)how;
    if (room > 0)
        devices[0] = (cl_device_id)&thing;
    if (count)
        *count = 1;
    return CL_SUCCESS;
#else
    (void)device, (void)how, (void)room, (void)devices, (void)count;
    return -18; /* CL_DEVICE_PARTITION_FAILED */
#endif
}

/* Who holds the queue. */
static int looks_left = 5;
static cl_uint holders(void)
{
#if defined NEVER_LETS_GO
    return 2;
#elif defined LETS_GO_LATE
    return looks_left > 0 ? 2 : 1;
#else
    return 1;
#endif
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_uint what, size_t room, void *to,
                             size_t *needed)
{
    (void)queue, (void)what;
    looks_left -= looks_left > 0;
    const cl_uint count = holders();
    return answer(&count, sizeof count, room, to, needed);
}

/* How many devices were released, and how many of them while the queue was held. */
static size_t released, released_early;
__attribute__((visibility("default"))) size_t standin_released(void);
size_t standin_released(void)
{
    return released;
}

__attribute__((visibility("default"))) size_t standin_released_early(void);
size_t standin_released_early(void)
{
    return released_early;
}

cl_int clReleaseDevice(cl_device_id device)
{
    (void)device;
    released++;
    released_early += holders() > 1;
    return CL_SUCCESS;
}

cl_context clCreateContext(const intptr_t *properties, cl_uint count, const cl_device_id *devices,
                           void (*notify)(const char *, const void *, size_t, void *), void *arg,
                           cl_int *code)
{
    (void)properties, (void)count, (void)devices, (void)notify, (void)arg;
    *code = CL_SUCCESS;
    return (cl_context)&thing;
}

cl_int clReleaseContext(cl_context context)
{
    (void)context;
    return CL_SUCCESS;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_bitfield properties, cl_int *code)
{
    (void)context, (void)device, (void)properties;
    products = 0;
    *code = CL_SUCCESS;
    return (cl_command_queue)&thing;
}

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

cl_mem clCreateBuffer(cl_context context, cl_bitfield flags, size_t bytes, void *memory,
                      cl_int *code)
{
    (void)context;
    if (flags & CL_MEM_USE_HOST_PTR)
        hold(memory, bytes);
    *code = bytes <= device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE) ? CL_SUCCESS : -61;
    return *code == CL_SUCCESS ? (cl_mem)&thing : NULL;
}

cl_int clReleaseMemObject(cl_mem memory)
{
    (void)memory;
    return CL_SUCCESS;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **sources,
                                     const size_t *lengths, cl_int *code)
{
    (void)context, (void)count, (void)sources, (void)lengths;
    *code = CL_SUCCESS;
    return (cl_program)&thing;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void (*notify)(cl_program, void *), void *arg)
{
    (void)program, (void)count, (void)devices, (void)options, (void)notify, (void)arg;
#ifdef BUILD_FAILS
    return -11; /* CL_BUILD_PROGRAM_FAILURE */
#else
    return CL_SUCCESS;
#endif
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_uint what, size_t room,
                             void *to, size_t *needed)
{
    (void)program, (void)device, (void)what;
    static const char log[] = "line 1: no such type";
    return answer(log, sizeof log, room, to, needed);
}

cl_int clReleaseProgram(cl_program program)
{
    (void)program;
    return CL_SUCCESS;
}

/* A kernel is known by its name: "multiply_..." is a product. */
cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    static const char product[] = "product", other[] = "other";
    (void)program;
    *code = CL_SUCCESS;
    return (cl_kernel)(strcmp(name, "multiply_row") == 0 || strcmp(name, "multiply_tile") == 0
                           ? product
                           : other);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    (void)kernel, (void)index, (void)bytes, (void)value;
    return CL_SUCCESS;
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    (void)kernel;
    return CL_SUCCESS;
}

static cl_int enqueued(outcome how, cl_event *event)
{
    if (event)
        *event = (cl_event)&outcomes[how];
    return CL_SUCCESS;
}

/* The queue is in order: what comes behind a product that never ends does not end either. */
static outcome of_the_queue(void)
{
#ifdef NEVER_ENDS
    return products == REHEARSALS + 2 ? ENDS_NEVER : ENDS_WELL;
#elif defined HANGS
    return ENDS_NEVER;
#else
    return ENDS_WELL;
#endif
}

static outcome of_an_upload(cl_bool blocking, outcome otherwise)
{
#ifdef UPLOAD_HANGS
    while (blocking)
        pause();
    otherwise = ENDS_NEVER;
#endif
    (void)blocking;
    return otherwise;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global_size,
                              const size_t *local_size, cl_uint count, const cl_event *after,
                              cl_event *event)
{
    (void)queue, (void)dimensions, (void)offset, (void)global_size, (void)local_size;
    (void)count, (void)after;
    if (*(const char *)kernel == 'p')
        products++;
#ifdef ENQUEUE_FAILS
    if (products == REHEARSALS + 2)
        return -5; /* CL_OUT_OF_RESOURCES */
#endif
#ifdef EVENT_FAILS
    if (products == REHEARSALS + 2)
        return enqueued(ENDS_BADLY, event);
#endif
    return enqueued(of_the_queue(), event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t bytes, void *to, cl_uint count, const cl_event *after,
                           cl_event *event)
{
    (void)queue, (void)buffer, (void)blocking, (void)offset, (void)count, (void)after;
    hold(to, bytes);
    return enqueued(of_the_queue(), event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t bytes, const void *from, cl_uint count, const cl_event *after,
                            cl_event *event)
{
    (void)queue, (void)buffer, (void)offset, (void)count, (void)after;
    if (!blocking)
        hold((void *)from, bytes);
    return enqueued(of_an_upload(blocking, ENDS_WELL), event);
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_bitfield how,
                         size_t offset, size_t bytes, cl_uint count, const cl_event *after,
                         cl_event *event, cl_int *code)
{
    static char mapped[4096];
    (void)queue, (void)buffer, (void)how, (void)offset, (void)count, (void)after;
    *code = bytes <= sizeof mapped ? enqueued(of_an_upload(blocking, of_the_queue()), event)
                                   : -12; /* CL_MAP_FAILURE */
    return *code == CL_SUCCESS ? mapped : NULL;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint count,
                               const cl_event *after, cl_event *event)
{
    (void)queue, (void)buffer, (void)mapped, (void)count, (void)after;
    return enqueued(ENDS_WELL, event);
}

cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    (void)count;
    return *(const outcome *)events[0] == ENDS_BADLY ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
                                                     : CL_SUCCESS;
}

cl_int clGetEventInfo(cl_event event, cl_uint what, size_t room, void *to, size_t *needed)
{
    (void)what;
    const outcome how = *(const outcome *)event;
    const cl_int status = how == ENDS_WELL ? CL_COMPLETE : how == ENDS_NEVER ? 1 : -5;
    return answer(&status, sizeof status, room, to, needed);
}

cl_int clGetEventProfilingInfo(cl_event event, cl_uint what, size_t room, void *to, size_t *needed)
{
    (void)event;
    const cl_ulong ns = what == CL_PROFILING_COMMAND_END ? 3000 : 1000;
    return answer(&ns, sizeof ns, room, to, needed);
}

cl_int clReleaseEvent(cl_event event)
{
    (void)event;
    return CL_SUCCESS;
}

cl_int clFlush(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}
