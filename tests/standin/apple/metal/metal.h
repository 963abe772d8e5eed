/* Stands in for the part of Metal that the engine uses. Command buffers run on the calling thread
 * when they are committed. Switches (see control.h):
 *
 *   metal_no_device        MTLCreateSystemDefaultDevice gives none
 *   metal_virtual          the device calls itself a virtual machine's
 *   metal_largest=BYTES    maxBufferLength
 *   metal_refuses_pages    no buffers over the caller's memory
 *   metal_library_fails    source text does not compile
 *   metal_lanes=N          threads in step
 *   metal_fails_at=N       the Nth command buffer of a device ends in an error, its results stale
 *   metal_lost_at=N        the same, and all after it
 *   metal_hangs_at=N       the Nth never ends
 *   mps_unsupported        MPSSupportsMTLDevice says no
 *   mps_fails              no MPSMatrix is made
 *   mps_adds=N             products get N too much
 */
#ifndef STANDIN_METAL_H
#define STANDIN_METAL_H

#include "../foundation/control.h"
#include "../foundation/foundation.h"

typedef struct MTLSize {
    NSUInteger width, height, depth;
} MTLSize;

@interface StandinDevice : NSObject {
  @public
    unsigned committed;
}
- (NSString *)name;
- (NSUInteger)maxBufferLength;
- (id)newBufferWithLength:(NSUInteger)bytes options:(NSUInteger)options;
- (id)newBufferWithBytesNoCopy:(void *)pages
                        length:(NSUInteger)bytes
                       options:(NSUInteger)options
                   deallocator:(void *)block;
- (id)newCommandQueue;
@end

@interface StandinBuffer : NSObject {
  @public
    char *memory;
    NSUInteger bytes;
    bool owned;
}
- (void *)contents;
- (NSUInteger)length;
@end

@interface StandinQueue : NSObject {
  @public
    StandinDevice *device;
}
- (id)commandBuffer;
@end

/* Something that a command buffer runs. */
@interface StandinCommand : NSObject
- (void)run;
@end

@interface StandinCommandBuffer : NSObject {
    StandinDevice *device;
    NSMutableArray *commands;
    NSUInteger status;
    NSError *error;
    double begin, end;
    bool hangs;
}
+ (id)bufferFor:(StandinDevice *)of;
- (void)standin_add:(StandinCommand *)command;
- (void)commit;
- (void)waitUntilCompleted;
- (NSUInteger)status;
- (NSError *)error;
- (double)GPUStartTime;
- (double)GPUEndTime;
@end

@interface StandinCommandBuffer (encoder)
- (id)computeCommandEncoder;
@end

#endif
