/* One stand-in framework under the tests of a program, and what they must leave behind: nothing. */
#ifndef UNIT_STANDIN_FRAMEWORK_H
#define UNIT_STANDIN_FRAMEWORK_H

#include "apple/framework.h"
#include "apple/runtime.h"
#include "standin/apple/standins.h"

static apple objc;
static void *pool; /* the stand-in for CoreFoundation autoreleases */

/* *set becomes the stand-in's function of that name; -1 when there is none. */
static inline int standin_open(const char *framework, const char *name, void *set)
{
    void *library;
    if (apple_load(&objc, NULL) != YOKE_OK ||
        apple_framework_open(framework, &library, NULL) != YOKE_OK ||
        apple_framework_function(library, framework, name, set, NULL) != YOKE_OK)
        return -1;
    pool = apple_pool_push(&objc);
    return 0;
}

static inline int nothing_is_left(void **state)
{
    (void)state;
    apple_pool_pop(&objc, pool);
    if (*standins_live())
        print_error("still alive: %s\n", standins_live());
    return *standins_live() ? -1 : 0;
}

#endif
