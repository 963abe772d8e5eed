/* Large buffers: page-mapped, zeroed, on huge pages where the system gives them. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* At least 64-byte aligned, zeroed memory, not yet touched (so that the threads that use it can
 * place it); 2 MiB aligned and advised to huge pages from 2 MiB on. NULL when there is none, or for
 * bytes == 0. */
void *memory_map(size_t bytes);

/* Gives it back; bytes as mapped. Takes NULL. */
void memory_unmap(void *memory, size_t bytes);

/* Room for one more item behind `count` of them: the array, which may have moved, with *capacity.
 * NULL when out of memory: then the array is as it was. Begins with NULL and 0; freed by free. */
void *memory_room(void *array, size_t count, size_t *capacity, size_t item_bytes);

#endif
