/* Elements of x and y by their format at run time, and x widened to what the products read. */
#define FORMAT_F32  0
#define FORMAT_F16  1
#define FORMAT_BF16 2

static inline float read_element(global const void *from, ulong index, uint format)
{
    if (format == FORMAT_F32)
        return ((global const float *)from)[index];
    if (format == FORMAT_F16)
        return vload_half(index, (global const half *)from);
    return as_float((uint)((global const ushort *)from)[index] << 16);
}

/* To nearest even; NaN stays NaN. */
static inline ushort to_bf16(float value)
{
    const uint bits = as_uint(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return (ushort)((bits >> 16) | 0x40u);
    return (ushort)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

static inline void write_element(global void *to, ulong index, uint format, float value)
{
    if (format == FORMAT_F32)
        ((global float *)to)[index] = value;
    else if (format == FORMAT_F16)
        vstore_half_rte(value, index, (global half *)to);
    else
        ((global ushort *)to)[index] = to_bf16(value);
}

/* y = alpha * sum + beta * y, where beta == 0 never reads y. */
static inline void write_result(global void *y, ulong index, uint format, float alpha, float sum,
                                float beta)
{
    float value = alpha * sum;
    if (beta != 0.0f)
        value += beta * read_element(y, index, format);
    write_element(y, index, format, value);
}

/* One item an element of the result: rows of k floats, zeros behind them up to `padded`. */
kernel void widen(global const void *from, ulong stride, uint format, uint k, global float *to,
                  ulong padded)
{
    const ulong column = get_global_id(0), row = get_global_id(1);
    to[row * padded + column] =
        column < k ? read_element(from, row * stride + column, format) : 0.0f;
}
