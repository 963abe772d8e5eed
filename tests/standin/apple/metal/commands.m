#include <stdlib.h>
#include <time.h>

#include "metal.h"

enum { COMMITTED = 2, SCHEDULED = 3, COMPLETED = 4, FAILED = 5 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

@implementation StandinCommand

- (void)run
{
    abort();
}

@end

@implementation StandinCommandBuffer

+ (id)bufferFor:(StandinDevice *)of
{
    StandinCommandBuffer *made = [[self alloc] autorelease];
    made->device = [of retain];
    made->commands = [NSMutableArray new];
    return made;
}

- (void)dealloc
{
    [commands release];
    [error release];
    [device release];
    [super dealloc];
}

- (void)standin_add:(StandinCommand *)command
{
    if (status != 0)
        abort(); /* encoded after commit */
    [commands addObject:command];
}

- (void)standin_fail:(NSInteger)code because:(const char *)why
{
    error = [standin_error("MTLCommandBufferErrorDomain", code, "%s", why) retain];
    status = FAILED;
}

- (void)commit
{
    if (status != 0)
        abort(); /* committed twice */
    const unsigned number = __atomic_add_fetch(&device->committed, 1, __ATOMIC_RELAXED);
    begin = seconds();
    if (number == standin_number("metal_hangs_at", 0)) {
        status = SCHEDULED;
    } else if (number == standin_number("metal_fails_at", 0)) {
        [self standin_fail:2 because:"Caused GPU Timeout Error"];
    } else if (number >= standin_number("metal_lost_at", -1)) {
        [self standin_fail:11 because:"Caused GPU Device Removed Error"];
    } else {
        for (NSUInteger i = 0; i < [commands count]; i++)
            [[commands objectAtIndex:i] run];
        status = COMPLETED;
    }
    end = seconds();
}

- (void)waitUntilCompleted
{
    if (status < COMMITTED)
        abort(); /* nothing was committed: it would wait for ever */
}

- (NSUInteger)status
{
    return status;
}

- (NSError *)error
{
    return error;
}

- (double)GPUStartTime
{
    return begin;
}

- (double)GPUEndTime
{
    return end;
}

@end
