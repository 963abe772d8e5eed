/* The part of OpenCL 1.2 that is used, by the names and values of its specification. The ICD loader
 * is found at run time: nothing of OpenCL is needed to build or to start. */
#ifndef OPENCL_API_H
#define OPENCL_API_H

#include <stddef.h>
#include <stdint.h>

#include "yoke/status.h"

typedef int32_t cl_int;
typedef uint32_t cl_uint, cl_bool;
typedef uint64_t cl_ulong, cl_bitfield;
typedef struct ocl_platform *cl_platform_id;
typedef struct ocl_device *cl_device_id;
typedef struct ocl_context *cl_context;
typedef struct ocl_queue *cl_command_queue;
typedef struct ocl_memory *cl_mem;
typedef struct ocl_program *cl_program;
typedef struct ocl_kernel *cl_kernel;
typedef struct ocl_event *cl_event;

enum {
    CL_SUCCESS = 0,
    CL_COMPLETE = 0,
    CL_DEVICE_NOT_FOUND = -1,
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14,
    CL_PLATFORM_NOT_FOUND_KHR = -1001,

    CL_PLATFORM_NAME = 0x0902,

    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_ENDIAN_LITTLE = 0x1026,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102B,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
    CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT = 0x103A,
    CL_DEVICE_PARTITION_EQUALLY = 0x1086,

    CL_FP_DENORM = 1 << 0,
    CL_QUEUE_PROFILING_ENABLE = 1 << 1,

    CL_MEM_READ_WRITE = 1 << 0,
    CL_MEM_READ_ONLY = 1 << 2,
    CL_MEM_USE_HOST_PTR = 1 << 3,
    CL_MEM_ALLOC_HOST_PTR = 1 << 4,

    CL_MAP_READ = 1 << 0,
    CL_MAP_WRITE_INVALIDATE_REGION = 1 << 2,

    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_QUEUE_REFERENCE_COUNT = 0x1092,
    CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3,
    CL_PROFILING_COMMAND_START = 0x1282,
    CL_PROFILING_COMMAND_END = 0x1283
};

#define CL_DEVICE_TYPE_CPU ((cl_bitfield)1 << 1)
#define CL_DEVICE_TYPE_GPU ((cl_bitfield)1 << 2)
#define CL_DEVICE_TYPE_ALL ((cl_bitfield)0xFFFFFFFF)

/* X(result, name, parameters) for every function. */
#define API_FUNCTIONS(X)                                                                           \
    X(cl_int, clGetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *))                            \
    X(cl_int, clGetPlatformInfo, (cl_platform_id, cl_uint, size_t, void *, size_t *))              \
    X(cl_int, clGetDeviceIDs, (cl_platform_id, cl_bitfield, cl_uint, cl_device_id *, cl_uint *))   \
    X(cl_int, clGetDeviceInfo, (cl_device_id, cl_uint, size_t, void *, size_t *))                  \
    X(cl_int, clCreateSubDevices,                                                                  \
      (cl_device_id, const intptr_t *, cl_uint, cl_device_id *, cl_uint *))                        \
    X(cl_int, clReleaseDevice, (cl_device_id))                                                     \
    X(cl_context, clCreateContext,                                                                 \
      (const intptr_t *, cl_uint, const cl_device_id *,                                            \
       void (*)(const char *, const void *, size_t, void *), void *, cl_int *))                    \
    X(cl_int, clReleaseContext, (cl_context))                                                      \
    X(cl_command_queue, clCreateCommandQueue, (cl_context, cl_device_id, cl_bitfield, cl_int *))   \
    X(cl_int, clGetCommandQueueInfo, (cl_command_queue, cl_uint, size_t, void *, size_t *))        \
    X(cl_int, clReleaseCommandQueue, (cl_command_queue))                                           \
    X(cl_mem, clCreateBuffer, (cl_context, cl_bitfield, size_t, void *, cl_int *))                 \
    X(cl_int, clReleaseMemObject, (cl_mem))                                                        \
    X(cl_program, clCreateProgramWithSource,                                                       \
      (cl_context, cl_uint, const char **, const size_t *, cl_int *))                              \
    X(cl_int, clBuildProgram,                                                                      \
      (cl_program, cl_uint, const cl_device_id *, const char *, void (*)(cl_program, void *),      \
       void *))                                                                                    \
    X(cl_int, clGetProgramBuildInfo,                                                               \
      (cl_program, cl_device_id, cl_uint, size_t, void *, size_t *))                               \
    X(cl_int, clReleaseProgram, (cl_program))                                                      \
    X(cl_kernel, clCreateKernel, (cl_program, const char *, cl_int *))                             \
    X(cl_int, clSetKernelArg, (cl_kernel, cl_uint, size_t, const void *))                          \
    X(cl_int, clReleaseKernel, (cl_kernel))                                                        \
    X(cl_int, clEnqueueNDRangeKernel,                                                              \
      (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,       \
       cl_uint, const cl_event *, cl_event *))                                                     \
    X(cl_int, clEnqueueReadBuffer,                                                                 \
      (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *,       \
       cl_event *))                                                                                \
    X(cl_int, clEnqueueWriteBuffer,                                                                \
      (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *, \
       cl_event *))                                                                                \
    X(void *, clEnqueueMapBuffer,                                                                  \
      (cl_command_queue, cl_mem, cl_bool, cl_bitfield, size_t, size_t, cl_uint, const cl_event *,  \
       cl_event *, cl_int *))                                                                      \
    X(cl_int, clEnqueueUnmapMemObject,                                                             \
      (cl_command_queue, cl_mem, void *, cl_uint, const cl_event *, cl_event *))                   \
    X(cl_int, clWaitForEvents, (cl_uint, const cl_event *))                                        \
    X(cl_int, clGetEventInfo, (cl_event, cl_uint, size_t, void *, size_t *))                       \
    X(cl_int, clGetEventProfilingInfo, (cl_event, cl_uint, size_t, void *, size_t *))              \
    X(cl_int, clReleaseEvent, (cl_event))                                                          \
    X(cl_int, clFlush, (cl_command_queue))                                                         \
    X(cl_int, clFinish, (cl_command_queue))

typedef struct api {
    void *library;
#define X(result, name, parameters) result(*name) parameters;
    API_FUNCTIONS(X)
#undef X
} api;

/* Loads the ICD loader at `path`, or where systems keep it when path is NULL.
 * Errors: YOKE_ERR_UNSUPPORTED, with the reason. */
yoke_status api_load(const char *path, api *cl, yoke_error *err);

/* Drivers with threads of their own do not survive being unloaded: the code stays. */
void api_unload(api *cl);

/* "CL_OUT_OF_RESOURCES"; "OpenCL error" for a code that OpenCL 1.2 does not know. Static. */
const char *api_error_name(cl_int code);

#endif
