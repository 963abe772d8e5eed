/* The exact kernels on NEON (AArch64): a panel's 16 outputs are four registers. */
#ifdef __aarch64__
#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>

#include "engines/cpu/unroll.h"

typedef float32x4x4_t lanes;

#define ROW_BLOCK      4
#define TILE_PANELS_1  4
#define TILE_PANELS_2  2
#define TILE_PANELS_4  1
#define EXACT_NAME     "neon"
#define EXACT_FEATURES YOKE_CPU_NEON
#define EXACT_TABLE    exact_neon

INLINE lanes lanes_zero(void)
{
    lanes a;
    EACH (i, 4)
        a.val[i] = vdupq_n_f32(0);
    return a;
}

INLINE lanes lanes_load(const float *from)
{
    lanes a;
    EACH (i, 4)
        a.val[i] = vld1q_f32(from + 4 * i);
    return a;
}

INLINE void lanes_store(float *to, lanes a)
{
    EACH (i, 4)
        vst1q_f32(to + 4 * i, a.val[i]);
}

INLINE lanes lanes_fma(lanes w, const float *x, lanes a)
{
    float32x4_t all = vld1q_dup_f32(x);
    EACH (i, 4)
        a.val[i] = vfmaq_f32(a.val[i], w.val[i], all);
    return a;
}

INLINE lanes line_f32(const char *line)
{
    return lanes_load((const float *)line);
}

INLINE lanes lanes_of_halves(const char *from)
{
    lanes a;
    EACH (i, 4)
        a.val[i] = vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16((const uint16_t *)from + 4 * i)));
    return a;
}

INLINE lanes line_f16(const char *line, size_t j)
{
    return lanes_of_halves(line + j * 32);
}

INLINE lanes line_scales(const char *line, size_t block)
{
    return lanes_of_halves(line + block * 32);
}

INLINE uint32x4_t line_quarter(const char *line, size_t i)
{
    return vld1q_u32((const uint32_t *)line + 4 * i);
}

INLINE lanes line_bf16(const char *line, size_t j)
{
    lanes a;
    EACH (i, 4) {
        uint32x4_t pairs = line_quarter(line, i);
        a.val[i] = vreinterpretq_f32_u32(j == 0 ? vshlq_n_u32(pairs, 16)
                                                : vandq_u32(pairs, vdupq_n_u32(0xffff0000u)));
    }
    return a;
}

INLINE lanes line_q8_0(const char *line, size_t j, lanes scales)
{
    EACH (i, 4) {
        int32x4_t q = vshrq_n_s32(
            vshlq_s32(vreinterpretq_s32_u32(line_quarter(line, i)), vdupq_n_s32((int)(24 - 8 * j))),
            24);
        scales.val[i] = vmulq_f32(vcvtq_f32_s32(q), scales.val[i]);
    }
    return scales;
}

INLINE lanes line_q4_0(const char *line, size_t j, lanes scales)
{
    int shift = (int)(j < 4 ? 8 * j : 8 * (j - 4) + 4);
    EACH (i, 4) {
        uint32x4_t nibble =
            vandq_u32(vshlq_u32(line_quarter(line, i), vdupq_n_s32(-shift)), vdupq_n_u32(15));
        int32x4_t q = vsubq_s32(vreinterpretq_s32_u32(nibble), vdupq_n_s32(8));
        scales.val[i] = vmulq_f32(vcvtq_f32_s32(q), scales.val[i]);
    }
    return scales;
}

/* Each word's nibble n to the places of the f16 of that index, bytes 2n and 2n + 1 of a palette,
 * and two places there are not, for which a look-up gives 0. */
INLINE float32x4_t lut4_quarter(const char *head, const char *line, size_t i, size_t j)
{
    uint8x16x2_t palette = vld1q_u8_x2((const uint8_t *)head + i / 2 * 32);
    uint32x4_t nibble = vshlq_u32(line_quarter(line, i), vdupq_n_s32(-(int)(4 * j)));
    nibble = vandq_u32(nibble, vdupq_n_u32(15));
    uint32x4_t places = vmlaq_u32(vdupq_n_u32(0xffff0100u), nibble, vdupq_n_u32(0x0202));
    uint8x16_t found = vqtbl2q_u8(palette, vreinterpretq_u8_u32(places));
    return vcvt_f32_f16(vreinterpret_f16_u16(vmovn_u32(vreinterpretq_u32_u8(found))));
}

INLINE lanes line_lut4(const char *head, const char *line, size_t j)
{
    lanes a;
    EACH (i, 4)
        a.val[i] = lut4_quarter(head, line, i, j);
    return a;
}

/* The j-th field of `bits` bits of each word, signed, by the panel's scales and zeros. */
INLINE lanes affine_field(const char *head, const char *line, size_t j, size_t bits)
{
    const int32x4_t up = vdupq_n_s32((int)(32 - bits * (j + 1)));
    const int32x4_t down = vdupq_n_s32((int)bits - 32);
    lanes scales = lanes_load((const float *)head), zeros = lanes_load((const float *)head + 16);
    EACH (i, 4) {
        int32x4_t q = vreinterpretq_s32_u32(line_quarter(line, i));
        q = vshlq_s32(vshlq_s32(q, up), down);
        scales.val[i] = vmulq_f32(vsubq_f32(vcvtq_f32_s32(q), zeros.val[i]), scales.val[i]);
    }
    return scales;
}

INLINE lanes line_int4(const char *head, const char *line, size_t j)
{
    return affine_field(head, line, j, 4);
}

INLINE lanes line_int8(const char *head, const char *line, size_t j)
{
    return affine_field(head, line, j, 8);
}

/* lut6 by look-ups of bytes: an f16 as an f32 has three bytes that matter, and one instruction
 * looks up 16 of 64 bytes. The tables of bytes 1, 2 and 3 of the first palette, then of the second.
 */
#define LUT6_HEAD_BYTES ((size_t)2 * 3 * 64)

INLINE void lut6_head(const char *head, char *to)
{
    for (size_t i = 0; i < 8; i++) { /* 16 values at a time */
        lanes values = lanes_of_halves(head + 32 * i);
        float flat[16];
        lanes_store(flat, values);
        uint8x16x4_t bytes = vld4q_u8((const uint8_t *)flat);
        for (size_t b = 0; b < 3; b++)
            vst1q_u8((uint8_t *)to + (i / 4 * 3 + b) * 64 + i % 4 * 16, bytes.val[b + 1]);
    }
}

/* The indices of outputs 4i to 4i + 3 for k 4v to 4v + 3. */
INLINE uint8x16_t lut6_bytes(const char *line, size_t v, size_t i)
{
    const uint8_t *at = (const uint8_t *)line + 16 * i;
    if (v < 3)
        return vandq_u8(vld1q_u8(at + 64 * v), vdupq_n_u8(63));
    uint8x16_t q = vshrq_n_u8(vld1q_u8(at), 6);
    q = vsliq_n_u8(q, vshrq_n_u8(vld1q_u8(at + 64), 6), 2);
    return vsliq_n_u8(q, vshrq_n_u8(vld1q_u8(at + 128), 6), 4);
}

INLINE uint8x16_t lut6_look_up(const char *head, size_t palette, size_t byte, uint8x16_t q)
{
    return vqtbl4q_u8(vld1q_u8_x4((const uint8_t *)head + (palette * 3 + byte) * 64), q);
}

INLINE lanes line_lut6(const char *head, const char *line, size_t j)
{
    lanes a;
    EACH (i, 4) {
        uint8x16_t q = lut6_bytes(line, j / 4, i), b0 = vdupq_n_u8(0);
        uint8x16_t b1 = lut6_look_up(head, i / 2, 0, q), b2 = lut6_look_up(head, i / 2, 1, q);
        uint8x16_t b3 = lut6_look_up(head, i / 2, 2, q);
        const bool upper = j % 4 >= 2;
        uint16x8_t low = vreinterpretq_u16_u8(upper ? vzip2q_u8(b0, b1) : vzip1q_u8(b0, b1));
        uint16x8_t high = vreinterpretq_u16_u8(upper ? vzip2q_u8(b2, b3) : vzip1q_u8(b2, b3));
        a.val[i] =
            vreinterpretq_f32_u16(j % 2 == 1 ? vzip2q_u16(low, high) : vzip1q_u16(low, high));
    }
    return a;
}

#include "engines/cpu/exact_kernels.h"
#else
typedef int exact_neon_is_for_arm64;
#endif
