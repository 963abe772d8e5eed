/* ggml's formats of one to three bits, in blocks of 256: an index stands for several elements.
 *
 *   iq2_xxs  f16 d  8 x { index[4]  u32: 4 x 7 bits of signs, 4 of scale }
 *   iq2_xs   f16 d  8 x { u16[4]: 9 bits of index, 7 of signs }  scales[8]
 *   iq2_s    f16 d  index[32]  signs[32]  high[8]  scales[8]
 *   iq3_xxs  f16 d  index[64]  8 x { u32: 4 x 7 bits of signs, 4 of scale }
 *   iq3_s    f16 d  index[64]  high[8]  signs[32]  scales[4]
 *   iq1_s    f16 d  index[32]  8 x { u16: 4 x 3 high bits, 3 of scale, 1 of shift }
 *   iq1_m    index[32]  high[16]  scales[8], each u16 of which has a quarter of d on top
 *
 * A group is 32 elements, an octet 8 of them. Seven signs stand for eight, of which an even number
 * are minus. Computed in f32 in ggml's order, so that the bits agree. */
#include "matrix/codebooks.h"
#include "matrix/load.h"
#include "matrix/read.h"

static const float STEPS_IQ2[4] = {8, 25, 43, 0};
static const float STEPS_IQ3_XXS[8] = {4, 12, 20, 28, 36, 44, 52, 62};
static const float STEPS_IQ3_S[8] = {1, 3, 5, 7, 9, 11, 13, 15};
#define SHIFT_IQ1 0.125f

static unsigned eight_signs(unsigned seven)
{
    return seven | (unsigned)__builtin_parity(seven) << 7;
}

static float signed_by(float value, unsigned signs, unsigned i)
{
    return signs >> i & 1 ? -value : value;
}

static void octet_iq2(unsigned code, float scale, unsigned signs, float *out)
{
    for (unsigned i = 0; i < 8; i++)
        out[i] = signed_by(scale * STEPS_IQ2[code >> (2 * i) & 3], signs, i);
}

static void octet_iq3(unsigned first, unsigned second, const float *steps, float scale,
                      unsigned signs, float *out)
{
    unsigned code = first | second << 12;
    for (unsigned i = 0; i < 8; i++)
        out[i] = signed_by(scale * steps[code >> (3 * i) & 7], signs, i);
}

static void octet_iq1(unsigned code, float scale, float shift, float *out)
{
    for (unsigned i = 0; i < 8; i++)
        out[i] = scale * ((float)(int)(code >> (2 * i) & 3) - 1 + shift);
}

/* One of the two scales of a group of iq2_xs and iq2_s. */
static float scale_iq2(float d, unsigned char scales, size_t octet)
{
    return d * (0.5f + (float)(scales >> (octet / 2 * 4) & 15)) * 0.25f;
}

void grid_read_iq2_xxs(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 66) {
        float d = load_f16(data);
        for (size_t octet = 0; octet < 32; octet++, out += 8) {
            const unsigned char *group = data + 2 + octet / 4 * 8;
            unsigned rest = load_u32(group + 4);
            float scale = d * (0.5f + (float)(rest >> 28)) * 0.25f;
            octet_iq2(CODEBOOK_IQ2_XXS[group[octet % 4]], scale,
                      eight_signs(rest >> (7 * (octet % 4)) & 127), out);
        }
    }
}

void grid_read_iq2_xs(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 74) {
        float d = load_f16(data);
        for (size_t octet = 0; octet < 32; octet++, out += 8) {
            unsigned word = load_u16(data + 2 + 2 * octet);
            octet_iq2(CODEBOOK_IQ2_XS[word & 511], scale_iq2(d, data[66 + octet / 4], octet % 4),
                      eight_signs(word >> 9), out);
        }
    }
}

void grid_read_iq2_s(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 82) {
        float d = load_f16(data);
        for (size_t octet = 0; octet < 32; octet++, out += 8) {
            unsigned high = data[66 + octet / 4] >> (2 * (octet % 4)) & 3u;
            octet_iq2(CODEBOOK_IQ2_S[data[2 + octet] | high << 8],
                      scale_iq2(d, data[74 + octet / 4], octet % 4), data[34 + octet], out);
        }
    }
}

void grid_read_iq3_xxs(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 98) {
        float d = load_f16(data);
        for (size_t octet = 0; octet < 32; octet++, out += 8) {
            const unsigned char *index = data + 2 + 2 * octet;
            unsigned rest = load_u32(data + 66 + octet / 4 * 4);
            float scale = d * (0.5f + (float)(rest >> 28)) * 0.5f;
            octet_iq3(CODEBOOK_IQ3_XXS[index[0]], CODEBOOK_IQ3_XXS[index[1]], STEPS_IQ3_XXS, scale,
                      eight_signs(rest >> (7 * (octet % 4)) & 127), out);
        }
    }
}

void grid_read_iq3_s(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 110) {
        float d = load_f16(data);
        for (size_t octet = 0; octet < 32; octet++, out += 8) {
            const unsigned char *index = data + 2 + 2 * octet;
            unsigned high = data[66 + octet / 4] >> (2 * (octet % 4)) & 3u;
            unsigned four = data[106 + octet / 8] >> (octet / 4 % 2 * 4) & 15u;
            octet_iq3(CODEBOOK_IQ3_S[index[0] | (high & 1) << 8],
                      CODEBOOK_IQ3_S[index[1] | (high & 2) << 7], STEPS_IQ3_S,
                      d * (float)(1 + 2 * four), data[74 + octet], out);
        }
    }
}

void grid_read_iq1_s(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 50) {
        float d = load_f16(data);
        for (size_t octet = 0; octet < 32; octet++, out += 8) {
            unsigned word = load_u16(data + 34 + octet / 4 * 2);
            unsigned high = word >> (3 * (octet % 4)) & 7u;
            octet_iq1(CODEBOOK_IQ1[data[2 + octet] | high << 8],
                      d * (float)(2 * (word >> 12 & 7u) + 1),
                      word & 0x8000 ? -SHIFT_IQ1 : SHIFT_IQ1, out);
        }
    }
}

/* The four highest bits of each of four words. */
static float scale_iq1_m(const unsigned char *scales)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < 4; i++)
        bits |= (unsigned)(load_u16(scales + 2 * i) >> 12) << (4 * i);
    return f16_to_f32((uint16_t)bits);
}

void grid_read_iq1_m(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 56) {
        const unsigned char *scales = data + 48;
        float d = scale_iq1_m(scales);
        for (size_t octet = 0; octet < 32; octet++, out += 8) {
            unsigned high = data[32 + octet / 2] >> (octet % 2 * 4) & 15u;
            unsigned three = load_u16(scales + octet / 8 * 2) >> (octet / 2 % 4 * 3) & 7u;
            octet_iq1(CODEBOOK_IQ1[data[octet] | (high & 7) << 8], d * (float)(2 * three + 1),
                      high & 8 ? -SHIFT_IQ1 : SHIFT_IQ1, out);
        }
    }
}
