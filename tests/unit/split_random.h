/* Reproducible choices, for tests that hold over many curves. */
#ifndef TESTS_SPLIT_RANDOM_H
#define TESTS_SPLIT_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* splitmix64, by Sebastiano Vigna. */
static inline uint64_t random_next(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* In [low, high]. */
static inline size_t random_size(uint64_t *seed, size_t low, size_t high)
{
    return low + (size_t)(random_next(seed) % (high - low + 1));
}

/* In [low, high). */
static inline double random_real(uint64_t *seed, double low, double high)
{
    return low + (high - low) * ((double)(random_next(seed) >> 11) * 0x1p-53);
}

#endif
