/* How fast a loop over registers runs. */
#ifndef CPU_PEAK_H
#define CPU_PEAK_H

#include <stddef.h>
#include <stdint.h>

#include "yoke/measure.h"

/* Calls round(arg), which does `operations` operations, for about ns; operations per second. The
 * clock is read ever more rarely: a reading of it takes as long as a good many operations. */
static inline double peak_rate(uint64_t ns, double operations, void (*round)(void *arg), void *arg)
{
    double rounds = 0;
    uint64_t begin = yoke_clock_ns(), end = begin;
    for (size_t batch = 1; end - begin < ns || end == begin;) {
        for (size_t i = 0; i < batch; i++)
            round(arg);
        rounds += (double)batch;
        end = yoke_clock_ns();
        if (end - begin < ns / 16)
            batch *= 2;
    }
    return rounds * operations / ((double)(end - begin) * 1e-9);
}

/* Fills with bytes that are never zero: multipliers run faster on zeros. `mask` and `set` clear and
 * set bits of each 16-bit value, to keep floats finite. */
static inline void peak_fill(uint16_t *values, size_t count, uint16_t mask, uint16_t set)
{
    uint32_t state = 0x2545f491u;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (uint16_t)(((state >> 16) & mask) | set);
    }
}

/* bf16 of magnitude 1 to 2 and either sign; int8 with no zero among them. */
static inline void peak_fill_bf16(uint16_t *values, size_t count)
{
    peak_fill(values, count, 0x807fu, 0x3f80u);
}

static inline void peak_fill_int8(void *values, size_t bytes)
{
    peak_fill(values, bytes / 2, 0xffffu, 0x0101u);
}

#endif
