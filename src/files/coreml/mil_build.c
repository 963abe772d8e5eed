#include "files/coreml/mil_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"

bool mil_push(mil_build *build, const void *item, size_t size)
{
    if (size > build->capacity - build->used) {
        size_t capacity;
        if (!size_add(build->capacity, size + 1024, &capacity) || !size_mul(capacity, 2, &capacity))
            return false;
        uint8_t *stack = realloc(build->stack, capacity);
        if (!stack)
            return false;
        build->stack = stack;
        build->capacity = capacity;
    }
    memcpy(build->stack + build->used, item, size);
    build->used += size;
    return true;
}

void *mil_collect(mil_build *build, size_t mark, size_t item_size, size_t *count)
{
    size_t bytes = build->used - mark;
    void *list = arena_take(build->arena, bytes);
    if (list && bytes)
        memcpy(list, build->stack + mark, bytes);
    *count = bytes / item_size;
    build->used = mark;
    return list;
}

void mil_build_free(mil_build *build)
{
    free(build->stack);
    *build = (mil_build){.arena = build->arena};
}
