/* ggml's blocks of 32 elements with one f16 scale d, and an f16 offset m where there is one.
 *
 *   q4_0  d  nibbles[16]            (q - 8) * d
 *   q4_1  d  m  nibbles[16]         q * d + m
 *   q5_0  d  high[4]  nibbles[16]   (q - 16) * d
 *   q5_1  d  m  high[4] nibbles[16] q * d + m
 *   q8_0  d  int8[32]               q * d
 *
 * Byte j of the nibbles holds element j (low) and j + 16 (high); bit j of the 32 high bits is the
 * fifth bit of element j. Computed in f32 in ggml's order, so that the bits agree. */
#include "matrix/load.h"
#include "matrix/read.h"

#define HALF_BLOCK 16

void legacy_read_q4_0(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 18, out += 2 * HALF_BLOCK) {
        float d = load_f16(data);
        for (size_t j = 0; j < HALF_BLOCK; j++) {
            out[j] = (float)((data[2 + j] & 15) - 8) * d;
            out[j + HALF_BLOCK] = (float)((data[2 + j] >> 4) - 8) * d;
        }
    }
}

void legacy_read_q4_1(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 20, out += 2 * HALF_BLOCK) {
        float d = load_f16(data), m = load_f16(data + 2);
        for (size_t j = 0; j < HALF_BLOCK; j++) {
            out[j] = (float)(data[4 + j] & 15) * d + m;
            out[j + HALF_BLOCK] = (float)(data[4 + j] >> 4) * d + m;
        }
    }
}

/* The five-bit values of elements j and j + 16. */
static inline int five_low(const unsigned char *nibbles, uint32_t high, size_t j)
{
    return (nibbles[j] & 15) | (int)(high >> j & 1u) << 4;
}

static inline int five_high(const unsigned char *nibbles, uint32_t high, size_t j)
{
    return nibbles[j] >> 4 | (int)(high >> (j + HALF_BLOCK) & 1u) << 4;
}

void legacy_read_q5_0(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 22, out += 2 * HALF_BLOCK) {
        float d = load_f16(data);
        uint32_t high = load_u32(data + 2);
        for (size_t j = 0; j < HALF_BLOCK; j++) {
            out[j] = (float)(five_low(data + 6, high, j) - 16) * d;
            out[j + HALF_BLOCK] = (float)(five_high(data + 6, high, j) - 16) * d;
        }
    }
}

void legacy_read_q5_1(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 24, out += 2 * HALF_BLOCK) {
        float d = load_f16(data), m = load_f16(data + 2);
        uint32_t high = load_u32(data + 4);
        for (size_t j = 0; j < HALF_BLOCK; j++) {
            out[j] = (float)five_low(data + 8, high, j) * d + m;
            out[j + HALF_BLOCK] = (float)five_high(data + 8, high, j) * d + m;
        }
    }
}

void legacy_read_q8_0(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 34, out += 2 * HALF_BLOCK) {
        float d = load_f16(data);
        for (size_t j = 0; j < 2 * HALF_BLOCK; j++)
            out[j] = (float)(int8_t)data[2 + j] * d;
    }
}
