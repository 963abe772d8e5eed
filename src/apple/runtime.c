#include "apple/runtime.h"

#include "apple/framework.h"

static yoke_status find(void *library, const char *name, void *function, yoke_error *err)
{
    return apple_framework_function(library, "objc", name, function, err);
}

yoke_status apple_load(apple *a, yoke_error *err)
{
    *a = (apple){.standin = apple_framework_standin()};
    void *objc, *foundation;
    yoke_status status = apple_framework_open("objc", &objc, err);
    if (status == YOKE_OK)
        status = apple_framework_open("Foundation", &foundation, err);
    if (status == YOKE_OK)
        status = find(objc, "objc_getClass", &a->objc_getClass, err);
    if (status == YOKE_OK)
        status = find(objc, "sel_registerName", &a->sel_registerName, err);
    if (status == YOKE_OK)
        status =
            find(objc, "class_getMethodImplementation", &a->class_getMethodImplementation, err);
    if (status == YOKE_OK)
        status = find(objc, "class_respondsToSelector", &a->class_respondsToSelector, err);
    if (status == YOKE_OK)
        status = find(objc, "class_getInstanceMethod", &a->class_getInstanceMethod, err);
    if (status == YOKE_OK)
        status = find(objc, "method_getTypeEncoding", &a->method_getTypeEncoding, err);
    if (status != YOKE_OK)
        return status;
    if (find(objc, "object_getClass", &a->object_getClass, NULL) != YOKE_OK)
        a->object_getClass = NULL;
    if (find(objc, "objc_autoreleasePoolPush", &a->objc_autoreleasePoolPush, NULL) != YOKE_OK ||
        find(objc, "objc_autoreleasePoolPop", &a->objc_autoreleasePoolPop, NULL) != YOKE_OK)
        a->objc_autoreleasePoolPush = NULL;
    return YOKE_OK;
}

apple_id apple_class(const apple *a, const char *name)
{
    return a->objc_getClass(name);
}

apple_id apple_class_of(const apple *a, apple_id object)
{
    /* GNU's has no such function: there an object begins with its class. Apple's does not. */
    return a->object_getClass ? a->object_getClass(object) : *(apple_id *)(void *)object;
}

apple_imp apple_method(const apple *a, apple_id receiver, const char *selector, apple_sel *sel)
{
    if (!receiver)
        return NULL;
    apple_id class = apple_class_of(a, receiver);
    *sel = a->sel_registerName(selector);
    /* For an unknown selector the implementation is not NULL but one that raises. */
    return a->class_respondsToSelector(class, *sel) ? a->class_getMethodImplementation(class, *sel)
                                                    : NULL;
}

bool apple_responds(const apple *a, apple_id receiver, const char *selector)
{
    apple_sel sel;
    return apple_method(a, receiver, selector, &sel) != NULL;
}

apple_id apple_send(const apple *a, apple_id receiver, const char *selector)
{
    typedef apple_id call(apple_id, apple_sel);
    apple_sel sel;
    call *method = (call *)apple_method(a, receiver, selector, &sel);
    return method ? method(receiver, sel) : NULL;
}

apple_id apple_send_id(const apple *a, apple_id receiver, const char *selector, apple_id argument)
{
    typedef apple_id call(apple_id, apple_sel, apple_id);
    apple_sel sel;
    call *method = (call *)apple_method(a, receiver, selector, &sel);
    return method ? method(receiver, sel, argument) : NULL;
}

bool apple_send_bool(const apple *a, apple_id receiver, const char *selector)
{
    typedef apple_bool call(apple_id, apple_sel);
    apple_sel sel;
    call *method = (call *)apple_method(a, receiver, selector, &sel);
    return method && method(receiver, sel) != 0;
}

uint32_t apple_send_u32(const apple *a, apple_id receiver, const char *selector)
{
    typedef uint32_t call(apple_id, apple_sel);
    apple_sel sel;
    call *method = (call *)apple_method(a, receiver, selector, &sel);
    return method ? method(receiver, sel) : 0;
}

uint64_t apple_send_u64(const apple *a, apple_id receiver, const char *selector)
{
    typedef uint64_t call(apple_id, apple_sel);
    apple_sel sel;
    call *method = (call *)apple_method(a, receiver, selector, &sel);
    return method ? method(receiver, sel) : 0;
}

static void send_void(const apple *a, apple_id receiver, const char *selector)
{
    typedef void call(apple_id, apple_sel);
    apple_sel sel;
    call *method = (call *)apple_method(a, receiver, selector, &sel);
    if (method)
        method(receiver, sel);
}

apple_id apple_retain(const apple *a, apple_id object)
{
    return apple_send(a, object, "retain");
}

/* What goes away with it may autorelease other things, and not every caller has a pool. */
void apple_release(const apple *a, apple_id object)
{
    if (!object)
        return;
    void *pool = apple_pool_push(a);
    send_void(a, object, "release");
    apple_pool_pop(a, pool);
}

void *apple_pool_push(const apple *a)
{
    if (a->objc_autoreleasePoolPush)
        return a->objc_autoreleasePoolPush();
    return apple_send(a, apple_class(a, "NSAutoreleasePool"), "new");
}

void apple_pool_pop(const apple *a, void *pool)
{
    if (a->objc_autoreleasePoolPush)
        a->objc_autoreleasePoolPop(pool);
    else
        send_void(a, pool, "drain");
}
