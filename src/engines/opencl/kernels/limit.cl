/* What the device can do at most: reading, and multiply-adds in registers. */

/* Each item adds up every get_global_size(0)-th 16 bytes (so that neighbours read neighbours), or
 * with CONTIGUOUS a run of its own, by 64 bytes that need not be aligned to more than 16; the sums
 * are written so that no read is left out. */
kernel void read_all(global const uint4 *from, ulong count, global uint *sums)
{
    const ulong items = get_global_size(0), item = get_global_id(0);
#ifdef CONTIGUOUS
    const ulong share = (count / 4 + items - 1) / items;
    const ulong end = min((item + 1) * share, count / 4);
    global const uint *words = (global const uint *)from;
    uint16 a = 0, b = 0, c = 0, d = 0;
    ulong i = item * share;
    for (; i + 4 <= end; i += 4) {
        a ^= vload16(i, words);
        b ^= vload16(i + 1, words);
        c ^= vload16(i + 2, words);
        d ^= vload16(i + 3, words);
    }
    for (; i < end; i++)
        a ^= vload16(i, words);
    const uint16 all = a ^ b ^ c ^ d;
    const uint8 eight = all.lo ^ all.hi;
    const uint4 four = eight.lo ^ eight.hi;
#else
    uint4 four = 0;
    for (ulong i = item; i < count; i += items)
        four ^= from[i];
#endif
    sums[item] = four.x ^ four.y ^ four.z ^ four.w;
}

/* 16 vectors of V sums; a * x + b stays finite. */
kernel void multiply_add(uint rounds, float a, float b, global float *sums)
{
    vec sum[16];
#pragma unroll
    for (uint i = 0; i < 16; i++)
        sum[i] = (vec)((float)(get_global_id(0) + i));
    for (uint round = 0; round < rounds; round++)
#pragma unroll
        for (uint i = 0; i < 16; i++)
            sum[i] = MULTIPLY_ADD(sum[i], (vec)(a), (vec)(b));
    vec all = sum[0];
#pragma unroll
    for (uint i = 1; i < 16; i++)
        all += sum[i];
    sums[get_global_id(0)] = total(all);
}
