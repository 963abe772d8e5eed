/* Products for devices with long vectors and few items (CPUs): one item a work-group, vectors along
 * K, no local memory.
 *
 *   multiply_row    one row of x: ROWS rows of w stream past it; bound by reading w
 *   multiply_tile   TILE_M rows of x by TILE_N rows of w, every sum in a register: TILE_M + TILE_N
 *                   loads for TILE_M * TILE_N multiply-adds
 *
 * Items at the edges repeat the last row instead of branching, and write only what is theirs.
 * Given by -D besides those of weights.cl: ROWS, TILE_M, TILE_N.
 */
#define load_x JOIN(vload, V)

kernel void multiply_row(global const uchar *w, global const half *scales, ulong first, uint n,
                         uint units, global const float *x, ulong x_stride, uint m,
                         global void *y, ulong y_begin, ulong y_stride, uint y_format, float alpha,
                         float beta)
{
    const uint begin = get_global_id(0) * ROWS;
    ulong row[ROWS];
    vec sum[ROWS];
#pragma unroll
    for (uint r = 0; r < ROWS; r++) {
        row[r] = (first + min(begin + r, n - 1)) * units;
        sum[r] = (vec)(0.0f);
    }
    for (uint unit = 0; unit < units; unit++) {
#pragma unroll
        for (uint r = 0; r < ROWS; r++) {
#pragma unroll
            for (uint p = 0; p < PARTS; p++)
                sum[r] = MULTIPLY_ADD(read_part(w, scales, row[r] + unit, p),
                                      load_x(unit * PARTS + p, x), sum[r]);
        }
    }
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        if (begin + r < n)
            write_result(y, y_begin + begin + r, y_format, alpha, total(sum[r]), beta);
}

kernel void multiply_tile(global const uchar *w, global const half *scales, ulong first, uint n,
                          uint units, global const float *x, ulong x_stride, uint m,
                          global void *y, ulong y_begin, ulong y_stride, uint y_format, float alpha,
                          float beta)
{
    const uint i0 = get_global_id(0) * TILE_M, j0 = get_global_id(1) * TILE_N;
    global const float *x_row[TILE_M];
    ulong row[TILE_N];
    vec sum[TILE_M][TILE_N];
#pragma unroll
    for (uint i = 0; i < TILE_M; i++)
        x_row[i] = x + min(i0 + i, m - 1) * x_stride;
#pragma unroll
    for (uint j = 0; j < TILE_N; j++)
        row[j] = (first + min(j0 + j, n - 1)) * units;
#pragma unroll
    for (uint i = 0; i < TILE_M; i++)
#pragma unroll
        for (uint j = 0; j < TILE_N; j++)
            sum[i][j] = (vec)(0.0f);

    for (uint unit = 0; unit < units; unit++) {
#pragma unroll
        for (uint p = 0; p < PARTS; p++) {
            vec weights[TILE_N];
#pragma unroll
            for (uint j = 0; j < TILE_N; j++)
                weights[j] = read_part(w, scales, row[j] + unit, p);
#pragma unroll
            for (uint i = 0; i < TILE_M; i++) {
                const vec values = load_x(unit * PARTS + p, x_row[i]);
#pragma unroll
                for (uint j = 0; j < TILE_N; j++)
                    sum[i][j] = MULTIPLY_ADD(weights[j], values, sum[i][j]);
            }
        }
    }
#pragma unroll
    for (uint i = 0; i < TILE_M; i++)
#pragma unroll
        for (uint j = 0; j < TILE_N; j++)
            if (i0 + i < m && j0 + j < n)
                write_result(y, (i0 + i) * y_stride + y_begin + j0 + j, y_format, alpha,
                             total(sum[i][j]), beta);
}
