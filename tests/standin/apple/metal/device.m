#include <stdlib.h>
#include <unistd.h>

#include "metal.h"

id MTLCreateSystemDefaultDevice(void);

id MTLCreateSystemDefaultDevice(void)
{
    return standin_switch("metal_no_device") ? nil : [StandinDevice new];
}

@implementation StandinDevice

- (NSString *)name
{
    return standin_string(standin_switch("metal_virtual") ? "Apple Paravirtual device"
                                                          : "Stand-in GPU");
}

- (NSUInteger)maxBufferLength
{
    return standin_number("metal_largest", 1u << 30);
}

- (id)newBufferWithLength:(NSUInteger)bytes options:(NSUInteger)options
{
    (void)options;
    if (bytes == 0 || bytes > [self maxBufferLength])
        return nil;
    StandinBuffer *made = [StandinBuffer alloc];
    made->memory = malloc(bytes); /* not cleared: nobody may count on zeros */
    made->bytes = bytes;
    made->owned = true;
    return made;
}

- (id)newBufferWithBytesNoCopy:(void *)pages
                        length:(NSUInteger)bytes
                       options:(NSUInteger)options
                   deallocator:(void *)block
{
    (void)options, (void)block;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if ((uintptr_t)pages % page != 0 || bytes % page != 0 || standin_switch("metal_refuses_pages"))
        return nil;
    StandinBuffer *made = [StandinBuffer alloc];
    made->memory = pages;
    made->bytes = bytes;
    return made;
}

- (id)newCommandQueue
{
    StandinQueue *made = [StandinQueue alloc];
    made->device = [self retain];
    return made;
}

@end

@implementation StandinBuffer

- (void)dealloc
{
    if (owned)
        free(memory);
    (void)standin_string("autoreleased, as by many a real one");
    [super dealloc];
}

- (void *)contents
{
    return memory;
}

- (NSUInteger)length
{
    return bytes;
}

@end

@implementation StandinQueue

- (void)dealloc
{
    [device release];
    [super dealloc];
}

- (id)commandBuffer
{
    return [StandinCommandBuffer bufferFor:device];
}

@end
