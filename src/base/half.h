/* f16 and bf16 to f32 and back, one value at a time, in arithmetic that is exact: the same bits on
 * every machine and under every rounding and flush mode. */
#ifndef BASE_HALF_H
#define BASE_HALF_H

#include <stdint.h>
#include <string.h>

static inline float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t float_to_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float bf16_to_f32(uint16_t value)
{
    return float_from_bits((uint32_t)value << 16);
}

/* To nearest even; NaN stays NaN (quiet), overflow is infinity. */
static inline uint16_t bf16_from_f32(float value)
{
    uint32_t bits = float_to_bits(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return (uint16_t)((bits >> 16) | 0x0040u);
    return (uint16_t)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

/* All ones where `condition` holds: compilers keep masks out of branches, and so take several
 * values at once. */
static inline uint32_t half_mask(int condition)
{
    return 0u - (uint32_t)(condition != 0);
}

static inline float f16_to_f32(uint16_t value)
{
    uint32_t magnitude = value & 0x7fffu;
    uint32_t subnormal = half_mask(magnitude < 0x400u);
    uint32_t special = half_mask(magnitude >= 0x7c00u); /* infinity, NaN (made quiet) */
    uint32_t quiet = half_mask(magnitude > 0x7c00u);
    uint32_t normal_bits = (magnitude << 13) + (112u << 23);
    uint32_t subnormal_bits = float_to_bits((float)(int32_t)magnitude * 0x1p-24f);
    uint32_t bits = (normal_bits & ~subnormal) | (subnormal_bits & subnormal) |
                    (0x7f800000u & special) | (0x400000u & quiet);
    return float_from_bits(bits | (uint32_t)(value & 0x8000u) << 16);
}

/* To nearest even; NaN stays NaN (quiet), overflow is infinity. */
static inline uint16_t f16_from_f32(float value)
{
    uint32_t bits = float_to_bits(value);
    uint16_t sign = (uint16_t)((bits >> 16) & 0x8000u);
    uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return (uint16_t)(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
    if (magnitude >= 0x477ff000u) /* 65520 and more rounds to infinity */
        return (uint16_t)(sign | 0x7c00u);
    if (magnitude >= 0x38800000u) { /* normal: 2^-14 and more */
        uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
        return (uint16_t)(sign | ((rounded - 0x38000000u) >> 13));
    }
    if (magnitude <= 0x33000000u) /* 2^-25 and less rounds to zero */
        return sign;
    /* Subnormal: the significand in units of 2^-24, rounded by hand. */
    uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
    unsigned shift = 126u - (magnitude >> 23);
    uint32_t half = 1u << (shift - 1);
    uint32_t rounded = significand >> shift;
    uint32_t rest = significand & ((1u << shift) - 1u);
    if (rest > half || (rest == half && (rounded & 1u)))
        rounded++;
    return (uint16_t)(sign | rounded);
}

#endif
