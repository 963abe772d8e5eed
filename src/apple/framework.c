#include "apple/framework.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 4096

#ifdef __APPLE__

#define PUBLIC  "/System/Library/Frameworks/"
#define PRIVATE "/System/Library/PrivateFrameworks/"

/* Most of these are in the system's shared cache and not on disk: only dlopen finds them. */
static const struct {
    const char *name, *path;
} frameworks[] = {
    {"objc", "/usr/lib/libobjc.A.dylib"},
    {"System", "/usr/lib/libSystem.B.dylib"},
    {"IOReport", "/usr/lib/libIOReport.dylib"},
    {"Foundation", PUBLIC "Foundation.framework/Foundation"},
    {"CoreFoundation", PUBLIC "CoreFoundation.framework/CoreFoundation"},
    {"IOSurface", PUBLIC "IOSurface.framework/IOSurface"},
    {"IOKit", PUBLIC "IOKit.framework/IOKit"},
    {"Accelerate", PUBLIC "Accelerate.framework/Accelerate"},
    {"CoreML", PUBLIC "CoreML.framework/CoreML"},
    {"Metal", PUBLIC "Metal.framework/Metal"},
    {"MetalPerformanceShaders", PUBLIC "MetalPerformanceShaders.framework/MetalPerformanceShaders"},
    {"AppleNeuralEngine", PRIVATE "AppleNeuralEngine.framework/AppleNeuralEngine"},
};

bool apple_framework_standin(void)
{
    return false;
}

static bool find_path(const char *name, char path[PATH_BYTES])
{
    for (size_t i = 0; i < sizeof frameworks / sizeof frameworks[0]; i++) {
        if (strcmp(frameworks[i].name, name) == 0) {
            snprintf(path, PATH_BYTES, "%s", frameworks[i].path);
            return true;
        }
    }
    return false;
}

#else

static const char *standin_folder(void)
{
    const char *folder = getenv("YOKE_APPLE_STANDINS");
    return folder && *folder ? folder : NULL;
}

bool apple_framework_standin(void)
{
    return standin_folder() != NULL;
}

static bool find_path(const char *name, char path[PATH_BYTES])
{
    const char *folder = standin_folder();
    if (!folder)
        return false;
    int length = strcmp(name, "objc") == 0
                     ? snprintf(path, PATH_BYTES, "libobjc.so.4")
                     : snprintf(path, PATH_BYTES, "%s/lib%s.so", folder, name);
    return length > 0 && length < PATH_BYTES;
}

#endif

yoke_status apple_framework_open(const char *name, void **library, yoke_error *err)
{
    char path[PATH_BYTES];
    if (!find_path(name, path))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "needs macOS on Apple silicon");
    *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    if (*library)
        return YOKE_OK;
    const char *why = dlerror();
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "framework %s cannot be loaded: %s", name,
                          why ? why : path);
}

yoke_status apple_framework_function(void *library, const char *framework, const char *name,
                                     void *function, yoke_error *err)
{
    void *symbol = dlsym(library, name);
    if (!symbol)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "framework %s has no function %s",
                              framework, name);
    memcpy(function, &symbol, sizeof symbol); /* ISO C has no cast between the two */
    return YOKE_OK;
}
