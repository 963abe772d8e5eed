/* ggml's K-quants: super-blocks of 256 elements, small groups with quantised scales (and mins).
 *
 *   q2_k  scales[16]  q[64]  d  dmin          16 groups of 16: scale low nibble, min high nibble
 *   q3_k  high[32]  q[64]  scales[12]  d      16 groups of 16: 6-bit scales less 32
 *   q4_k  d  dmin  scales[12]  q[128]          8 groups of 32: 6-bit scales and mins
 *   q5_k  d  dmin  scales[12]  high[32]  q[128]
 *   q6_k  low[128]  high[64]  int8 scales[16]  d
 *   q8_k  f32 d  int8 q[256]  int16 sums[16]
 *
 * Two-bit values: byte l of a run of 32 holds elements l, l + 32, l + 64, l + 96 from the lowest
 * bits up; a run serves 128 elements. Nibbles: byte l of a run of 32 holds l and l + 32.
 * Computed in f32 in ggml's order, so that the bits agree. */
#include "matrix/load.h"
#include "matrix/read.h"

#define SUPER_BLOCK 256

void k_read_q2(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 84, out += SUPER_BLOCK) {
        const unsigned char *q = data + 16;
        float d = load_f16(data + 80), dmin = load_f16(data + 82);
        for (size_t i = 0; i < SUPER_BLOCK; i++) {
            unsigned char scale = data[i / 16];
            int value = q[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
            out[i] = d * (float)(scale & 15) * (float)value - dmin * (float)(scale >> 4);
        }
    }
}

/* Scale of group g: low four bits from nibbles of the first 8 bytes, high two from the last 4. */
static int q3_scale(const unsigned char *scales, size_t g)
{
    int low = g < 8 ? scales[g] & 15 : scales[g - 8] >> 4;
    int high = scales[8 + g % 4] >> (g / 4 * 2) & 3;
    return (low | high << 4) - 32;
}

void k_read_q3(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 110, out += SUPER_BLOCK) {
        const unsigned char *high = data, *q = data + 32, *scales = data + 96;
        float d = load_f16(data + 108);
        for (size_t i = 0; i < SUPER_BLOCK; i++) {
            int value = q[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
            if (!(high[i % 32] >> (i / 32) & 1))
                value -= 4;
            out[i] = d * (float)q3_scale(scales, i / 16) * (float)value;
        }
    }
}

/* The six-bit scale and min of group g of a q4_k or q5_k block: those of the first four groups
 * lie whole in bytes 0-3 and 4-7; of the others, four bits in bytes 8-11, two atop the former. */
static void q45_scale_min(const unsigned char *scales, size_t g, float *scale, float *min)
{
    int s, m;
    if (g < 4) {
        s = scales[g] & 63;
        m = scales[g + 4] & 63;
    } else {
        s = (scales[g + 4] & 15) | scales[g - 4] >> 6 << 4;
        m = scales[g + 4] >> 4 | scales[g] >> 6 << 4;
    }
    *scale = (float)s;
    *min = (float)m;
}

/* One q4_k or q5_k block; high is NULL when there are no fifth bits. */
static void q45_read(const unsigned char *data, const unsigned char *high, const unsigned char *q,
                     float *out)
{
    float d = load_f16(data), dmin = load_f16(data + 2);
    for (size_t g = 0; g < SUPER_BLOCK / 32; g++) {
        float scale, min;
        q45_scale_min(data + 4, g, &scale, &min);
        scale = d * scale;
        min = dmin * min;
        for (size_t l = 0; l < 32; l++) {
            int value = q[g / 2 * 32 + l] >> (g % 2 * 4) & 15;
            if (high && (high[l] >> g & 1))
                value += 16;
            out[g * 32 + l] = scale * (float)value - min;
        }
    }
}

void k_read_q4(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 144, out += SUPER_BLOCK)
        q45_read(data, NULL, data + 16, out);
}

void k_read_q5(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 176, out += SUPER_BLOCK)
        q45_read(data, data + 16, data + 48, out);
}

void k_read_q6(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 210, out += SUPER_BLOCK) {
        const unsigned char *low = data, *high = data + 128, *scales = data + 192;
        float d = load_f16(data + 208);
        for (size_t i = 0; i < SUPER_BLOCK; i++) {
            size_t half = i / 128, run = i % 128 / 32, l = i % 32;
            int value = low[half * 64 + run % 2 * 32 + l] >> (run / 2 * 4) & 15;
            value |= (high[half * 32 + l] >> (run * 2) & 3) << 4;
            out[i] = d * (float)(int8_t)scales[i / 16] * (float)(value - 32);
        }
    }
}

void k_read_q8(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 292, out += SUPER_BLOCK) {
        float d = float_from_bits(load_u32(data));
        for (size_t i = 0; i < SUPER_BLOCK; i++)
            out[i] = d * (float)(int8_t)data[4 + i];
    }
}
