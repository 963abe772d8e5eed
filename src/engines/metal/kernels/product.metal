/* Products with a weight in two planes, its rows padded with zeros to whole blocks of 32:
 *
 *   values   f32, f16, bf16: 32 elements a block; q8_0: 32 signed bytes; q4_0: 16 bytes, elements
 *            0..15 in the low nibbles, 16..31 in the high
 *   scales   q8_0, q4_0: one half a block
 *
 * WEIGHT_F32, WEIGHT_F16, WEIGHT_BF16, WEIGHT_Q8_0 or WEIGHT_Q4_0 is defined in front, and
 * AS_FLOAT(bits).
 * What stands here is C as well, so that it can be run where there is no Metal.
 *
 * Sums are kept in f32. One simdgroup of 32 lanes computes one element of y, and lane l reads the
 * blocks l, l + 32, ...: bound by reading the weight.
 */
#define BLOCK 32u
#define LANES 32u
#define SIMDS 4u /* simdgroups of a threadgroup */

typedef struct shape {
    ulong first;    /* row of the weight */
    uint n, blocks; /* rows, and blocks of each */
    uint x_stride, y_stride;
    float alpha;
} shape;

static inline void read_block(thread float *to, device const uint *values,
                              device const half *scales, ulong block)
{
#if defined(WEIGHT_F32)
    for (uint i = 0; i < BLOCK; i++)
        to[i] = AS_FLOAT(values[block * BLOCK + i]);
#elif defined(WEIGHT_F16)
    device const half *from = (device const half *)values + block * BLOCK;
    for (uint i = 0; i < BLOCK; i++)
        to[i] = (float)from[i];
#elif defined(WEIGHT_BF16)
    device const uint *from = values + block * (BLOCK / 2);
    for (uint i = 0; i < BLOCK / 2; i++) {
        to[2 * i] = AS_FLOAT(from[i] << 16);
        to[2 * i + 1] = AS_FLOAT(from[i] & 0xffff0000u);
    }
#elif defined(WEIGHT_Q8_0)
    device const uint *from = values + block * (BLOCK / 4);
    const float scale = (float)scales[block];
    for (uint i = 0; i < BLOCK / 4; i++)
        for (uint j = 0; j < 4; j++)
            to[4 * i + j] = scale * (float)((int)(from[i] << (24 - 8 * j)) >> 24);
#elif defined(WEIGHT_Q4_0)
    device const uint *from = values + block * (BLOCK / 8);
    const float scale = (float)scales[block];
    for (uint i = 0; i < BLOCK / 8; i++)
        for (uint j = 0; j < 4; j++) {
            const uint pair = from[i] >> (8 * j);
            to[4 * i + j] = scale * ((float)(pair & 15u) - 8.0f);
            to[BLOCK / 2 + 4 * i + j] = scale * ((float)(pair >> 4 & 15u) - 8.0f);
        }
#endif
}

/* A lane's part of the sum for the row of the weight that begins with block `begin`. */
static inline float row_part(device const uint *values, device const half *scales, ulong begin,
                             uint blocks, device const float *x, uint lane)
{
    float sum = 0.0f;
    for (uint block = lane; block < blocks; block += LANES) {
        float w[BLOCK];
        read_block(w, values, scales, begin + block);
        for (uint i = 0; i < BLOCK; i++)
            sum += w[i] * x[block * BLOCK + i];
    }
    return sum;
}

/* Threadgroups: ceil(n / SIMDS) by rows of x, which are padded as the weight's are. */
kernel void multiply_row(device const uint *values [[buffer(0)]],
                         device const half *scales [[buffer(1)]],
                         device const float *x [[buffer(2)]], device float *y [[buffer(3)]],
                         constant shape *s [[buffer(4)]],
                         uint2 group [[threadgroup_position_in_grid]],
                         uint member [[simdgroup_index_in_threadgroup]],
                         uint lane [[thread_index_in_simdgroup]])
{
    const uint row = group.x * SIMDS + member;
    if (row >= s->n)
        return;
    const float sum = simd_sum(row_part(values, scales, (s->first + row) * s->blocks, s->blocks,
                                        x + (ulong)group.y * s->x_stride, lane));
    if (lane == 0)
        y[(ulong)group.y * s->y_stride + row] = s->alpha * sum;
}

/* The same rows as f32, without gaps: a thread a block, rows along y. */
kernel void widen(device const uint *values [[buffer(0)]], device const half *scales [[buffer(1)]],
                  device float *to [[buffer(2)]], constant shape *s [[buffer(4)]],
                  uint2 at [[thread_position_in_grid]])
{
    if (at.x >= s->blocks || at.y >= s->n)
        return;
    float w[BLOCK];
    read_block(w, values, scales, (s->first + at.y) * s->blocks + at.x);
    device float *row = to + ((ulong)at.y * s->blocks + at.x) * BLOCK;
    for (uint i = 0; i < BLOCK; i++)
        row[i] = w[i];
}
