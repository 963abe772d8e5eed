/* The Objective-C runtime, loaded at run time and called from C: no header of Apple's is needed to
 * build, and nothing of it to start.
 *
 * A method is called through a typed pointer to its implementation, which both Apple's runtime and
 * GNU's give (objc_msgSend is Apple's alone). Where objects come "autoreleased" they live until the
 * pool around the call is popped: open one in every entry that calls here, on the same thread. */
#ifndef APPLE_RUNTIME_H
#define APPLE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yoke/status.h"

typedef struct apple_object *apple_id; /* an object, or a class as receiver; NULL is nil */
typedef struct apple_selector *apple_sel;
typedef void (*apple_imp)(void);  /* cast it to the method's type: self, selector, arguments */
typedef unsigned char apple_bool; /* BOOL is one byte everywhere; what lies above it is not set */

typedef struct apple {
    bool standin; /* test stand-ins on another system: whatever they compute is simulated */
    apple_id (*objc_getClass)(const char *);
    apple_sel (*sel_registerName)(const char *);
    apple_imp (*class_getMethodImplementation)(apple_id, apple_sel);
    apple_bool (*class_respondsToSelector)(apple_id, apple_sel);
    void *(*class_getInstanceMethod)(apple_id, apple_sel);
    const char *(*method_getTypeEncoding)(void *);
    apple_id (*object_getClass)(apple_id);       /* NULL in GNU's */
    void *(*objc_autoreleasePoolPush)(void);     /* NULL in GNU's, */
    void (*objc_autoreleasePoolPop)(void *pool); /*   and this */
} apple;

/* Loads the runtime and Foundation. They stay loaded: Objective-C code cannot be unloaded.
 * Errors: YOKE_ERR_UNSUPPORTED, with the reason ("needs macOS on Apple silicon"). */
yoke_status apple_load(apple *a, yoke_error *err);

/* The class of that name; NULL when there is none. */
apple_id apple_class(const apple *a, const char *name);

/* The class of an object, the metaclass of a class. */
apple_id apple_class_of(const apple *a, apple_id object);

/* Does the receiver (an object or a class) have that method? False for nil. */
bool apple_responds(const apple *a, apple_id receiver, const char *selector);

/* What to call for a message, and the selector to pass as second argument; NULL for nil and for a
 * receiver that has no such method. */
apple_imp apple_method(const apple *a, apple_id receiver, const char *selector, apple_sel *sel);

/* Messages of the most common shapes. 0 for nil and where there is no such method. */
apple_id apple_send(const apple *a, apple_id receiver, const char *selector);
apple_id apple_send_id(const apple *a, apple_id receiver, const char *selector, apple_id argument);
bool apple_send_bool(const apple *a, apple_id receiver, const char *selector);
uint32_t apple_send_u32(const apple *a, apple_id receiver, const char *selector);
uint64_t apple_send_u64(const apple *a, apple_id receiver, const char *selector);

/* retain and release; nil is allowed. */
apple_id apple_retain(const apple *a, apple_id object);
void apple_release(const apple *a, apple_id object);

/* A pool for what is autoreleased until it is popped, on the same thread, innermost first. */
void *apple_pool_push(const apple *a);
void apple_pool_pop(const apple *a, void *pool);

#endif
