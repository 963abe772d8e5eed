/* Which classes and methods an engine needs, checked before the first of them is called: private
 * frameworks change without notice, and a call by the wrong types is a crash. */
#ifndef APPLE_NEEDS_H
#define APPLE_NEEDS_H

#include "apple/runtime.h"

/* A method and its types: result, arguments (self and the selector left out), as the runtime
 * encodes them, but B for every one-byte type and ^ alone for every pointer: BOOL f(uint32_t, id,
 * NSError **) is "BI@^". */
typedef struct apple_need {
    const char *class_name;
    bool of_class; /* a class method */
    bool optional; /* it may be missing, but not be of other types */
    const char *selector;
    const char *types;
} apple_need;

/* Errors: YOKE_ERR_UNSUPPORTED: "class _ANEInMemoryModel lacks compileWithQoS:options:error:". */
yoke_status apple_needs_check(const apple *a, const apple_need *needs, size_t count,
                              yoke_error *err);

/* Reduces the runtime's encoding of a method ("B36@0:8I16@20^@28") to the form above, without self
 * and the selector. False when it does not fit or is not understood. */
bool apple_needs_reduce(const char *encoding, char *out, size_t capacity);

#endif
