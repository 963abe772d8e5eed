#include "../corefoundation/corefoundation.h"
#include "ane.h"

enum { MAX_BUFFERS = 255, MAX_PROCEDURES = 128 };

@implementation _ANEIOSurfaceObject

+ (id)objectWithIOSurface:(IOSurfaceRef)from
{
    return [self objectWithIOSurface:from startOffset:[NSNumber numberWithInt:0]];
}

+ (id)objectWithIOSurface:(IOSurfaceRef)from startOffset:(NSNumber *)offset
{
    if (!from)
        return nil;
    _ANEIOSurfaceObject *made = [[self alloc] autorelease];
    made->surface = from;
    CFRetain(from);
    made->startOffset = [offset retain];
    return made;
}

- (void)dealloc
{
    CFRelease(surface);
    [startOffset release];
    [super dealloc];
}

- (IOSurfaceRef)ioSurface
{
    return surface;
}

- (NSNumber *)startOffset
{
    return startOffset;
}

@end

static bool valid(NSArray *surfaces, NSArray *indices)
{
    bool fine = [surfaces count] > 0 && [surfaces count] <= MAX_BUFFERS &&
                [surfaces count] == [indices count];
    for (NSUInteger i = 0; fine && i < [indices count]; i++)
        fine = [[indices objectAtIndex:i] unsignedLongLongValue] < MAX_BUFFERS &&
               [[surfaces objectAtIndex:i] isKindOfClass:[_ANEIOSurfaceObject class]];
    return fine;
}

@implementation _ANERequest

+ (id)requestWithInputs:(NSArray *)inputs
           inputIndices:(NSArray *)inputIndices
                outputs:(NSArray *)outputs
          outputIndices:(NSArray *)outputIndices
          weightsBuffer:(id)buffer
              perfStats:(id)stats
         procedureIndex:(NSNumber *)index
{
    _ANERequest *made = [[self alloc] autorelease];
    made->inputArray = [inputs retain];
    made->inputIndexArray = [inputIndices retain];
    made->outputArray = [outputs retain];
    made->outputIndexArray = [outputIndices retain];
    made->weightsBuffer = [buffer retain];
    made->perfStats = [stats retain];
    made->procedureIndex = [index retain];
    return made;
}

+ (id)requestWithInputs:(NSArray *)inputs
           inputIndices:(NSArray *)inputIndices
                outputs:(NSArray *)outputs
          outputIndices:(NSArray *)outputIndices
              perfStats:(id)stats
         procedureIndex:(NSNumber *)index
{
    return [self requestWithInputs:inputs
                      inputIndices:inputIndices
                           outputs:outputs
                     outputIndices:outputIndices
                     weightsBuffer:nil
                         perfStats:stats
                    procedureIndex:index];
}

+ (id)requestWithInputs:(NSArray *)inputs
           inputIndices:(NSArray *)inputIndices
                outputs:(NSArray *)outputs
          outputIndices:(NSArray *)outputIndices
         procedureIndex:(NSNumber *)index
{
    return [self requestWithInputs:inputs
                      inputIndices:inputIndices
                           outputs:outputs
                     outputIndices:outputIndices
                         perfStats:nil
                    procedureIndex:index];
}

- (void)dealloc
{
    [inputArray release];
    [inputIndexArray release];
    [outputArray release];
    [outputIndexArray release];
    [weightsBuffer release];
    [perfStats release];
    [procedureIndex release];
    (void)standin_string("autoreleased, as by many a real one");
    [super dealloc];
}

- (bool)validate
{
    return valid(inputArray, inputIndexArray) && valid(outputArray, outputIndexArray) &&
           [procedureIndex unsignedLongLongValue] <= MAX_PROCEDURES;
}

- (uint64_t)ioSurfacesCount
{
    return [inputArray count] + [outputArray count];
}

- (NSArray *)inputArray
{
    return inputArray;
}

- (NSArray *)inputIndexArray
{
    return inputIndexArray;
}

- (NSArray *)outputArray
{
    return outputArray;
}

- (NSArray *)outputIndexArray
{
    return outputIndexArray;
}

- (NSNumber *)procedureIndex
{
    return procedureIndex;
}

- (id)weightsBuffer
{
    return weightsBuffer;
}

- (id)perfStats
{
    return perfStats;
}

- (void)setPerfStats:(id)stats
{
    [stats retain];
    [perfStats release];
    perfStats = stats;
}

@end
