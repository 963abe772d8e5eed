/* Products for devices that run many items in step (GPUs).
 *
 *   multiply_row    LANES items share ROWS rows of w, each reading 16 bytes next to its
 *                   neighbour's, and add up their parts in local memory; bound by reading w
 *   multiply_tile   SIDE * SIDE items compute 4 * SIDE rows by 4 * SIDE outputs, 4 by 4 each, from
 *                   local copies of DEPTH columns of x and w
 *
 *              local_w [DEPTH][4 * SIDE]                sums of one item
 *             k 0  | w0 w1 w2 w3 | w4 ...              w0 w1 w2 w3
 *             k 1  | w0 w1 w2 w3 | w4 ...          x0  .  .  .  .
 *             ...     item 0       item 1          x1  .  .  .  .   and so on
 *
 * Given by -D besides those of weights.cl: ROWS, LANES, SIDE.
 */
#define DEPTH 32
#define EDGE  (4 * SIDE)

kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void
multiply_row(global const uchar *w, global const half *scales, ulong first, uint n, uint units,
             global const float *x, ulong x_stride, uint m, global void *y, ulong y_begin,
             ulong y_stride, uint y_format, float alpha, float beta)
{
    local float parts[ROWS][LANES];
    const uint begin = get_group_id(0) * ROWS, lane = get_local_id(0);
    global const vec *x_vec = (global const vec *)x;
    vec sum[ROWS];
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        sum[r] = (vec)(0.0f);
    for (uint unit = lane; unit < units; unit += LANES) {
        vec values[PARTS];
#pragma unroll
        for (uint p = 0; p < PARTS; p++)
            values[p] = x_vec[unit * PARTS + p];
#pragma unroll
        for (uint r = 0; r < ROWS; r++) {
            vec weights[PARTS];
            read_unit(weights, w, scales, (first + min(begin + r, n - 1)) * units + unit);
#pragma unroll
            for (uint p = 0; p < PARTS; p++)
                sum[r] = MULTIPLY_ADD(weights[p], values[p], sum[r]);
        }
    }
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        parts[r][lane] = total(sum[r]);
    for (uint half_way = LANES / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_way)
            for (uint r = 0; r < ROWS; r++)
                parts[r][lane] += parts[r][lane + half_way];
    }
    if (lane == 0)
        for (uint r = 0; r < ROWS; r++)
            if (begin + r < n)
                write_result(y, y_begin + begin + r, y_format, alpha, parts[r][0], beta);
}

kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void
multiply_tile(global const uchar *w, global const half *scales, ulong first, uint n, uint units,
              global const float *x, ulong x_stride, uint m, global void *y, ulong y_begin,
              ulong y_stride, uint y_format, float alpha, float beta)
{
    local float local_w[DEPTH * EDGE], local_x[DEPTH * EDGE];
    const uint column = get_local_id(0), line = get_local_id(1), item = line * SIDE + column;
    const uint j0 = get_group_id(0) * EDGE, i0 = get_group_id(1) * EDGE;
    float4 sum[4];
    for (uint i = 0; i < 4; i++)
        sum[i] = (float4)(0.0f);

    for (uint k = 0; k < units * UNIT; k += DEPTH) {
        for (uint u = item; u < EDGE * (DEPTH / UNIT); u += SIDE * SIDE) {
            const uint row = u / (DEPTH / UNIT), part = u % (DEPTH / UNIT);
            vec weights[PARTS];
            read_unit(weights, w, scales,
                         (first + min(j0 + row, n - 1)) * units + k / UNIT + part);
            for (uint p = 0; p < PARTS; p++) {
                const uint to = (part * UNIT + p * 4) * EDGE + row;
                local_w[to] = weights[p].x;
                local_w[to + EDGE] = weights[p].y;
                local_w[to + 2 * EDGE] = weights[p].z;
                local_w[to + 3 * EDGE] = weights[p].w;
            }
        }
        for (uint u = item; u < EDGE * (DEPTH / 4); u += SIDE * SIDE) {
            const uint row = u / (DEPTH / 4), part = u % (DEPTH / 4);
            const float4 values =
                *(global const float4 *)(x + min(i0 + row, m - 1) * x_stride + k + part * 4);
            const uint to = part * 4 * EDGE + row;
            local_x[to] = values.x;
            local_x[to + EDGE] = values.y;
            local_x[to + 2 * EDGE] = values.z;
            local_x[to + 3 * EDGE] = values.w;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint d = 0; d < DEPTH; d++) {
            const float4 values = vload4(line, local_x + d * EDGE);
            const float4 weights = vload4(column, local_w + d * EDGE);
            sum[0] = MULTIPLY_ADD((float4)(values.x), weights, sum[0]);
            sum[1] = MULTIPLY_ADD((float4)(values.y), weights, sum[1]);
            sum[2] = MULTIPLY_ADD((float4)(values.z), weights, sum[2]);
            sum[3] = MULTIPLY_ADD((float4)(values.w), weights, sum[3]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (uint i = 0; i < 4; i++) {
        const float results[4] = {sum[i].x, sum[i].y, sum[i].z, sum[i].w};
        const uint row = i0 + line * 4 + i;
        for (uint j = 0; j < 4; j++)
            if (row < m && j0 + column * 4 + j < n)
                write_result(y, row * y_stride + y_begin + j0 + column * 4 + j, y_format, alpha,
                             results[j], beta);
    }
}
