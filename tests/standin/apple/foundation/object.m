#include <stdio.h>
#include <stdlib.h>

#include "control.h"
#include "foundation.h"
#include "pool.h"

@implementation NSObject

+ (id)alloc
{
    NSObject *object = class_createInstance(self, 0);
    if (!object)
        abort();
    object->references = 1;
    standin_count(class_getName(self), 1);
    return object;
}

+ (id)new
{
    return [[self alloc] init];
}

+ (Class)class
{
    return self;
}

- (id)init
{
    return self;
}

- (id)retain
{
    __atomic_fetch_add(&references, 1, __ATOMIC_RELAXED);
    return self;
}

- (void)release
{
    const unsigned before = __atomic_fetch_sub(&references, 1, __ATOMIC_ACQ_REL);
    if (before == 0)
        abort(); /* released too often */
    if (before == 1)
        [self dealloc];
}

- (id)autorelease
{
    pool_add(self);
    return self;
}

- (void)dealloc
{
    standin_count(class_getName(isa), -1);
    object_dispose(self);
}

- (NSUInteger)retainCount
{
    return __atomic_load_n(&references, __ATOMIC_RELAXED);
}

- (Class)class
{
    return isa;
}

- (bool)isKindOfClass:(Class)kind
{
    for (Class at = isa; at; at = class_getSuperclass(at))
        if (at == kind)
            return true;
    return false;
}

- (bool)isEqual:(id)other
{
    return self == other;
}

- (NSUInteger)hash
{
    return (NSUInteger)(uintptr_t)self;
}

- (NSString *)description
{
    return standin_string("<%s: %p>", class_getName(isa), (void *)self);
}

- (void)doesNotRecognizeSelector:(SEL)selector
{
    fprintf(stderr, "stand-in: %s does not know %s\n", class_getName(isa), sel_getName(selector));
    abort();
}

@end

void *standin_immortal(void *object)
{
    standin_count(class_getName(*(Class *)object), -1);
    return object;
}
