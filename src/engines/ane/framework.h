/* What the engine calls: AppleNeuralEngine by the Objective-C runtime, IOSurface as C functions. */
#ifndef ANE_FRAMEWORK_H
#define ANE_FRAMEWORK_H

#include "apple/runtime.h"

enum { ANE_QOS = 21 }; /* the default quality of service: others made no difference */

typedef struct ane_framework {
    apple objc;
    apple_id (*IOSurfaceCreate)(apple_id properties);
    int32_t (*IOSurfaceLock)(apple_id surface, uint32_t options, uint32_t *seed);
    int32_t (*IOSurfaceUnlock)(apple_id surface, uint32_t options, uint32_t *seed);
    void *(*IOSurfaceGetBaseAddress)(apple_id surface);
    size_t (*IOSurfaceGetAllocSize)(apple_id surface);
    void (*CFRelease)(apple_id object);
} ane_framework;

/* Loads all of it and checks that every class and method is there with the types we call it by.
 * Errors: YOKE_ERR_UNSUPPORTED, with what is missing. */
yoke_status ane_framework_load(ane_framework *f, yoke_error *err);

/* What the framework says of the device; 0 and "" where it does not. */
typedef struct ane_device {
    unsigned engines, cores; /* cores of all engines */
    char architecture[32];   /* "h16g" */
} ane_device;

/* Errors: YOKE_ERR_UNSUPPORTED: no Neural Engine here, and why. */
yoke_status ane_framework_device(const ane_framework *f, ane_device *out, yoke_error *err);

#endif
