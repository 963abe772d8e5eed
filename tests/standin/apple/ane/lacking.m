/* The framework as it may become in a system to come; none of it works. Built once for each of
 *
 *   LACKS_CLASS    there is no _ANERequest
 *   LACKS_METHOD   _ANEInMemoryModel cannot evaluate
 *   OTHER_TYPES    its compileWithQoS:options:error: takes an NSNumber
 */
#include "../foundation/foundation.h"

#ifdef OTHER_TYPES
typedef NSNumber *qos_type;
#else
typedef unsigned qos_type;
#endif

@interface _ANEInMemoryModelDescriptor : NSObject
@end

@implementation _ANEInMemoryModelDescriptor

+ (id)modelWithMILText:(id)text weights:(id)weights optionsPlist:(id)options
{
    (void)text, (void)weights, (void)options;
    return nil;
}

@end

@interface _ANEInMemoryModel : NSObject
@end

@implementation _ANEInMemoryModel

+ (id)inMemoryModelWithDescriptor:(id)descriptor
{
    (void)descriptor;
    return nil;
}

- (NSString *)hexStringIdentifier
{
    return nil;
}

- (NSString *)localModelPath
{
    return nil;
}

- (bool)compileWithQoS:(qos_type)qos options:(id)options error:(NSError **)error
{
    (void)qos, (void)options, (void)error;
    return false;
}

- (bool)loadWithQoS:(unsigned)qos options:(id)options error:(NSError **)error
{
    (void)qos, (void)options, (void)error;
    return false;
}

#ifndef LACKS_METHOD
- (bool)evaluateWithQoS:(unsigned)qos
                options:(id)options
                request:(id)request
                  error:(NSError **)error
{
    (void)qos, (void)options, (void)request, (void)error;
    return false;
}
#endif

- (bool)unloadWithQoS:(unsigned)qos error:(NSError **)error
{
    (void)qos, (void)error;
    return false;
}

@end

#ifndef LACKS_CLASS

@interface _ANERequest : NSObject
@end

@implementation _ANERequest

+ (id)requestWithInputs:(id)inputs
           inputIndices:(id)input_indices
                outputs:(id)outputs
          outputIndices:(id)output_indices
          weightsBuffer:(id)buffer
              perfStats:(id)stats
         procedureIndex:(id)index
{
    (void)inputs, (void)input_indices, (void)outputs, (void)output_indices;
    (void)buffer, (void)stats, (void)index;
    return nil;
}

@end

#endif

@interface _ANEIOSurfaceObject : NSObject
@end

@implementation _ANEIOSurfaceObject

+ (id)objectWithIOSurface:(void *)surface
{
    (void)surface;
    return nil;
}

@end
