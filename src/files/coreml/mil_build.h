/* Lists of a program as it is read: items wait on a stack until their list is complete, and then
 * move to the arena together. */
#ifndef FILES_COREML_MIL_BUILD_H
#define FILES_COREML_MIL_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "files/arena.h"

/* Set the arena, zero the rest. */
typedef struct mil_build {
    arena *arena;
    uint8_t *stack;
    size_t used, capacity;
} mil_build;

/* Puts an item on the stack; its size is a multiple of 8. False when memory is out. */
bool mil_push(mil_build *build, const void *item, size_t size);

/* Moves what was pushed since build->used was `mark` to the arena, and counts it.
 * NULL when memory is out. */
void *mil_collect(mil_build *build, size_t mark, size_t item_size, size_t *count);

void mil_build_free(mil_build *build);

#endif
