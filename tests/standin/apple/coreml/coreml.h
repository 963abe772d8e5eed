/* Stands in for the part of Core ML that the engine uses: it compiles packages to MIL text and blob
 * files, as the real one does, and computes them. Switches (see control.h):
 *
 *   coreml_compile_fails      compileModelAtURL:error: says no
 *   coreml_compile_hangs      it does not return before that is switched off
 *   coreml_load_fails         modelWithContentsOfURL:configuration:error: says no
 *   coreml_cpu, coreml_gpu    where the compute plan puts products, which is else the Neural Engine
 *   coreml_several            on the CPU and on the Neural Engine in turn
 *   coreml_plan_fails         there is no compute plan
 *   coreml_array_fails        no array is made over the caller's memory
 *   coreml_fails_at=N         the Nth prediction of a model is an error
 *   coreml_dies               every prediction is one
 *   coreml_hangs_at=N         the same
 *   coreml_own_memory         outputs are in the framework's memory, elements apart
 *   coreml_other_shape        outputs have another shape than the model says
 *   coreml_other_type         outputs are double
 */
#ifndef STANDIN_COREML_H
#define STANDIN_COREML_H

#include "../foundation/control.h"
#include "../foundation/foundation.h"

enum { FLOAT16 = 65552, FLOAT32 = 65568, DOUBLE = 65600 }; /* MLMultiArrayDataType */
enum { UNITS_CPU, UNITS_GPU, UNITS_ALL, UNITS_ANE };       /* MLComputeUnits */

enum { STANDIN_RANK = 4 };

@interface MLMultiArray : NSObject {
  @public
    char *memory;
    bool owned;
    NSInteger type;
    NSUInteger lengths[STANDIN_RANK], steps[STANDIN_RANK];
}
/* Of its own memory, `gap` elements wider than it needs to be, so that steps are not the shape's.
 */
+ (id)standin_arrayOf:(NSInteger)type shape:(const size_t *)shape gap:(size_t)gap;
- (bool)standin_is:(NSInteger)type shape:(const size_t *)shape;
- (double)standin_get:(size_t)index;
- (void)standin_set:(size_t)index to:(double)value;
- (void *)dataPointer;
- (NSInteger)dataType;
- (NSArray *)shape;
- (NSArray *)strides;
@end

@interface MLFeatureValue : NSObject {
    MLMultiArray *array;
}
+ (id)featureValueWithMultiArray:(MLMultiArray *)of;
- (MLMultiArray *)multiArrayValue;
@end

@interface MLDictionaryFeatureProvider : NSObject {
    NSDictionary *values;
}
- (id)initWithDictionary:(NSDictionary *)from error:(NSError **)error;
- (MLFeatureValue *)featureValueForName:(NSString *)name;
@end

@interface MLPredictionOptions : NSObject {
    NSDictionary *backings;
}
- (void)setOutputBackings:(NSDictionary *)outputs;
- (NSDictionary *)outputBackings;
@end

@interface MLModelConfiguration : NSObject {
    NSInteger units;
}
- (void)setComputeUnits:(NSInteger)wanted;
- (NSInteger)computeUnits;
@end

NSError *standin_coreml_error(const char *what);

#endif
