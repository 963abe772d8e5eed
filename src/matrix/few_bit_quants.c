/* ggml's formats of one, two and "one and a half" bits, with one f16 scale d at the end or start.
 *
 *   q1_0   d  bits[16]           128 elements: d or -d
 *   q2_0   d  pairs[16]           64 elements: (q - 1) * d, lowest bits first
 *   tq2_0  pairs[64]  d          256 elements: byte l of a run of 32 holds l, l + 32, ...
 *   tq1_0  five[48]  four[4]  d  256 ternary digits, several a byte
 *
 * A tq1_0 byte is a fraction in base three, scaled by 256: multiplying by three brings the next
 * digit to the top. Computed in f32 in ggml's order, so that the bits agree. */
#include "matrix/load.h"
#include "matrix/read.h"

void few_bit_read_q1_0(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 18, out += 128) {
        float d = load_f16(data);
        for (size_t i = 0; i < 128; i++)
            out[i] = data[2 + i / 8] >> (i % 8) & 1 ? d : -d;
    }
}

void few_bit_read_q2_0(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 18, out += 64) {
        float d = load_f16(data);
        for (size_t i = 0; i < 64; i++)
            out[i] = (float)((data[2 + i / 4] >> (i % 4 * 2) & 3) - 1) * d;
    }
}

void few_bit_read_tq2_0(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 66, out += 256) {
        float d = load_f16(data + 64);
        for (size_t i = 0; i < 256; i++)
            out[i] = (float)((data[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3) - 1) * d;
    }
}

/* `digits` ternary digits of each of `bytes` bytes: the first digit of all, then the second ... */
static float *ternary_read(const unsigned char *data, size_t bytes, unsigned digits, float d,
                           float *out)
{
    unsigned power = 1;
    for (unsigned n = 0; n < digits; n++, power *= 3)
        for (size_t m = 0; m < bytes; m++)
            *out++ = (float)((int)((data[m] * power & 255u) * 3 >> 8) - 1) * d;
    return out;
}

void few_bit_read_tq1_0(const unsigned char *data, size_t blocks, float *out)
{
    for (size_t b = 0; b < blocks; b++, data += 54) {
        float d = load_f16(data + 52);
        out = ternary_read(data, 32, 5, d, out);
        out = ternary_read(data + 32, 16, 5, d, out);
        out = ternary_read(data + 48, 4, 4, d, out);
    }
}
