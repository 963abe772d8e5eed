#include <stdlib.h>

#include "foundation.h"

@interface NSMutableArray (standin)
- (void)standin_put:(id)object at:(NSUInteger)index over:(bool)replaced;
@end

@interface NSDictionary (standin)
- (void)standin_set:(id)object for:(id)key;
@end

@implementation NSMutableArray (standin)

- (void)standin_put:(id)object at:(NSUInteger)index over:(bool)replaced
{
    [object retain];
    if (replaced) {
        [items[index] release];
    } else {
        [self addObject:object];
        [object release];
        for (NSUInteger i = used - 1; i > index; i--)
            items[i] = items[i - 1];
    }
    items[index] = object;
}

@end

@implementation NSDictionary (standin)

- (void)standin_set:(id)object for:(id)key
{
    if (!object || !key)
        abort(); /* raises NSInvalidArgumentException */
    NSUInteger at = [keys indexOfObject:key];
    const bool known = at != INT64_MAX;
    if (!known)
        for (at = 0; at < [keys count]; at++)
            if ([[key description] compare:[[keys objectAtIndex:at] description]] < 0)
                break;
    if (!known)
        [keys standin_put:key at:at over:false];
    [values standin_put:object at:at over:known];
}

@end

@implementation NSDictionary

+ (id)dictionary
{
    return [self dictionaryWithObjects:NULL forKeys:NULL count:0];
}

+ (id)dictionaryWithObject:(id)object forKey:(id)key
{
    return [self dictionaryWithObjects:&object forKeys:&key count:1];
}

+ (id)dictionaryWithObjects:(NSArray *)objects forKeys:(NSArray *)names
{
    NSDictionary *made = [[[self alloc] init] autorelease];
    for (NSUInteger i = 0; i < [names count]; i++)
        [made standin_set:[objects objectAtIndex:i] for:[names objectAtIndex:i]];
    return made;
}

+ (id)dictionaryWithObjects:(const id *)objects forKeys:(const id *)names count:(NSUInteger)count
{
    return [[[self alloc] initWithObjects:objects forKeys:names count:count] autorelease];
}

- (id)init
{
    keys = [NSMutableArray new];
    values = [NSMutableArray new];
    return self;
}

- (id)initWithObjects:(const id *)objects forKeys:(const id *)names count:(NSUInteger)count
{
    [self init];
    for (NSUInteger i = 0; i < count; i++)
        [self standin_set:objects[i] for:names[i]];
    return self;
}

- (void)dealloc
{
    [keys release];
    [values release];
    [super dealloc];
}

- (NSUInteger)count
{
    return [keys count];
}

- (id)objectForKey:(id)key
{
    const NSUInteger at = [keys indexOfObject:key];
    return at == INT64_MAX ? nil : [values objectAtIndex:at];
}

- (NSArray *)allKeys
{
    return [NSArray arrayWithArray:keys];
}

- (NSArray *)allValues
{
    return [NSArray arrayWithArray:values];
}

@end

@implementation NSMutableDictionary

- (void)setObject:(id)object forKey:(id)key
{
    [self standin_set:object for:key];
}

@end
