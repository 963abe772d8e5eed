/* Size arithmetic that says when it overflows, and rounding. */
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>

/* False when the result does not fit; *out is then undefined. */
static inline bool size_add(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline bool size_mul(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline size_t size_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t size_ceil_div(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* The caller knows that a + b does not overflow. */
static inline size_t size_round_up(size_t a, size_t b)
{
    return size_ceil_div(a, b) * b;
}

/* The least common multiple of a and b, both >= 1. */
static inline bool size_common_multiple(size_t a, size_t b, size_t *out)
{
    size_t divisor = a, rest = b;
    while (rest != 0) {
        size_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    return size_mul(a / divisor, b, out);
}

#endif
