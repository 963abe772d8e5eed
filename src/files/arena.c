#include "files/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

struct arena_chunk {
    arena_chunk *previous;
    uint64_t data[];
};

enum { CHUNK_BYTES = 64 * 1024 - 64 };

void *arena_take(arena *a, size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    bytes = size_round_up(bytes, sizeof(uint64_t));
    if (!a->last || bytes > a->capacity - a->used) {
        size_t capacity = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        arena_chunk *chunk = malloc(sizeof *chunk + capacity);
        if (!chunk)
            return NULL;
        chunk->previous = a->last;
        *a = (arena){.last = chunk, .capacity = capacity};
    }
    void *piece = (char *)a->last->data + a->used;
    a->used += bytes;
    return piece;
}

char *arena_text(arena *a, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? arena_take(a, length + 1) : NULL;
    if (!copy)
        return NULL;
    if (length)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void arena_free(arena *a)
{
    while (a->last) {
        arena_chunk *previous = a->last->previous;
        free(a->last);
        a->last = previous;
    }
    *a = (arena){0};
}
