#include "engines/metal/api.h"

#include "apple/framework.h"
#include "apple/needs.h"

enum { STORAGE_SHARED = 0 }; /* MTLResourceStorageModeShared */

static const apple_need needs[] = {
    {"MPSMatrixDescriptor", true, false,
     "matrixDescriptorWithRows:columns:rowBytes:dataType:", "@QQQI"},
    {"MPSMatrix", false, false, "initWithBuffer:offset:descriptor:", "@@Q@"},
    {"MPSMatrixMultiplication", false, false,
     "initWithDevice:transposeLeft:transposeRight:resultRows:resultColumns:interiorColumns:alpha:"
     "beta:",
     "@@BBQQQdd"},
    {"MPSMatrixMultiplication", false, false,
     "encodeToCommandBuffer:leftMatrix:rightMatrix:resultMatrix:", "v@@@@"},
    {"MPSVectorDescriptor", true, false, "vectorDescriptorWithLength:dataType:", "@QI"},
    {"MPSVector", false, false, "initWithBuffer:descriptor:", "@@@"},
    {"MPSMatrixVectorMultiplication", false, false,
     "initWithDevice:transpose:rows:columns:alpha:beta:", "@@BQQdd"},
    {"MPSMatrixVectorMultiplication", false, false,
     "encodeToCommandBuffer:inputMatrix:inputVector:resultVector:", "v@@@@"},
    {"MTLCompileOptions", false, true, "setFastMathEnabled:", "vB"},
};

static yoke_status load_functions(metal_api *api, yoke_error *err)
{
    static const char metal[] = "Metal", mps[] = "MetalPerformanceShaders";
    void *library;
    yoke_status status = apple_framework_open(metal, &library, err);
    if (status == YOKE_OK)
        status = apple_framework_function(library, metal, "MTLCreateSystemDefaultDevice",
                                          &api->create_device, err);
    if (status == YOKE_OK)
        status = apple_framework_open(mps, &library, err);
    if (status == YOKE_OK)
        status =
            apple_framework_function(library, mps, "MPSSupportsMTLDevice", &api->mps_supports, err);
    return status;
}

yoke_status metal_api_load(metal_api *api, yoke_error *err)
{
    *api = (metal_api){0};
    yoke_status status = apple_load(&api->objc, err);
    if (status == YOKE_OK)
        status = load_functions(api, err);
    if (status == YOKE_OK)
        status = apple_needs_check(&api->objc, needs, sizeof needs / sizeof needs[0], err);
    return status;
}

static yoke_status check_messages(const apple *a, apple_id receiver, const char *what,
                                  const char *const *selectors, yoke_error *err)
{
    if (!receiver)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "the device gives no %s", what);
    for (; *selectors; selectors++)
        if (!apple_responds(a, receiver, *selectors))
            return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "the %s lacks %s", what, *selectors);
    return YOKE_OK;
}

yoke_status metal_api_check(const metal_api *api, apple_id device, apple_id queue, yoke_error *err)
{
    /* The classes of these differ from driver to driver: the objects themselves are asked. */
    static const char *const of_device[] = {
        "newBufferWithLength:options:", "newBufferWithBytesNoCopy:length:options:deallocator:",
        "newLibraryWithSource:options:error:", "newComputePipelineStateWithFunction:error:", NULL};
    static const char *const of_queue[] = {"commandBuffer", NULL};
    static const char *const of_buffer[] = {
        "commit", "status", "error", "waitUntilCompleted", "computeCommandEncoder", NULL};
    const apple *a = &api->objc;
    yoke_status status = check_messages(a, device, "device", of_device, err);
    if (status == YOKE_OK)
        status = check_messages(a, queue, "command queue", of_queue, err);
    if (status == YOKE_OK)
        status = check_messages(a, apple_send(a, queue, "commandBuffer"), "command buffer",
                                of_buffer, err);
    return status;
}

apple_id metal_buffer_new(const metal_api *api, apple_id device, size_t bytes)
{
    typedef apple_id call(apple_id, apple_sel, unsigned long, unsigned long);
    apple_sel sel;
    call *method = (call *)apple_method(&api->objc, device, "newBufferWithLength:options:", &sel);
    return method ? method(device, sel, bytes, STORAGE_SHARED) : NULL;
}

apple_id metal_buffer_new_over(const metal_api *api, apple_id device, void *pages, size_t bytes)
{
    typedef apple_id call(apple_id, apple_sel, void *, unsigned long, unsigned long, void *);
    apple_sel sel;
    call *method = (call *)apple_method(
        &api->objc, device, "newBufferWithBytesNoCopy:length:options:deallocator:", &sel);
    return method ? method(device, sel, pages, bytes, STORAGE_SHARED, NULL) : NULL;
}

void *metal_buffer_contents(const metal_api *api, apple_id buffer)
{
    return apple_send(&api->objc, buffer, "contents");
}

/* nil where the class, or its switch, is missing: the defaults. */
static apple_id exact_options(const apple *a)
{
    typedef void call(apple_id, apple_sel, apple_bool);
    apple_sel sel;
    apple_id options = apple_send(a, apple_class(a, "MTLCompileOptions"), "new");
    call *method = (call *)apple_method(a, options, "setFastMathEnabled:", &sel);
    if (method)
        method(options, sel, 0);
    return options;
}

apple_id metal_library_new(const metal_api *api, apple_id device, const char *source,
                           apple_id *error)
{
    typedef apple_id call(apple_id, apple_sel, apple_id, apple_id, apple_id *);
    const apple *a = &api->objc;
    apple_sel sel;
    call *method = (call *)apple_method(a, device, "newLibraryWithSource:options:error:", &sel);
    apple_id options = exact_options(a);
    *error = NULL;
    apple_id library = method(device, sel, apple_string(a, source), options, error);
    apple_release(a, options);
    return library;
}

apple_id metal_pipeline_new(const metal_api *api, apple_id device, apple_id library,
                            const char *function, apple_id *error)
{
    typedef apple_id call(apple_id, apple_sel, apple_id, apple_id *);
    const apple *a = &api->objc;
    apple_sel sel;
    apple_id found = apple_send_id(a, library, "newFunctionWithName:", apple_string(a, function));
    call *method =
        (call *)apple_method(a, device, "newComputePipelineStateWithFunction:error:", &sel);
    *error = NULL;
    apple_id pipeline = found ? method(device, sel, found, error) : NULL;
    apple_release(a, found);
    return pipeline;
}

void metal_set_buffer(const metal_api *api, apple_id encoder, apple_id buffer, unsigned index)
{
    typedef void call(apple_id, apple_sel, apple_id, unsigned long, unsigned long);
    apple_sel sel;
    call *method = (call *)apple_method(&api->objc, encoder, "setBuffer:offset:atIndex:", &sel);
    if (method)
        method(encoder, sel, buffer, 0, index);
}

void metal_set_bytes(const metal_api *api, apple_id encoder, const void *bytes, size_t count,
                     unsigned index)
{
    typedef void call(apple_id, apple_sel, const void *, unsigned long, unsigned long);
    apple_sel sel;
    call *method = (call *)apple_method(&api->objc, encoder, "setBytes:length:atIndex:", &sel);
    if (method)
        method(encoder, sel, bytes, count, index);
}

void metal_set_pipeline(const metal_api *api, apple_id encoder, apple_id pipeline)
{
    typedef void call(apple_id, apple_sel, apple_id);
    apple_sel sel;
    call *method = (call *)apple_method(&api->objc, encoder, "setComputePipelineState:", &sel);
    if (method)
        method(encoder, sel, pipeline);
}

void metal_dispatch(const metal_api *api, apple_id encoder, metal_size groups, metal_size threads)
{
    typedef void call(apple_id, apple_sel, metal_size, metal_size);
    apple_sel sel;
    call *method = (call *)apple_method(&api->objc, encoder,
                                        "dispatchThreadgroups:threadsPerThreadgroup:", &sel);
    if (method)
        method(encoder, sel, groups, threads);
}

double metal_seconds(const metal_api *api, apple_id command_buffer, const char *selector)
{
    typedef double call(apple_id, apple_sel);
    apple_sel sel;
    call *method = (call *)apple_method(&api->objc, command_buffer, selector, &sel);
    return method ? method(command_buffer, sel) : 0;
}
