#include <stdlib.h>

#include "coreml.h"

@implementation MLMultiArray

- (id)initWithDataPointer:(void *)pointer
                    shape:(NSArray *)shape
                 dataType:(NSInteger)of
                  strides:(NSArray *)strides
              deallocator:(id)block
                    error:(NSError **)error
{
    if ([shape count] != STANDIN_RANK || [strides count] != STANDIN_RANK || block ||
        standin_switch("coreml_array_fails")) {
        *error = standin_coreml_error("Cannot create a multi array of this shape.");
        [self release];
        return nil;
    }
    memory = pointer;
    type = of;
    for (size_t i = 0; i < STANDIN_RANK; i++) {
        lengths[i] = [[shape objectAtIndex:i] unsignedIntegerValue];
        steps[i] = [[strides objectAtIndex:i] unsignedIntegerValue];
    }
    return self;
}

+ (id)standin_arrayOf:(NSInteger)type shape:(const size_t *)shape gap:(size_t)gap
{
    MLMultiArray *made = [[self alloc] autorelease];
    size_t step = 1 + gap;
    for (size_t i = STANDIN_RANK; i-- > 0; step *= shape[i] + gap) {
        made->lengths[i] = shape[i];
        made->steps[i] = step;
    }
    made->type = type;
    made->owned = true;
    made->memory = calloc(step, sizeof(double));
    if (!made->memory)
        abort();
    return made;
}

- (void)dealloc
{
    if (owned)
        free(memory);
    [super dealloc];
}

- (bool)standin_is:(NSInteger)wanted shape:(const size_t *)shape
{
    bool same = type == wanted;
    for (size_t i = 0; i < STANDIN_RANK; i++)
        same = same && lengths[i] == shape[i];
    return same;
}

/* Where the index-th element lies, in the order of the last dimension first. */
- (size_t)standin_place:(size_t)index
{
    size_t place = 0;
    for (size_t i = STANDIN_RANK; i-- > 0; index /= lengths[i])
        place += index % lengths[i] * steps[i];
    return place;
}

- (double)standin_get:(size_t)index
{
    const size_t place = [self standin_place:index];
    return type == FLOAT16   ? (double)((const _Float16 *)memory)[place]
           : type == FLOAT32 ? (double)((const float *)memory)[place]
                             : ((const double *)memory)[place];
}

- (void)standin_set:(size_t)index to:(double)value
{
    const size_t place = [self standin_place:index];
    if (type == FLOAT16)
        ((_Float16 *)memory)[place] = (_Float16)value;
    else if (type == FLOAT32)
        ((float *)memory)[place] = (float)value;
    else
        ((double *)memory)[place] = value;
}

- (void *)dataPointer
{
    return memory;
}

- (NSInteger)dataType
{
    return type;
}

static NSArray *numbers(const NSUInteger *values)
{
    id made[STANDIN_RANK];
    for (size_t i = 0; i < STANDIN_RANK; i++)
        made[i] = [NSNumber numberWithUnsignedInteger:values[i]];
    return [NSArray arrayWithObjects:made count:STANDIN_RANK];
}

- (NSArray *)shape
{
    return numbers(lengths);
}

- (NSArray *)strides
{
    return numbers(steps);
}

@end
