#include <stdlib.h>

#include "foundation.h"
#include "pool.h"

static _Thread_local struct {
    id *objects;
    size_t used, room, depth;
} stack;

void pool_add(id object)
{
    if (stack.depth == 0)
        return;
    if (stack.used == stack.room) {
        stack.room = stack.room ? 2 * stack.room : 64;
        stack.objects = realloc(stack.objects, stack.room * sizeof *stack.objects);
        if (!stack.objects)
            abort();
    }
    stack.objects[stack.used++] = object;
}

/* One more than the height of the stack, so that no mark is NULL. */
static void *push(void)
{
    stack.depth++;
    return (void *)(uintptr_t)(stack.used + 1);
}

static void pop(void *mark)
{
    const size_t height = (size_t)(uintptr_t)mark - 1;
    while (stack.used > height)
        [stack.objects[--stack.used] release];
    if (--stack.depth == 0) {
        free(stack.objects);
        stack.objects = NULL;
        stack.room = 0;
    }
}

@implementation NSAutoreleasePool

- (id)init
{
    mark = push();
    return self;
}

- (void)drain
{
    [self release];
}

- (void)dealloc
{
    pop(mark);
    [super dealloc];
}

@end
