#include "files/names.h"

#include <stdlib.h>

#include "base/hash.h"

/* FNV-1a from a secret start, mixed once more so that the low bits depend on all others. */
static uint32_t names_hash(const names *n, const char *name, size_t length)
{
    uint64_t hash = hash_bytes(HASH_BASIS ^ n->seed, name, length);
    hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93u;
    return (uint32_t)(hash >> 32);
}

static void names_place(names *n, names_slot slot)
{
    size_t mask = n->slot_count - 1;
    size_t at = slot.hash & mask;
    while (n->slots[at].number_plus_1)
        at = (at + 1) & mask;
    n->slots[at] = slot;
}

static bool names_grow(names *n)
{
    names old = *n;
    n->slot_count = old.slot_count ? old.slot_count * 2 : 64;
    n->slots = calloc(n->slot_count, sizeof *n->slots);
    if (!n->slots) {
        *n = old;
        return false;
    }
    for (size_t i = 0; i < old.slot_count; i++)
        if (old.slots[i].number_plus_1)
            names_place(n, old.slots[i]);
    free(old.slots);
    return true;
}

size_t names_find(const names *n, const char *name, size_t length, names_equal *equal,
                  const void *owner)
{
    if (n->slot_count == 0)
        return NAMES_NONE;
    uint32_t hash = names_hash(n, name, length);
    size_t mask = n->slot_count - 1;
    for (size_t at = hash & mask; n->slots[at].number_plus_1; at = (at + 1) & mask) {
        size_t number = n->slots[at].number_plus_1 - 1;
        if (n->slots[at].hash == hash && equal(owner, number, name, length))
            return number;
    }
    return NAMES_NONE;
}

bool names_add(names *n, const char *name, size_t length, size_t number)
{
    if (number >= UINT32_MAX || (n->used >= n->slot_count / 2 && !names_grow(n)))
        return false;
    names_place(n, (names_slot){names_hash(n, name, length), (uint32_t)number + 1});
    n->used++;
    return true;
}

void names_free(names *n)
{
    free(n->slots);
    *n = (names){0};
}
