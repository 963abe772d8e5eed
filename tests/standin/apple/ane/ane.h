/* The classes of the AppleNeuralEngine framework that are called, with the methods and types of the
 * real ones; what they do in each case is what is publicly known of the real ones. */
#ifndef STANDIN_ANE_ANE_H
#define STANDIN_ANE_ANE_H

#include "../foundation/foundation.h"
#include "../iosurface/iosurface.h"
#include "program.h"

@interface _ANEInMemoryModelDescriptor : NSObject {
    NSData *networkText, *optionsPlist;
    NSDictionary *weights;
}
+ (id)modelWithMILText:(NSData *)text weights:(NSDictionary *)blobs optionsPlist:(NSData *)options;
- (NSString *)hexStringIdentifier;
- (NSData *)networkText;
- (NSDictionary *)weights;
- (NSData *)optionsPlist;
- (bool)isMILModel;
@end

/* The model inside of the other one. */
@interface _ANEModel : NSObject {
    program *loaded;
    NSDictionary *modelAttributes;
    unsigned perfStatsMask;
}
- (NSDictionary *)modelAttributes;
- (unsigned)perfStatsMask;
- (void)setPerfStatsMask:(unsigned)mask;
- (program *)standin_program;
- (void)standin_take:(program *)taken; /* nil for none */
@end

@class _ANERequest;

@interface _ANEInMemoryModel : NSObject {
    _ANEInMemoryModelDescriptor *descriptor;
    _ANEModel *model;
    uint64_t state;
}
+ (id)inMemoryModelWithDescriptor:(_ANEInMemoryModelDescriptor *)from;
- (NSString *)hexStringIdentifier;
- (NSString *)localModelPath;
- (bool)compiledModelExists;
- (void)purgeCompiledModel;
- (bool)compileWithQoS:(unsigned)qos options:(NSDictionary *)options error:(NSError **)error;
- (bool)loadWithQoS:(unsigned)qos options:(NSDictionary *)options error:(NSError **)error;
- (bool)evaluateWithQoS:(unsigned)qos
                options:(NSDictionary *)options
                request:(_ANERequest *)request
                  error:(NSError **)error;
- (bool)unloadWithQoS:(unsigned)qos error:(NSError **)error;
- (bool)mapIOSurfacesWithRequest:(_ANERequest *)request
                  cacheInference:(bool)cached
                           error:(NSError **)error;
- (void)unmapIOSurfacesWithRequest:(_ANERequest *)request;
- (NSDictionary *)modelAttributes;
- (_ANEModel *)model;
- (_ANEInMemoryModelDescriptor *)descriptor;
- (bool)isMILModel;
- (unsigned)perfStatsMask;
- (void)setPerfStatsMask:(unsigned)mask;
- (int8_t)queueDepth;
- (uint64_t)programHandle;
- (uint64_t)state;
@end

@interface _ANEIOSurfaceObject : NSObject {
    IOSurfaceRef surface;
    NSNumber *startOffset;
}
+ (id)objectWithIOSurface:(IOSurfaceRef)from;
+ (id)objectWithIOSurface:(IOSurfaceRef)from startOffset:(NSNumber *)offset;
- (IOSurfaceRef)ioSurface;
- (NSNumber *)startOffset;
@end

@interface _ANEPerformanceStats : NSObject {
    uint64_t time;
}
+ (id)statsWithHardwareExecutionNS:(uint64_t)nanoseconds;
- (uint64_t)hwExecutionTime;
- (void)standin_took:(uint64_t)nanoseconds;
@end

@interface _ANERequest : NSObject {
    NSArray *inputArray, *inputIndexArray, *outputArray, *outputIndexArray;
    NSNumber *procedureIndex;
    id weightsBuffer, perfStats;
}
+ (id)requestWithInputs:(NSArray *)inputs
           inputIndices:(NSArray *)inputIndices
                outputs:(NSArray *)outputs
          outputIndices:(NSArray *)outputIndices
          weightsBuffer:(id)buffer
              perfStats:(id)stats
         procedureIndex:(NSNumber *)index;
+ (id)requestWithInputs:(NSArray *)inputs
           inputIndices:(NSArray *)inputIndices
                outputs:(NSArray *)outputs
          outputIndices:(NSArray *)outputIndices
              perfStats:(id)stats
         procedureIndex:(NSNumber *)index;
+ (id)requestWithInputs:(NSArray *)inputs
           inputIndices:(NSArray *)inputIndices
                outputs:(NSArray *)outputs
          outputIndices:(NSArray *)outputIndices
         procedureIndex:(NSNumber *)index;
- (bool)validate;
- (uint64_t)ioSurfacesCount;
- (NSArray *)inputArray;
- (NSArray *)inputIndexArray;
- (NSArray *)outputArray;
- (NSArray *)outputIndexArray;
- (NSNumber *)procedureIndex;
- (id)weightsBuffer;
- (id)perfStats;
- (void)setPerfStats:(id)stats;
@end

@interface _ANEClient : NSObject
+ (id)sharedConnection;
- (bool)evaluateWithModel:(_ANEModel *)model
                  options:(NSDictionary *)options
                  request:(_ANERequest *)request
                      qos:(unsigned)qos
                    error:(NSError **)error;
- (bool)doEvaluateDirectWithModel:(_ANEModel *)model
                          options:(NSDictionary *)options
                          request:(_ANERequest *)request
                              qos:(unsigned)qos
                            error:(NSError **)error;
@end

@interface _ANEDeviceInfo : NSObject
+ (bool)hasANE;
+ (unsigned)numANEs;
+ (unsigned)numANECores;
+ (NSString *)aneArchitectureType;
+ (NSString *)aneSubType;
+ (NSString *)aneSubTypeVariant;
+ (int64_t)aneBoardType;
+ (bool)isVirtualMachine;
+ (bool)isInternalBuild;
@end

#endif
