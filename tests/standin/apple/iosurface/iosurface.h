/* Stands in for IOSurface.framework: memory with a size, rows and an id. */
#ifndef STANDIN_IOSURFACE_H
#define STANDIN_IOSURFACE_H

#include <stddef.h>
#include <stdint.h>

typedef struct __IOSurface *IOSurfaceRef;

/* Reads IOSurfaceAllocSize, IOSurfaceBytesPerRow, IOSurfaceWidth, IOSurfaceHeight and
 * IOSurfaceBytesPerElement; NULL when they give no size, or one too small for rows times height. */
IOSurfaceRef IOSurfaceCreate(const void *properties);

int32_t IOSurfaceLock(IOSurfaceRef surface, uint32_t options, uint32_t *seed);
int32_t IOSurfaceUnlock(IOSurfaceRef surface, uint32_t options, uint32_t *seed);
void *IOSurfaceGetBaseAddress(IOSurfaceRef surface);
size_t IOSurfaceGetAllocSize(IOSurfaceRef surface);
size_t IOSurfaceGetBytesPerRow(IOSurfaceRef surface);
size_t IOSurfaceGetWidth(IOSurfaceRef surface);
size_t IOSurfaceGetHeight(IOSurfaceRef surface);
uint32_t IOSurfaceGetID(IOSurfaceRef surface);

#endif
