#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "metal.h"

@interface MTLCompileOptions : NSObject
- (void)setFastMathEnabled:(bool)enabled;
@end

@implementation MTLCompileOptions

- (void)setFastMathEnabled:(bool)enabled
{
    if (enabled)
        abort(); /* NaN and infinity would not have to go through */
}

@end

@interface StandinFunction : NSObject {
  @public
    standin_kernel *run;
}
@end

@implementation StandinFunction
@end

@interface StandinPipeline : StandinFunction
- (NSUInteger)threadExecutionWidth;
- (NSUInteger)maxTotalThreadsPerThreadgroup;
@end

@implementation StandinPipeline

- (NSUInteger)threadExecutionWidth
{
    return standin_number("metal_lanes", 32);
}

- (NSUInteger)maxTotalThreadsPerThreadgroup
{
    return 1024;
}

@end

@interface StandinLibrary : NSObject {
  @public
    const standin_kernels *kernels;
}
- (id)newFunctionWithName:(NSString *)name;
@end

@implementation StandinLibrary

- (id)newFunctionWithName:(NSString *)name
{
    const bool row = strcmp([name UTF8String], "multiply_row") == 0;
    if (!row && strcmp([name UTF8String], "widen") != 0)
        return nil;
    StandinFunction *made = [StandinFunction alloc];
    made->run = row ? kernels->multiply_row : kernels->widen;
    return made;
}

@end

/* Is this the text that kernels.c was compiled from? */
static bool is_known_text(const char *text)
{
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    NSData *file = [NSData dataWithContentsOfFile:standin_string("%s", KERNEL_TEXT)];
    const bool same =
        strlen(text) == [file length] && memcmp(text, [file bytes], [file length]) == 0;
    [pool drain];
    return same;
}

/* The kernels of the format that the text is for; NULL for text that is not known. */
static const standin_kernels *find_kernels(const char *source)
{
    static const standin_kernels *const all[] = {&standin_kernels_f32, &standin_kernels_f16,
                                                 &standin_kernels_bf16, &standin_kernels_q8_0,
                                                 &standin_kernels_q4_0};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char beginning[256];
        snprintf(beginning, sizeof beginning,
                 "#include <metal_stdlib>\nusing namespace metal;\n"
                 "#define AS_FLOAT(bits) as_type<float>(bits)\n#define %s\n",
                 all[i]->macro);
        const size_t length = strlen(beginning);
        if (strncmp(source, beginning, length) == 0 && is_known_text(source + length))
            return all[i];
    }
    return NULL;
}

@interface StandinDevice (library)
- (id)newLibraryWithSource:(NSString *)source
                   options:(MTLCompileOptions *)options
                     error:(NSError **)error;
- (id)newComputePipelineStateWithFunction:(StandinFunction *)function error:(NSError **)error;
@end

@implementation StandinDevice (library)

- (id)newLibraryWithSource:(NSString *)source
                   options:(MTLCompileOptions *)options
                     error:(NSError **)error
{
    (void)options;
    const standin_kernels *found = find_kernels([source UTF8String]);
    if (!found || standin_switch("metal_library_fails")) {
        *error = standin_error("MTLLibraryErrorDomain", 3,
                               "program_source:1:1: error: unknown type name 'kernel'");
        return nil;
    }
    StandinLibrary *made = [StandinLibrary alloc];
    made->kernels = found;
    return made;
}

- (id)newComputePipelineStateWithFunction:(StandinFunction *)function error:(NSError **)error
{
    (void)error;
    StandinPipeline *made = [StandinPipeline alloc];
    made->run = function->run;
    return made;
}

@end

/* A compute encoder: the arguments as they are, and a command for each dispatch. */
@interface StandinEncoder : NSObject {
  @public
    StandinCommandBuffer *commands;
    StandinPipeline *pipeline;
    StandinBuffer *buffers[STANDIN_BUFFERS];
    NSData *constants;
    bool ended;
}
@end

@interface StandinDispatch : StandinCommand {
  @public
    StandinBuffer *buffers[STANDIN_BUFFERS];
    NSData *constants;
    standin_kernel *kernel;
    MTLSize groups, threads;
}
@end

@implementation StandinDispatch

- (void)dealloc
{
    for (size_t i = 0; i < STANDIN_BUFFERS; i++)
        [buffers[i] release];
    [constants release];
    [super dealloc];
}

- (void)run
{
    void *memory[STANDIN_BUFFERS];
    for (size_t i = 0; i < STANDIN_BUFFERS; i++)
        memory[i] = buffers[i] ? [buffers[i] contents] : NULL;
    kernel(
        memory, [constants bytes], (const uint64_t[]) { groups.width, groups.height },
        (const uint64_t[]){threads.width, threads.height});
}

@end

@implementation StandinEncoder

- (void)dealloc
{
    if (!ended)
        abort(); /* "command encoder was released without endEncoding" */
    [constants release];
    [super dealloc];
}

- (void)setComputePipelineState:(StandinPipeline *)state
{
    pipeline = state;
}

- (void)setBuffer:(StandinBuffer *)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index
{
    if (offset != 0)
        abort(); /* nobody here does */
    buffers[index] = buffer;
}

- (void)setBytes:(const void *)bytes length:(NSUInteger)length atIndex:(NSUInteger)index
{
    if (index != 4 || length > 4096)
        abort();
    [constants release];
    constants = [[NSData dataWithBytes:bytes length:length] retain];
}

- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)threads
{
    if (threads.width * threads.height * threads.depth > 1024)
        abort();
    StandinDispatch *made = [[StandinDispatch alloc] autorelease];
    for (size_t i = 0; i < STANDIN_BUFFERS; i++)
        made->buffers[i] = [buffers[i] retain];
    made->constants = [constants retain];
    made->kernel = pipeline->run;
    made->groups = groups;
    made->threads = threads;
    [commands standin_add:made];
}

- (void)endEncoding
{
    ended = true;
}

@end

@implementation StandinCommandBuffer (encoder)

- (id)computeCommandEncoder
{
    StandinEncoder *made = [[StandinEncoder alloc] autorelease];
    made->commands = self;
    return made;
}

@end
