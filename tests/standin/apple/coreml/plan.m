/* The compute plan of a compiled model: which operation runs where. It comes on another thread. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../ane/program.h"
#include "coreml.h"

#define BLOCK_HAS_SIGNATURE (1 << 30)

/* What the isa of a block on the stack points to. */
extern void *_NSConcreteStackBlock[32];
__attribute__((visibility("default"))) void *_NSConcreteStackBlock[32];

/* A block as the compiler lays it out, without what it captures. */
typedef struct block {
    void *isa;
    int flags, reserved;
    void (*invoke)(struct block *self, id plan, NSError *error);
    const struct {
        unsigned long reserved, size;
        const char *signature;
    } *descriptor;
} block;

/* The one on the stack is not the caller's any more when the call returns. */
static block *block_copy(const block *from)
{
    if (from->isa != _NSConcreteStackBlock || from->flags != BLOCK_HAS_SIGNATURE ||
        strcmp(from->descriptor->signature, "v24@?0@8@16") != 0)
        abort();
    block *made = malloc(from->descriptor->size);
    memcpy(made, from, from->descriptor->size);
    return made;
}

@interface MLCPUComputeDevice : NSObject
@end
@interface MLGPUComputeDevice : NSObject
@end
@interface MLNeuralEngineComputeDevice : NSObject
@end
@implementation MLCPUComputeDevice
@end
@implementation MLGPUComputeDevice
@end
@implementation MLNeuralEngineComputeDevice
@end

/* One class for every step from a plan down to an operation: each has one thing below it. */
@interface StandinStructure : NSObject {
  @public
    id below;
}
@end

@implementation StandinStructure

+ (id)over:(id)thing
{
    StandinStructure *made = [[self alloc] autorelease];
    made->below = [thing retain];
    return made;
}

- (void)dealloc
{
    [below release];
    [super dealloc];
}

- (id)program
{
    return below;
}

- (id)functions
{
    return below;
}

- (id)block
{
    return below;
}

- (id)operations
{
    return below;
}

- (NSString *)operatorName
{
    return below;
}

- (id)preferredComputeDevice
{
    return below;
}

@end

@interface MLComputePlan : NSObject {
    StandinStructure *structure;
    NSInteger units;
    bool wide; /* fp32: never on the Neural Engine */
    unsigned asked;
}
@end

/* The operations' names, with the opset in front. */
static NSArray *operations_of(const procedure *of)
{
    NSMutableArray *all = [NSMutableArray arrayWithCapacity:8];
    for (size_t i = 0; i < of->function->body.operation_count; i++)
        [all addObject:[StandinStructure
                           over:standin_string("ios16.%s", of->function->body.operations[i].kind)]];
    return all;
}

@implementation MLComputePlan

- (void)dealloc
{
    [structure release];
    [super dealloc];
}

+ (id)standin_planOf:(NSURL *)url units:(NSInteger)units
{
    MLComputePlan *made = [[self alloc] autorelease];
    char why[512];
    image files;
    program loaded = {0};
    made->units = units;
    if (program_gather([url fileSystemRepresentation], &files, why, sizeof why) != PROGRAM_FINE)
        return nil;
    if (program_load(&files, &loaded) == PROGRAM_FINE) {
        NSArray *operations = operations_of(&loaded.procedures[0]);
        id function = [StandinStructure over:[StandinStructure over:operations]];
        NSDictionary *functions = [NSDictionary dictionaryWithObject:function
                                                              forKey:standin_string("main")];
        made->structure = [[StandinStructure over:[StandinStructure over:functions]] retain];
        made->wide = loaded.procedures[0].inputs[0].element == MIL_FP32;
    }
    program_free(&loaded);
    return made;
}

- (id)modelStructure
{
    return structure;
}

- (id)computeDeviceUsageForMLProgramOperation:(StandinStructure *)operation
{
    if (![[operation operatorName] hasSuffix:standin_string("conv")])
        return nil;
    Class kind = [MLNeuralEngineComputeDevice class];
    if (standin_switch("coreml_gpu") || units == UNITS_GPU)
        kind = [MLGPUComputeDevice class];
    if (standin_switch("coreml_cpu") || units == UNITS_CPU || wide ||
        (standin_switch("coreml_several") && asked++ % 2 == 0))
        kind = [MLCPUComputeDevice class];
    return [StandinStructure over:[[kind new] autorelease]];
}

typedef struct request {
    NSURL *url;
    NSInteger units;
    block *answer;
} request;

static void *answer(void *arg)
{
    request *r = arg;
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    id plan = standin_switch("coreml_plan_fails")
                  ? nil
                  : [MLComputePlan standin_planOf:r->url units:r->units];
    block *to = r->answer;
    [r->url release];
    free(r);
    to->invoke(to, plan, plan ? nil : standin_coreml_error("no plan"));
    free(to);
    [pool drain];
    return NULL;
}

+ (void)loadContentsOfURL:(NSURL *)url
            configuration:(MLModelConfiguration *)configuration
        completionHandler:(id)handler
{
    request *r = malloc(sizeof *r);
    pthread_t thread;
    *r = (request){[url retain], [configuration computeUnits], block_copy((block *)handler)};
    if (pthread_create(&thread, NULL, answer, r) != 0)
        abort();
    pthread_detach(thread);
}

@end
