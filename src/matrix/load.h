/* Single values from and to unaligned memory, in the byte order of this machine. */
#ifndef MATRIX_LOAD_H
#define MATRIX_LOAD_H

#include <stdint.h>
#include <string.h>

#include "base/half.h"

static inline uint16_t load_u16(const void *from)
{
    uint16_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline uint32_t load_u32(const void *from)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline float load_f16(const void *from)
{
    return f16_to_f32(load_u16(from));
}

static inline void store_u16(void *to, uint16_t value)
{
    memcpy(to, &value, sizeof value);
}

#endif
