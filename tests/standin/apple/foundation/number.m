#include "foundation.h"

@implementation NSNumber

- (id)standin_integer:(uint64_t)value
{
    integer = value;
    real = (double)(int64_t)value;
    return self;
}

- (id)standin_real:(double)value
{
    real = value;
    integer = (uint64_t)(int64_t)value;
    is_real = true;
    return self;
}

+ (id)numberWithBool:(bool)value
{
    return [[[self alloc] standin_integer:value] autorelease];
}

+ (id)numberWithInt:(int)value
{
    return [[[self alloc] standin_integer:(uint64_t)value] autorelease];
}

+ (id)numberWithUnsignedInteger:(NSUInteger)value
{
    return [[[self alloc] standin_integer:value] autorelease];
}

+ (id)numberWithLongLong:(long long)value
{
    return [[[self alloc] standin_integer:(uint64_t)value] autorelease];
}

+ (id)numberWithUnsignedLongLong:(unsigned long long)value
{
    return [[[self alloc] standin_integer:value] autorelease];
}

+ (id)numberWithFloat:(float)value
{
    return [[[self alloc] standin_real:value] autorelease];
}

+ (id)numberWithDouble:(double)value
{
    return [[[self alloc] standin_real:value] autorelease];
}

- (int)intValue
{
    return (int)integer;
}

- (NSUInteger)unsignedIntegerValue
{
    return integer;
}

- (long long)longLongValue
{
    return (long long)integer;
}

- (unsigned long long)unsignedLongLongValue
{
    return integer;
}

- (float)floatValue
{
    return (float)real;
}

- (double)doubleValue
{
    return real;
}

- (bool)isEqualToNumber:(NSNumber *)other
{
    return [other unsignedLongLongValue] == integer && [other doubleValue] == real;
}

- (bool)isEqual:(id)other
{
    return [other isKindOfClass:[NSNumber class]] && [self isEqualToNumber:other];
}

- (NSString *)description
{
    return is_real ? standin_string("%g", real) : standin_string("%lld", (long long)integer);
}

@end
