#include "engines/ane/surface.h"

#include <string.h>

#include "apple/foundation.h"
#include "base/size.h"

#define TILE_BYTES ((size_t)0x4000) /* whole tiles: smaller ones were refused at times */
#define READ_ONLY  1u               /* kIOSurfaceLockReadOnly */

/* Flat: rows and planes are what the program's attributes say. */
static apple_id properties(const apple *a, size_t bytes)
{
    static const char *const names[] = {"IOSurfaceWidth",           "IOSurfaceHeight",
                                        "IOSurfaceBytesPerElement", "IOSurfaceBytesPerRow",
                                        "IOSurfaceAllocSize",       "IOSurfacePixelFormat"};
    const int64_t values[] = {(int64_t)bytes, 1, 1, (int64_t)bytes, (int64_t)bytes, 0};
    enum { COUNT = sizeof names / sizeof *names };
    apple_id keys[COUNT], numbers[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        keys[i] = apple_string(a, names[i]);
        numbers[i] = apple_number(a, values[i]);
    }
    return apple_dictionary(a, keys, numbers, COUNT);
}

static apple_id wrap(const apple *a, apple_id surface)
{
    return apple_retain(a, apple_send_id(a, apple_class(a, "_ANEIOSurfaceObject"),
                                         "objectWithIOSurface:", surface));
}

yoke_status ane_surface_create(const ane_framework *f, size_t bytes, ane_surface *out,
                               yoke_error *err)
{
    const apple *a = &f->objc;
    void *pool = apple_pool_push(a);
    ane_surface made = {.bytes = size_round_up(bytes, TILE_BYTES)};
    made.surface = f->IOSurfaceCreate(properties(a, made.bytes));
    if (made.surface && f->IOSurfaceGetAllocSize(made.surface) >= made.bytes)
        made.object = wrap(a, made.surface);
    void *memory = made.object ? ane_surface_lock(f, &made, false) : NULL;
    if (memory) {
        memset(memory, 0, made.bytes);
        ane_surface_unlock(f, &made, false);
    } else {
        ane_surface_free(f, &made);
    }
    apple_pool_pop(a, pool);
    if (!memory)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: no IOSurface of %zu bytes", bytes);
    *out = made;
    return YOKE_OK;
}

void ane_surface_free(const ane_framework *f, ane_surface *s)
{
    apple_release(&f->objc, s->object);
    if (s->surface)
        f->CFRelease(s->surface);
    *s = (ane_surface){.surface = NULL};
}

void *ane_surface_lock(const ane_framework *f, const ane_surface *s, bool read_only)
{
    if (f->IOSurfaceLock(s->surface, read_only ? READ_ONLY : 0, NULL) != 0)
        return NULL;
    return f->IOSurfaceGetBaseAddress(s->surface);
}

void ane_surface_unlock(const ane_framework *f, const ane_surface *s, bool read_only)
{
    f->IOSurfaceUnlock(s->surface, read_only ? READ_ONLY : 0, NULL);
}
