/* Apple's frameworks and libraries, by name, at run time.
 *
 * On other systems the environment variable YOKE_APPLE_STANDINS may name a folder of stand-ins for
 * tests: FOLDER/libNAME.so for each (libFoundation.so, libAppleNeuralEngine.so, ...), with GNU's
 * libobjc.so.4 as the runtime. On macOS it is not read. */
#ifndef APPLE_FRAMEWORK_H
#define APPLE_FRAMEWORK_H

#include <stdbool.h>

#include "yoke/status.h"

/* Opens "objc" (the runtime), "System" (libSystem), "IOReport", "Foundation", "CoreFoundation",
 * "IOSurface", "IOKit", "Accelerate", "CoreML", "Metal", "MetalPerformanceShaders" or
 * "AppleNeuralEngine"; it stays loaded. Errors: YOKE_ERR_UNSUPPORTED, naming it. */
yoke_status apple_framework_open(const char *name, void **library, yoke_error *err);

/* Stores the C function of that name; `function` points to a function pointer.
 * Errors: YOKE_ERR_UNSUPPORTED, naming both. */
yoke_status apple_framework_function(void *library, const char *framework, const char *name,
                                     void *function, yoke_error *err);

/* Are stand-ins in use? */
bool apple_framework_standin(void);

#endif
