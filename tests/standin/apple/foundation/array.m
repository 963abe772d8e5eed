#include <stdlib.h>

#include "foundation.h"

@implementation NSArray

+ (id)array
{
    return [self arrayWithObjects:NULL count:0];
}

+ (id)arrayWithObject:(id)object
{
    return [self arrayWithObjects:&object count:1];
}

+ (id)arrayWithObjects:(const id *)objects count:(NSUInteger)count
{
    return [[[self alloc] initWithObjects:objects count:count] autorelease];
}

+ (id)arrayWithArray:(NSArray *)other
{
    return [self arrayWithObjects:other->items count:other->used];
}

- (void)standin_add:(id)object
{
    if (!object)
        abort(); /* raises NSInvalidArgumentException */
    if (used == room) {
        room = room ? 2 * room : 4;
        items = realloc(items, room * sizeof *items);
        if (!items)
            abort();
    }
    items[used++] = [object retain];
}

- (id)initWithObjects:(const id *)objects count:(NSUInteger)count
{
    for (NSUInteger i = 0; i < count; i++)
        [self standin_add:objects[i]];
    return self;
}

- (void)dealloc
{
    for (NSUInteger i = 0; i < used; i++)
        [items[i] release];
    free(items);
    [super dealloc];
}

- (NSUInteger)count
{
    return used;
}

- (id)objectAtIndex:(NSUInteger)index
{
    if (index >= used)
        abort(); /* raises NSRangeException */
    return items[index];
}

- (id)firstObject
{
    return used ? items[0] : nil;
}

/* NSNotFound when there is none. */
- (NSUInteger)indexOfObject:(id)object
{
    for (NSUInteger i = 0; i < used; i++)
        if ([items[i] isEqual:object])
            return i;
    return INT64_MAX;
}

- (bool)containsObject:(id)object
{
    return [self indexOfObject:object] != INT64_MAX;
}

@end

@implementation NSMutableArray

+ (id)arrayWithCapacity:(NSUInteger)expected
{
    (void)expected;
    return [self array];
}

- (void)addObject:(id)object
{
    [self standin_add:object];
}

@end
