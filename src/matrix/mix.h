/* splitmix64: a well mixed 64-bit value of a counter. */
#ifndef MATRIX_MIX_H
#define MATRIX_MIX_H

#include <stdint.h>

#define MIX_STEP 0x9e3779b97f4a7c15u

static inline uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The next value of a stream. */
static inline uint64_t mix_next(uint64_t *state)
{
    return mix(*state += MIX_STEP);
}

#endif
