#include "engines/ane/framework.h"

#include "apple/foundation.h"
#include "apple/framework.h"
#include "apple/needs.h"

#define DESCRIPTOR "_ANEInMemoryModelDescriptor"
#define MODEL      "_ANEInMemoryModel"
#define REQUEST    "_ANERequest"
#define SURFACE    "_ANEIOSurfaceObject"
#define STATISTICS "_ANEPerformanceStats"
#define DEVICE     "_ANEDeviceInfo"

static const apple_need needs[] = {
    {DESCRIPTOR, true, false, "modelWithMILText:weights:optionsPlist:", "@@@@"},
    {MODEL, true, false, "inMemoryModelWithDescriptor:", "@@"},
    {MODEL, false, false, "hexStringIdentifier", "@"},
    {MODEL, false, false, "localModelPath", "@"},
    {MODEL, false, false, "compileWithQoS:options:error:", "BI@^"},
    {MODEL, false, false, "loadWithQoS:options:error:", "BI@^"},
    {MODEL, false, false, "evaluateWithQoS:options:request:error:", "BI@@^"},
    {MODEL, false, false, "unloadWithQoS:error:", "BI^"},
    {REQUEST, true, false,
     "requestWithInputs:inputIndices:outputs:outputIndices:weightsBuffer:perfStats:procedureIndex:",
     "@@@@@@@@"},
    {SURFACE, true, false, "objectWithIOSurface:", "@^"},
    {MODEL, false, true, "compiledModelExists", "B"},
    {MODEL, false, true, "modelAttributes", "@"},
    {MODEL, false, true, "model", "@"},
    {MODEL, false, true, "setPerfStatsMask:", "vI"},
    {REQUEST, false, true, "setPerfStats:", "v@"},
    {REQUEST, false, true, "perfStats", "@"},
    {STATISTICS, true, true, "statsWithHardwareExecutionNS:", "@Q"},
    {STATISTICS, false, true, "hwExecutionTime", "Q"},
    {DEVICE, true, true, "hasANE", "B"},
    {DEVICE, true, true, "isVirtualMachine", "B"},
    {DEVICE, true, true, "aneArchitectureType", "@"},
};

static yoke_status load_functions(ane_framework *f, yoke_error *err)
{
    void *surface = NULL, *foundation = NULL;
    yoke_status status = apple_framework_open("IOSurface", &surface, err);
    if (status == YOKE_OK)
        status = apple_framework_open("CoreFoundation", &foundation, err);
    const struct {
        void *library;
        const char *framework, *name;
        void *function;
    } functions[] = {
        {surface, "IOSurface", "IOSurfaceCreate", &f->IOSurfaceCreate},
        {surface, "IOSurface", "IOSurfaceLock", &f->IOSurfaceLock},
        {surface, "IOSurface", "IOSurfaceUnlock", &f->IOSurfaceUnlock},
        {surface, "IOSurface", "IOSurfaceGetBaseAddress", &f->IOSurfaceGetBaseAddress},
        {surface, "IOSurface", "IOSurfaceGetAllocSize", &f->IOSurfaceGetAllocSize},
        {foundation, "CoreFoundation", "CFRelease", &f->CFRelease},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions && status == YOKE_OK; i++)
        status = apple_framework_function(functions[i].library, functions[i].framework,
                                          functions[i].name, functions[i].function, err);
    return status;
}

yoke_status ane_framework_load(ane_framework *f, yoke_error *err)
{
    void *library;
    yoke_status status = apple_load(&f->objc, err);
    if (status == YOKE_OK)
        status = load_functions(f, err);
    if (status == YOKE_OK)
        status = apple_framework_open("AppleNeuralEngine", &library, err);
    if (status == YOKE_OK)
        status = apple_needs_check(&f->objc, needs, sizeof needs / sizeof *needs, err);
    return status;
}

yoke_status ane_framework_device(const ane_framework *f, ane_device *out, yoke_error *err)
{
    *out = (ane_device){.engines = 0};
    const apple *a = &f->objc;
    void *pool = apple_pool_push(a);
    apple_id info = apple_class(a, DEVICE);
    yoke_status status = YOKE_OK;
    if (apple_send_bool(a, info, "isVirtualMachine"))
        status = yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                                "virtual machine: the Neural Engine is not passed through");
    else if (apple_responds(a, info, "hasANE") && !apple_send_bool(a, info, "hasANE"))
        status = yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "this Mac has no Neural Engine");
    out->engines = apple_send_u32(a, info, "numANEs");
    out->cores = apple_send_u32(a, info, "numANECores");
    apple_text(a, apple_send(a, info, "aneArchitectureType"), out->architecture,
               sizeof out->architecture);
    apple_pool_pop(a, pool);
    return status;
}
