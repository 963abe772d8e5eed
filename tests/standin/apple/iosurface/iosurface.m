#include <stdlib.h>
#include <string.h>

#include "../foundation/control.h"
#include "../foundation/foundation.h"
#include "iosurface.h"

enum { PAGE = 16384, READ_ONLY = 1 };
#define LOCK "lock of an IOSurface"

/* The class of the references: a CFType, which CFRetain and CFRelease take. */
@interface IOSurface : NSObject {
  @public
    void *base;
    size_t bytes, row, width, height;
    uint32_t identifier;
    unsigned locks, read_locks;
}
@end

@implementation IOSurface

- (void)dealloc
{
    free(base);
    [super dealloc];
}

@end

static size_t property(NSDictionary *properties, const char *name)
{
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    const size_t value =
        [[properties objectForKey:standin_string("%s", name)] unsignedLongLongValue];
    [pool drain];
    return value;
}

IOSurfaceRef IOSurfaceCreate(const void *properties)
{
    static uint32_t identifiers;
    NSDictionary *wanted = (NSDictionary *)properties;
    IOSurface *made = [IOSurface alloc];
    made->width = property(wanted, "IOSurfaceWidth");
    made->height = property(wanted, "IOSurfaceHeight");
    made->row = property(wanted, "IOSurfaceBytesPerRow");
    const size_t element = property(wanted, "IOSurfaceBytesPerElement");
    if (made->row == 0)
        made->row = made->width * (element ? element : 1);
    made->bytes = property(wanted, "IOSurfaceAllocSize");
    if (made->bytes == 0)
        made->bytes = made->row * made->height;
    const size_t whole = (made->bytes + PAGE - 1) / PAGE * PAGE;
    const bool fits = made->row * made->height <= made->bytes && made->bytes > 0;
    if (!fits || standin_switch("surface_fails") || !(made->base = aligned_alloc(PAGE, whole))) {
        [made release];
        return NULL;
    }
    memset(made->base, 0, whole);
    made->identifier = __atomic_add_fetch(&identifiers, 1, __ATOMIC_RELAXED);
    return (IOSurfaceRef)made;
}

int32_t IOSurfaceLock(IOSurfaceRef surface, uint32_t options, uint32_t *seed)
{
    IOSurface *of = (IOSurface *)surface;
    standin_count(LOCK, 1);
    __atomic_fetch_add(options & READ_ONLY ? &of->read_locks : &of->locks, 1, __ATOMIC_ACQ_REL);
    if (seed)
        *seed = 0;
    return 0;
}

/* An unlock with other options than the lock's is refused (kIOReturnBadArgument). */
int32_t IOSurfaceUnlock(IOSurfaceRef surface, uint32_t options, uint32_t *seed)
{
    IOSurface *of = (IOSurface *)surface;
    unsigned *count = options & READ_ONLY ? &of->read_locks : &of->locks;
    if (seed)
        *seed = 0;
    if (__atomic_load_n(count, __ATOMIC_ACQUIRE) == 0)
        return (int32_t)0xe00002c2;
    __atomic_fetch_sub(count, 1, __ATOMIC_ACQ_REL);
    standin_count(LOCK, -1);
    return 0;
}

void *IOSurfaceGetBaseAddress(IOSurfaceRef surface)
{
    return ((IOSurface *)surface)->base;
}

size_t IOSurfaceGetAllocSize(IOSurfaceRef surface)
{
    return ((IOSurface *)surface)->bytes;
}

size_t IOSurfaceGetBytesPerRow(IOSurfaceRef surface)
{
    return ((IOSurface *)surface)->row;
}

size_t IOSurfaceGetWidth(IOSurfaceRef surface)
{
    return ((IOSurface *)surface)->width;
}

size_t IOSurfaceGetHeight(IOSurfaceRef surface)
{
    return ((IOSurface *)surface)->height;
}

uint32_t IOSurfaceGetID(IOSurfaceRef surface)
{
    return ((IOSurface *)surface)->identifier;
}
