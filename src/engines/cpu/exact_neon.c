/* The exact kernels on NEON (AArch64): a panel's 16 outputs are four registers. */
#ifdef __aarch64__
#include <arm_neon.h>
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

static inline lanes lanes_zero(void)
{
    lanes a;
    EACH (i, 4)
        a.val[i] = vdupq_n_f32(0);
    return a;
}

static inline lanes lanes_load(const float *from)
{
    lanes a;
    EACH (i, 4)
        a.val[i] = vld1q_f32(from + 4 * i);
    return a;
}

static inline void lanes_store(float *to, lanes a)
{
    EACH (i, 4)
        vst1q_f32(to + 4 * i, a.val[i]);
}

static inline lanes lanes_fma(lanes w, const float *x, lanes a)
{
    float32x4_t all = vld1q_dup_f32(x);
    EACH (i, 4)
        a.val[i] = vfmaq_f32(a.val[i], w.val[i], all);
    return a;
}

static inline lanes line_f32(const char *line)
{
    return lanes_load((const float *)line);
}

static inline lanes lanes_of_halves(const char *from)
{
    lanes a;
    EACH (i, 4)
        a.val[i] = vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16((const uint16_t *)from + 4 * i)));
    return a;
}

static inline lanes line_f16(const char *line, size_t j)
{
    return lanes_of_halves(line + j * 32);
}

static inline lanes line_scales(const char *line, size_t block)
{
    return lanes_of_halves(line + block * 32);
}

static inline uint32x4_t line_quarter(const char *line, size_t i)
{
    return vld1q_u32((const uint32_t *)line + 4 * i);
}

static inline lanes line_bf16(const char *line, size_t j)
{
    lanes a;
    EACH (i, 4) {
        uint32x4_t pairs = line_quarter(line, i);
        a.val[i] = vreinterpretq_f32_u32(j == 0 ? vshlq_n_u32(pairs, 16)
                                                : vandq_u32(pairs, vdupq_n_u32(0xffff0000u)));
    }
    return a;
}

static inline lanes line_q8_0(const char *line, size_t j, lanes scales)
{
    EACH (i, 4) {
        int32x4_t q = vshrq_n_s32(
            vshlq_s32(vreinterpretq_s32_u32(line_quarter(line, i)), vdupq_n_s32((int)(24 - 8 * j))),
            24);
        scales.val[i] = vmulq_f32(vcvtq_f32_s32(q), scales.val[i]);
    }
    return scales;
}

static inline lanes line_q4_0(const char *line, size_t j, lanes scales)
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

static inline void line_prefetch(const char *line)
{
    __builtin_prefetch(line);
}

#include "engines/cpu/exact_tables.h"

#include "engines/cpu/exact_kernels.h"
#else
typedef int exact_neon_is_for_arm64;
#endif
