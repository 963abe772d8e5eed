/* Numbers as files store them, at any address. */
#ifndef FILES_BYTES_H
#define FILES_BYTES_H

#include <stdint.h>

/* Weights are used in place, in the little-endian order of nearly all files. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a big-endian machine must swap weights");

static inline uint16_t bytes_u16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t bytes_u32(const uint8_t *at)
{
    return bytes_u16(at) | (uint32_t)bytes_u16(at + 2) << 16;
}

static inline uint64_t bytes_u64(const uint8_t *at)
{
    return bytes_u32(at) | (uint64_t)bytes_u32(at + 4) << 32;
}

#endif
