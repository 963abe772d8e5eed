/* Floats of eight bits and less, laid out as safetensors stores them.
 *
 *   F8     one byte an element
 *   F6     four elements in three bytes, the first in the lowest bits of the first byte
 *   F4     two elements a byte, the first in the low nibble
 *
 * E4M3 is the "fn" kind: no infinity, S.1111.111 is NaN, largest 448. E5M2 is the upper half of an
 * f16. E8M0 is a power of two without sign, 0xff is NaN. The six and four bit kinds are all finite.
 */
#include "matrix/load.h"
#include "matrix/read.h"

/* sign, exponent and fraction bits from the top of `bits` down; no infinities or NaN. */
static float small_decode(unsigned bits, unsigned exponent_bits, unsigned fraction_bits)
{
    int bias = (1 << (exponent_bits - 1)) - 1;
    unsigned fraction = bits & ((1u << fraction_bits) - 1u);
    unsigned exponent = (bits >> fraction_bits) & ((1u << exponent_bits) - 1u);
    uint32_t sign = (uint32_t)(bits >> (exponent_bits + fraction_bits)) << 31;
    if (exponent == 0) {
        float unit = float_from_bits((uint32_t)(127 + 1 - bias - (int)fraction_bits) << 23);
        return float_from_bits(sign | float_to_bits((float)fraction * unit));
    }
    return float_from_bits(sign | (uint32_t)((int)exponent - bias + 127) << 23 |
                           fraction << (23 - fraction_bits));
}

void small_read_f8_e4m3(const unsigned char *data, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (data[i] & 0x7fu) == 0x7fu
                     ? float_from_bits(((uint32_t)(data[i] >> 7) << 31) | 0x7fc00000u)
                     : small_decode(data[i], 4, 3);
}

void small_read_f8_e5m2(const unsigned char *data, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = f16_to_f32((uint16_t)(data[i] << 8));
}

void small_read_f8_e8m0(const unsigned char *data, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = data[i] == 0xff ? 0x7fc00000u : (uint32_t)data[i] << 23;
        out[i] = float_from_bits(data[i] == 0 ? 0x00400000u : bits); /* 2^-127 is subnormal */
    }
}

static void small_read_f6(const unsigned char *data, size_t blocks, unsigned exponent_bits,
                          float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 3) {
        unsigned bits = data[0] | (unsigned)data[1] << 8 | (unsigned)data[2] << 16;
        for (unsigned i = 0; i < 4; i++)
            *out++ = small_decode(bits >> (6 * i) & 63u, exponent_bits, 5 - exponent_bits);
    }
}

void small_read_f6_e2m3(const unsigned char *data, size_t blocks, float *out)
{
    small_read_f6(data, blocks, 2, out);
}

void small_read_f6_e3m2(const unsigned char *data, size_t blocks, float *out)
{
    small_read_f6(data, blocks, 3, out);
}

void small_read_f4_e2m1(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++) {
        *out++ = small_decode(data[b] & 15u, 2, 1);
        *out++ = small_decode(data[b] >> 4, 2, 1);
    }
}
