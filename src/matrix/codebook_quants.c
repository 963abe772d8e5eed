/* ggml's blocks whose nibbles index a table of sixteen values.
 *
 *   iq4_nl  f16 d  nibbles[16]                        32 elements, non-linear table
 *   iq4_xs  f16 d  u16 high  low[4]  nibbles[128]     8 groups of 32: 6-bit scales less 32
 *   mxfp4   e8m0 scale  nibbles[16]                   32 elements of F4 E2M1
 *   nvfp4   e4m3 scales[4]  nibbles[32]               4 groups of 16 elements of F4 E2M1
 *
 * Byte j of a group of n elements holds elements j (low nibble) and j + n / 2. Computed in f32 in
 * ggml's order, so that the bits agree. */
#include "matrix/load.h"
#include "matrix/read.h"

/* ggml's table for iq4_nl and iq4_xs. */
static const int8_t NON_LINEAR[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                      1,    13,   25,  38,  53,  69,  89,  113};
/* The E2M1 values, doubled to be whole; the scales are halved for it. */
static const int8_t E2M1_DOUBLED[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

static void group_read(const unsigned char *nibbles, size_t elements, const int8_t *table,
                       float scale, float *out)
{
    for (size_t j = 0; j < elements / 2; j++) {
        out[j] = scale * (float)table[nibbles[j] & 15];
        out[j + elements / 2] = scale * (float)table[nibbles[j] >> 4];
    }
}

void codebook_read_iq4_nl(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 18, out += 32)
        group_read(data + 2, 32, NON_LINEAR, load_f16(data), out);
}

void codebook_read_iq4_xs(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 136) {
        float d = load_f16(data);
        unsigned high = load_u16(data + 2);
        for (size_t g = 0; g < 8; g++, out += 32) {
            int low = data[4 + g / 2] >> (g % 2 * 4) & 15;
            int scale = (low | (int)(high >> (2 * g) & 3u) << 4) - 32;
            group_read(data + 8 + 16 * g, 32, NON_LINEAR, d * (float)scale, out);
        }
    }
}

/* 2^(e - 128): half of what E8M0 says. */
static float e8m0_half(unsigned char e)
{
    return float_from_bits(e < 2 ? 0x00200000u << e : (uint32_t)(e - 1) << 23);
}

void codebook_read_mxfp4(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 17, out += 32)
        group_read(data + 1, 32, E2M1_DOUBLED, e8m0_half(data[0]), out);
}

/* Half of an unsigned E4M3 scale; the top bit is ignored, and ggml reads 0x7f as zero. */
static float e4m3_half(unsigned char bits)
{
    if (bits == 0x7f)
        return 0.0f;
    unsigned exponent = bits >> 3 & 15u, fraction = bits & 7u;
    if (exponent == 0)
        return (float)fraction * 0x1p-10f;
    return float_from_bits((exponent + 119u) << 23 | fraction << 20);
}

void codebook_read_nvfp4(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 36)
        for (size_t g = 0; g < 4; g++, out += 16)
            group_read(data + 4 + 8 * g, 16, E2M1_DOUBLED, e4m3_half(data[g]), out);
}
