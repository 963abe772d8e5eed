#include "coreml.h"

NSError *standin_coreml_error(const char *what)
{
    return standin_error("com.apple.CoreML", 0, "%s", what);
}

@implementation MLFeatureValue

+ (id)featureValueWithMultiArray:(MLMultiArray *)of
{
    MLFeatureValue *made = [[self alloc] autorelease];
    made->array = [of retain];
    return made;
}

- (void)dealloc
{
    [array release];
    [super dealloc];
}

- (MLMultiArray *)multiArrayValue
{
    return array;
}

@end

@implementation MLDictionaryFeatureProvider

- (id)initWithDictionary:(NSDictionary *)from error:(NSError **)error
{
    (void)error;
    values = [from retain];
    return self;
}

- (void)dealloc
{
    [values release];
    [super dealloc];
}

- (MLFeatureValue *)featureValueForName:(NSString *)name
{
    return [values objectForKey:name];
}

@end

@implementation MLPredictionOptions

- (void)dealloc
{
    [backings release];
    [super dealloc];
}

- (void)setOutputBackings:(NSDictionary *)outputs
{
    [outputs retain];
    [backings release];
    backings = outputs;
}

- (NSDictionary *)outputBackings
{
    return backings;
}

@end

@implementation MLModelConfiguration

- (void)setComputeUnits:(NSInteger)wanted
{
    units = wanted;
}

- (NSInteger)computeUnits
{
    return units;
}

@end
