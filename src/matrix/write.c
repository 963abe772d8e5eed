#include "matrix/write.h"

#include <assert.h>
#include <math.h>

#include "matrix/load.h"

bool write_supports(yoke_format format)
{
    return format == YOKE_F64 || format == YOKE_F32 || format == YOKE_F16 || format == YOKE_BF16;
}

/* To f32 with the last bit set whenever the result is not exact ("to odd"): rounding that again to
 * a much shorter format then gives what rounding once would have given. */
static float f32_to_odd(double value)
{
    float nearest = (float)value;
    uint32_t bits = float_to_bits(nearest);
    if ((double)nearest == value || isnan(value) || (bits & 1u))
        return nearest;
    return float_from_bits(fabs((double)nearest) > fabs(value) ? bits - 1 : bits + 1);
}

void write_from_f64(yoke_format format, void *to, const double *values, size_t n)
{
    assert(write_supports(format));
    unsigned char *out = to;
    for (size_t i = 0; i < n; i++) {
        float single;
        switch (format) {
        case YOKE_F64: memcpy(out + 8 * i, &values[i], 8); break;
        case YOKE_F32:
            single = (float)values[i];
            memcpy(out + 4 * i, &single, 4);
            break;
        case YOKE_F16: store_u16(out + 2 * i, f16_from_f32(f32_to_odd(values[i]))); break;
        default: store_u16(out + 2 * i, bf16_from_f32(f32_to_odd(values[i]))); break;
        }
    }
}

void write_from_f32(yoke_format format, void *to, const float *values, size_t n)
{
    assert(write_supports(format));
    unsigned char *out = to;
    if (format == YOKE_F32) {
        memcpy(out, values, n * sizeof *values);
    } else if (format == YOKE_F16) {
        for (size_t i = 0; i < n; i++)
            store_u16(out + 2 * i, f16_from_f32(values[i]));
    } else if (format == YOKE_BF16) {
        for (size_t i = 0; i < n; i++)
            store_u16(out + 2 * i, bf16_from_f32(values[i]));
    } else {
        for (size_t i = 0; i < n; i++) {
            double wide = (double)values[i];
            memcpy(out + 8 * i, &wide, 8);
        }
    }
}

/* The value of largest magnitude among the 32 of a block (the first of equals), with its sign;
 * NaN when one of them is not finite. */
static float block_extreme(const float *values)
{
    float extreme = 0.0f;
    bool finite = true;
    for (size_t j = 0; j < 32; j++) {
        finite = finite && isfinite(values[j]);
        if (fabsf(values[j]) > fabsf(extreme))
            extreme = values[j];
    }
    return finite ? extreme : NAN;
}

/* A block whose scale is NaN and whose quants are not zero. */
static void write_nan_block(unsigned char *out, size_t block_bytes)
{
    memset(out, 0x11, block_bytes);
    store_u16(out, 0x7e00);
}

static float reciprocal(float d)
{
    return d != 0.0f ? 1.0f / d : 0.0f;
}

void write_q8_0(void *to, const float *values, size_t blocks)
{
    unsigned char *out = to;
    for (size_t b = 0; b < blocks; b++, out += 34, values += 32) {
        float extreme = block_extreme(values);
        if (isnan(extreme)) {
            write_nan_block(out, 34);
            continue;
        }
        float d = fabsf(extreme) / 127.0f;
        float inverse = reciprocal(d);
        store_u16(out, f16_from_f32(d));
        for (size_t j = 0; j < 32; j++) {
            /* Clamped for scales so small that their inverse is infinite. */
            float q = fminf(fmaxf(roundf(values[j] * inverse), -127.0f), 127.0f);
            out[2 + j] = (unsigned char)(int8_t)q;
        }
    }
}

static unsigned char q4_quant(float scaled)
{
    float shifted = scaled + 8.5f;
    return shifted >= 15.0f ? 15 : shifted > 0.0f ? (unsigned char)shifted : 0;
}

void write_q4_0(void *to, const float *values, size_t blocks)
{
    unsigned char *out = to;
    for (size_t b = 0; b < blocks; b++, out += 18, values += 32) {
        float extreme = block_extreme(values);
        if (isnan(extreme)) {
            write_nan_block(out, 18);
            continue;
        }
        float d = extreme / -8.0f;
        float inverse = reciprocal(d);
        store_u16(out, f16_from_f32(d));
        for (size_t j = 0; j < 16; j++)
            out[2 + j] = (unsigned char)(q4_quant(values[j] * inverse) |
                                         q4_quant(values[j + 16] * inverse) << 4);
    }
}
