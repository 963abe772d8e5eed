#include "engines/opencl/api.h"

#include <dlfcn.h>
#include <string.h>

#ifdef __APPLE__
static const char *const loaders[] = {"/System/Library/Frameworks/OpenCL.framework/OpenCL"};
#else
static const char *const loaders[] = {"libOpenCL.so.1", "libOpenCL.so",
                                      "/vendor/lib64/libOpenCL.so"};
#endif

static void *open_library(const char *path)
{
    const int how = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
    if (path)
        return dlopen(path, how);
    void *library = NULL;
    for (size_t i = 0; i < sizeof loaders / sizeof loaders[0] && !library; i++)
        library = dlopen(loaders[i], how);
    return library;
}

/* Stores the function of that name; ISO C has no cast from an object to a function pointer. */
static yoke_status find_function(void *library, const char *name, void *function, yoke_error *err)
{
    void *symbol = dlsym(library, name);
    if (!symbol)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "the OpenCL loader has no %s: it is older than OpenCL 1.2", name);
    memcpy(function, &symbol, sizeof symbol);
    return YOKE_OK;
}

yoke_status api_load(const char *path, api *cl, yoke_error *err)
{
    *cl = (api){.library = open_library(path)};
    if (!cl->library && path) {
        const char *why = dlerror();
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "OpenCL loader %s: %s", path,
                              why ? why : "cannot be loaded");
    }
    if (!cl->library)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "no OpenCL loader is installed (%s): it comes with a driver or as "
                              "ocl-icd",
                              loaders[0]);
    yoke_status status = YOKE_OK;
#define X(result, name, parameters)                                                                \
    if (status == YOKE_OK)                                                                         \
        status = find_function(cl->library, #name, &cl->name, err);
    API_FUNCTIONS(X)
#undef X
    if (status != YOKE_OK)
        api_unload(cl);
    return status;
}

void api_unload(api *cl)
{
    if (cl->library)
        dlclose(cl->library);
    cl->library = NULL;
}

/* The codes of OpenCL 1.2: 0 .. -19, then -30 .. -68. */
static const char *const early_names[] = {
    "CL_SUCCESS",
    "CL_DEVICE_NOT_FOUND",
    "CL_DEVICE_NOT_AVAILABLE",
    "CL_COMPILER_NOT_AVAILABLE",
    "CL_MEM_OBJECT_ALLOCATION_FAILURE",
    "CL_OUT_OF_RESOURCES",
    "CL_OUT_OF_HOST_MEMORY",
    "CL_PROFILING_INFO_NOT_AVAILABLE",
    "CL_MEM_COPY_OVERLAP",
    "CL_IMAGE_FORMAT_MISMATCH",
    "CL_IMAGE_FORMAT_NOT_SUPPORTED",
    "CL_BUILD_PROGRAM_FAILURE",
    "CL_MAP_FAILURE",
    "CL_MISALIGNED_SUB_BUFFER_OFFSET",
    "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
    "CL_COMPILE_PROGRAM_FAILURE",
    "CL_LINKER_NOT_AVAILABLE",
    "CL_LINK_PROGRAM_FAILURE",
    "CL_DEVICE_PARTITION_FAILED",
    "CL_KERNEL_ARG_INFO_NOT_AVAILABLE",
};
static const char *const later_names[] = {
    "CL_INVALID_VALUE",
    "CL_INVALID_DEVICE_TYPE",
    "CL_INVALID_PLATFORM",
    "CL_INVALID_DEVICE",
    "CL_INVALID_CONTEXT",
    "CL_INVALID_QUEUE_PROPERTIES",
    "CL_INVALID_COMMAND_QUEUE",
    "CL_INVALID_HOST_PTR",
    "CL_INVALID_MEM_OBJECT",
    "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
    "CL_INVALID_IMAGE_SIZE",
    "CL_INVALID_SAMPLER",
    "CL_INVALID_BINARY",
    "CL_INVALID_BUILD_OPTIONS",
    "CL_INVALID_PROGRAM",
    "CL_INVALID_PROGRAM_EXECUTABLE",
    "CL_INVALID_KERNEL_NAME",
    "CL_INVALID_KERNEL_DEFINITION",
    "CL_INVALID_KERNEL",
    "CL_INVALID_ARG_INDEX",
    "CL_INVALID_ARG_VALUE",
    "CL_INVALID_ARG_SIZE",
    "CL_INVALID_KERNEL_ARGS",
    "CL_INVALID_WORK_DIMENSION",
    "CL_INVALID_WORK_GROUP_SIZE",
    "CL_INVALID_WORK_ITEM_SIZE",
    "CL_INVALID_GLOBAL_OFFSET",
    "CL_INVALID_EVENT_WAIT_LIST",
    "CL_INVALID_EVENT",
    "CL_INVALID_OPERATION",
    "CL_INVALID_GL_OBJECT",
    "CL_INVALID_BUFFER_SIZE",
    "CL_INVALID_MIP_LEVEL",
    "CL_INVALID_GLOBAL_WORK_SIZE",
    "CL_INVALID_PROPERTY",
    "CL_INVALID_IMAGE_DESCRIPTOR",
    "CL_INVALID_COMPILER_OPTIONS",
    "CL_INVALID_LINKER_OPTIONS",
    "CL_INVALID_DEVICE_PARTITION_COUNT",
};

#define COUNT(array) (cl_int)(sizeof(array) / sizeof(array)[0])

const char *api_error_name(cl_int code)
{
    if (code <= 0 && code > -COUNT(early_names))
        return early_names[-code];
    if (code <= -30 && code > -30 - COUNT(later_names))
        return later_names[-30 - code];
    return code == CL_PLATFORM_NOT_FOUND_KHR ? "CL_PLATFORM_NOT_FOUND_KHR" : "OpenCL error";
}
