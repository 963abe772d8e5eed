/* Reading weights: a unit is UNIT consecutive elements of a row, read at once and widened to PARTS
 * vectors of V floats. Rows are padded with zeros to whole 32s, so units never straddle them.
 *
 *   f32, f16, bf16   the elements
 *   q8_0             w: 32 signed bytes a block; scales: one half a block
 *   q4_0             w: 16 bytes a block, elements 0..15 in the low nibbles, 16..31 in the high;
 *                    scales: one half a block
 *
 * Given by -D: V, UNIT, and WEIGHT_F32 | WEIGHT_F16 | WEIGHT_BF16 | WEIGHT_Q8_0 | WEIGHT_Q4_0.
 */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define PARTS       (UNIT / V)

typedef JOIN(float, V) vec;
typedef JOIN(ushort, V) ushort_vec;
typedef JOIN(char, V) char_vec;
typedef JOIN(uchar, V) uchar_vec;
#define to_vec      JOIN(convert_float, V)
#define as_vec      JOIN(as_float, V)
#define to_uint_vec JOIN(convert_uint, V)

#ifdef FP_FAST_FMAF
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

/* One half. The compilers of CPU devices make a call of vload_half, but no branch of this. */
static inline float read_scale(global const half *scales, ulong index)
{
#ifdef LANES
    return vload_half(index, scales);
#else
    const uint bits = ((global const ushort *)scales)[index];
    const uint exponent = bits >> 10 & 31u, fraction = bits & 0x3ffu;
    const uint normal = (exponent == 31u ? 255u : exponent + 112u) << 23 | fraction << 13;
    const float magnitude = exponent == 0 ? (float)fraction * 0x1p-24f : as_float(normal);
    return bits & 0x8000u ? -magnitude : magnitude;
#endif
}

/* Vector `part` of a unit; unit counts from the buffer's start. */
static inline vec read_part(global const uchar *w, global const half *scales, ulong unit, uint part)
{
#if defined(WEIGHT_F32)
    return ((global const vec *)w)[unit * PARTS + part];
#elif defined(WEIGHT_F16)
    return JOIN(vloada_half, V)(unit * PARTS + part, (global const half *)w);
#elif defined(WEIGHT_BF16)
    return as_vec(to_uint_vec(((global const ushort_vec *)w)[unit * PARTS + part]) << 16);
#elif defined(WEIGHT_Q8_0)
    const vec values = to_vec(((global const char_vec *)w)[unit * PARTS + part]);
    return values * read_scale(scales, unit * UNIT / 32);
#elif defined(WEIGHT_Q4_0)
    const uint low = PARTS / 2; /* parts; the others are in the high nibbles */
    const uchar_vec pairs = ((global const uchar_vec *)w)[unit * low + part % low];
    const uchar_vec nibbles = part < low ? (uchar_vec)(pairs & (uchar)15) : pairs >> (uchar)4;
    return (to_vec(nibbles) - 8.0f) * read_scale(scales, unit);
#endif
}

static inline void read_unit(vec *to, global const uchar *w, global const half *scales, ulong unit)
{
#pragma unroll
    for (uint part = 0; part < PARTS; part++)
        to[part] = read_part(w, scales, unit, part);
}

static inline float total_of_2(float2 v)
{
    return v.x + v.y;
}

static inline float total_of_4(float4 v)
{
    return total_of_2(v.lo + v.hi);
}

static inline float total_of_8(float8 v)
{
    return total_of_4(v.lo + v.hi);
}

static inline float total_of_16(float16 v)
{
    return total_of_8(v.lo + v.hi);
}
#define total JOIN(total_of_, V)
