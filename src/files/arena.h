/* Many small pieces of memory that are freed together. */
#ifndef FILES_ARENA_H
#define FILES_ARENA_H

#include <stddef.h>

typedef struct arena_chunk arena_chunk;

/* Zero-initialise. */
typedef struct arena {
    arena_chunk *last;
    size_t used, capacity; /* of the last chunk */
} arena;

/* 8-byte aligned and not zeroed; NULL when memory is out. */
void *arena_take(arena *a, size_t bytes);

/* length bytes of text and a NUL behind them; NULL when memory is out. */
char *arena_text(arena *a, const char *text, size_t length);

void arena_free(arena *a);

#endif
