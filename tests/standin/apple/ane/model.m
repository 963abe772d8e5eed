#include "../foundation/control.h"
#include "service.h"

enum { CREATED = 1, LOADED = 3, DEAD = 5 };
#define MAPPED "mapped request"

@implementation _ANEModel

- (void)dealloc
{
    [modelAttributes release];
    [super dealloc];
}

- (NSDictionary *)modelAttributes
{
    return modelAttributes;
}

- (unsigned)perfStatsMask
{
    return perfStatsMask;
}

- (void)setPerfStatsMask:(unsigned)mask
{
    perfStatsMask = mask;
}

- (program *)standin_program
{
    return loaded;
}

- (void)standin_take:(program *)taken
{
    loaded = taken;
    perfStatsMask = 0; /* a load clears it */
    [modelAttributes release];
    modelAttributes = taken ? [service_attributes(taken) retain] : nil;
}

@end

@implementation _ANEInMemoryModel

+ (id)inMemoryModelWithDescriptor:(_ANEInMemoryModelDescriptor *)from
{
    if (!from)
        return nil;
    _ANEInMemoryModel *made = [[self alloc] autorelease];
    made->descriptor = [from retain];
    made->model = [_ANEModel new];
    made->state = CREATED;
    return made;
}

/* A program that is still loaded stays so, and counts as such: nobody can unload it any more. */
- (void)dealloc
{
    [descriptor release];
    [model release];
    (void)standin_string("autoreleased, as by many a real one");
    [super dealloc];
}

- (NSString *)hexStringIdentifier
{
    return [descriptor hexStringIdentifier];
}

- (NSString *)localModelPath
{
    return [NSTemporaryDirectory() stringByAppendingPathComponent:[self hexStringIdentifier]];
}

- (bool)compiledModelExists
{
    return service_has_compiled([self hexStringIdentifier]);
}

- (void)purgeCompiledModel
{
    service_purge([self hexStringIdentifier]);
}

/* The text as net.plist, and of each weight the first value of its dictionary under its first key.
 */
- (void)saveModelFiles
{
    NSString *folder = [self localModelPath];
    [[NSFileManager defaultManager] createDirectoryAtPath:folder
                              withIntermediateDirectories:true
                                               attributes:nil
                                                    error:NULL];
    [[descriptor networkText]
        writeToFile:[folder stringByAppendingPathComponent:standin_string("net.plist")]
         atomically:true];
    NSArray *entries = [[descriptor weights] allValues];
    for (NSUInteger i = 0; i < [entries count]; i++) {
        NSDictionary *entry = [entries objectAtIndex:i];
        id first = [[entry allValues] firstObject];
        if ([first isKindOfClass:[NSData class]])
            [first writeToFile:[folder stringByAppendingPathComponent:[[entry allKeys] firstObject]]
                    atomically:true];
    }
}

- (bool)compileWithQoS:(unsigned)qos options:(NSDictionary *)options error:(NSError **)error
{
    (void)qos, (void)options;
    if (![self compiledModelExists])
        [self saveModelFiles];
    return service_compile([self hexStringIdentifier], [self localModelPath], error);
}

- (bool)loadWithQoS:(unsigned)qos options:(NSDictionary *)options error:(NSError **)error
{
    (void)qos;
    if (state == LOADED)
        return true;
    id mask = [options objectForKey:standin_string("kANEFPerformanceStatsMask")];
    if (mask && standin_switch("mask_fails_load"))
        return service_fail(error, ANE_PROGRAM_LOAD, "Program load error");
    if (![self compiledModelExists])
        [self saveModelFiles];
    program *loaded = service_load([self hexStringIdentifier], error);
    [model standin_take:loaded];
    state = loaded ? LOADED : state;
    return loaded != NULL;
}

- (bool)evaluateWithQoS:(unsigned)qos
                options:(NSDictionary *)options
                request:(_ANERequest *)request
                  error:(NSError **)error
{
    return [[_ANEClient sharedConnection] evaluateWithModel:model
                                                    options:options
                                                    request:request
                                                        qos:qos
                                                      error:error];
}

- (bool)unloadWithQoS:(unsigned)qos error:(NSError **)error
{
    (void)qos;
    program *loaded = [model standin_program];
    if (!loaded)
        return service_fail(error, ANE_PROGRAM_NOT_FOUND, "program not found");
    [model standin_take:NULL];
    service_unload(loaded);
    state = DEAD;
    [[NSFileManager defaultManager] removeItemAtPath:[self localModelPath] error:NULL];
    return true;
}

- (bool)mapIOSurfacesWithRequest:(_ANERequest *)request
                  cacheInference:(bool)cache
                           error:(NSError **)error
{
    (void)cache;
    if (![model standin_program] || standin_switch("map_fails"))
        return service_fail(error, ANE_SURFACE_MAP, "IOSurface map error");
    if (!service_check([model standin_program], request, error))
        return false;
    standin_count(MAPPED, 1);
    return true;
}

- (void)unmapIOSurfacesWithRequest:(_ANERequest *)request
{
    (void)request;
    if (standin_live_objects(MAPPED) > 0)
        standin_count(MAPPED, -1);
}

- (NSDictionary *)modelAttributes
{
    return [model modelAttributes];
}

- (_ANEModel *)model
{
    return model;
}

- (_ANEInMemoryModelDescriptor *)descriptor
{
    return descriptor;
}

- (bool)isMILModel
{
    return [descriptor isMILModel];
}

- (unsigned)perfStatsMask
{
    return [model perfStatsMask];
}

- (void)setPerfStatsMask:(unsigned)mask
{
    [model setPerfStatsMask:mask];
}

- (int8_t)queueDepth
{
    return 127;
}

- (uint64_t)programHandle
{
    return (uint64_t)(uintptr_t)[model standin_program];
}

- (uint64_t)state
{
    return state;
}

@end
