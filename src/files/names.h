/* An index from names to numbers in constant time. The names belong to the caller, who can be
 * asked for each of them. */
#ifndef FILES_NAMES_H
#define FILES_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAMES_NONE SIZE_MAX

typedef struct names_slot {
    uint32_t hash;
    uint32_t number_plus_1; /* 0: free */
} names_slot;

/* Zero-initialise, then set the seed: something a file's author cannot know, so that names cannot
 * be chosen to collide. */
typedef struct names {
    uint64_t seed;
    names_slot *slots;
    size_t slot_count; /* a power of two */
    size_t used;
} names;

/* Does number `number` have this name? */
typedef bool names_equal(const void *owner, size_t number, const char *name, size_t length);

/* The number of a name, or NAMES_NONE. */
size_t names_find(const names *n, const char *name, size_t length, names_equal *equal,
                  const void *owner);

/* Adds a name that is not there yet, number < UINT32_MAX. False when memory is out. */
bool names_add(names *n, const char *name, size_t length, size_t number);

void names_free(names *n);

#endif
