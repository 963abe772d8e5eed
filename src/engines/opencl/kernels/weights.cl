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

/* unit counts from the buffer's start. */
static inline void read_weights(vec *to, global const uchar *w, global const half *scales, ulong unit)
{
#if defined(WEIGHT_F32)
    global const vec *from = (global const vec *)w + unit * PARTS;
#pragma unroll
    for (uint p = 0; p < PARTS; p++)
        to[p] = from[p];
#elif defined(WEIGHT_F16)
#pragma unroll
    for (uint p = 0; p < PARTS; p++)
        to[p] = JOIN(vloada_half, V)(unit * PARTS + p, (global const half *)w);
#elif defined(WEIGHT_BF16)
    global const ushort_vec *from = (global const ushort_vec *)w + unit * PARTS;
#pragma unroll
    for (uint p = 0; p < PARTS; p++)
        to[p] = as_vec(to_uint_vec(from[p]) << 16);
#elif defined(WEIGHT_Q8_0)
    global const char_vec *from = (global const char_vec *)w + unit * PARTS;
    const float scale = vload_half(unit * UNIT / 32, scales);
#pragma unroll
    for (uint p = 0; p < PARTS; p++)
        to[p] = to_vec(from[p]) * scale;
#elif defined(WEIGHT_Q4_0)
    global const uchar_vec *from = (global const uchar_vec *)w + unit * (PARTS / 2);
    const float scale = vload_half(unit, scales);
#pragma unroll
    for (uint p = 0; p < PARTS / 2; p++) {
        const uchar_vec pair = from[p];
        to[p] = (to_vec(pair & (uchar)15) - 8.0f) * scale;
        to[p + PARTS / 2] = (to_vec(pair >> (uchar)4) - 8.0f) * scale;
    }
#endif
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
