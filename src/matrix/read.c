#include "matrix/read.h"

#include <string.h>

#include "base/size.h"
#include "matrix/table.h"
#include "matrix/view.h"

static read_blocks *const READERS[YOKE_FORMAT_COUNT] = {
    [YOKE_F64] = plain_read_f64,
    [YOKE_F32] = plain_read_f32,
    [YOKE_F16] = plain_read_f16,
    [YOKE_BF16] = plain_read_bf16,
    [YOKE_BOOL] = plain_read_bool,
    [YOKE_U8] = plain_read_u8,
    [YOKE_I8] = plain_read_i8,
    [YOKE_U16] = plain_read_u16,
    [YOKE_I16] = plain_read_i16,
    [YOKE_U32] = plain_read_u32,
    [YOKE_I32] = plain_read_i32,
    [YOKE_U64] = plain_read_u64,
    [YOKE_I64] = plain_read_i64,
    [YOKE_F8_E4M3] = small_read_f8_e4m3,
    [YOKE_F8_E5M2] = small_read_f8_e5m2,
    [YOKE_F8_E8M0] = small_read_f8_e8m0,
    [YOKE_F6_E2M3] = small_read_f6_e2m3,
    [YOKE_F6_E3M2] = small_read_f6_e3m2,
    [YOKE_F4_E2M1] = small_read_f4_e2m1,
    [YOKE_Q4_0] = legacy_read_q4_0,
    [YOKE_Q4_1] = legacy_read_q4_1,
    [YOKE_Q5_0] = legacy_read_q5_0,
    [YOKE_Q5_1] = legacy_read_q5_1,
    [YOKE_Q8_0] = legacy_read_q8_0,
    [YOKE_Q2_K] = k_read_q2,
    [YOKE_Q3_K] = k_read_q3,
    [YOKE_Q4_K] = k_read_q4,
    [YOKE_Q5_K] = k_read_q5,
    [YOKE_Q6_K] = k_read_q6,
    [YOKE_Q8_K] = k_read_q8,
    [YOKE_IQ2_XXS] = grid_read_iq2_xxs,
    [YOKE_IQ2_XS] = grid_read_iq2_xs,
    [YOKE_IQ2_S] = grid_read_iq2_s,
    [YOKE_IQ3_XXS] = grid_read_iq3_xxs,
    [YOKE_IQ3_S] = grid_read_iq3_s,
    [YOKE_IQ1_S] = grid_read_iq1_s,
    [YOKE_IQ1_M] = grid_read_iq1_m,
    [YOKE_IQ4_NL] = codebook_read_iq4_nl,
    [YOKE_IQ4_XS] = codebook_read_iq4_xs,
    [YOKE_MXFP4] = codebook_read_mxfp4,
    [YOKE_NVFP4] = codebook_read_nvfp4,
    [YOKE_TQ1_0] = few_bit_read_tq1_0,
    [YOKE_TQ2_0] = few_bit_read_tq2_0,
    [YOKE_Q1_0] = few_bit_read_q1_0,
    [YOKE_Q2_0] = few_bit_read_q2_0,
    [YOKE_LUT1] = table_read_lut1,
    [YOKE_LUT2] = table_read_lut2,
    [YOKE_LUT3] = table_read_lut3,
    [YOKE_LUT4] = table_read_lut4,
    [YOKE_LUT6] = table_read_lut6,
    [YOKE_LUT8] = plain_read_u8,
    [YOKE_INT4] = table_read_int4,
    [YOKE_INT8] = plain_read_i8,
};

read_blocks *read_function(yoke_format format)
{
    size_t index = (size_t)format;
    return index < YOKE_FORMAT_COUNT ? READERS[index] : NULL;
}

/* Reads the elements [skip, skip + count) of one block by way of the whole block. */
static void read_part(read_blocks *read, const unsigned char *data, size_t skip, size_t count,
                      float *out)
{
    float whole[READ_BLOCK_MAX];
    read(data, 1, whole);
    memcpy(out, whole + skip, count * sizeof *out);
}

/* Reads `count` elements from the one at `skip` of the block at data on. */
static void read_elements(read_blocks *read, const yoke_format_info *info,
                          const unsigned char *data, size_t skip, size_t count, float *out)
{
    if (skip > 0) {
        size_t part = size_min(info->block - skip, count);
        read_part(read, data, skip, part, out);
        data += info->block_bytes;
        out += part;
        count -= part;
    }
    size_t blocks = count / info->block, rest = count % info->block;
    read(data, blocks, out);
    if (rest > 0)
        read_part(read, data + blocks * info->block_bytes, 0, rest, out + blocks * info->block);
}

yoke_status yoke_matrix_read(const yoke_matrix *matrix, size_t row, size_t col, size_t count,
                             float *out, yoke_error *err)
{
    if (!matrix || (!out && count > 0))
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_matrix_read: %s is NULL",
                              matrix ? "out" : "matrix");
    const yoke_format_info *info = yoke_format_get(matrix->format);
    read_blocks *read = read_function(matrix->format);
    if (!read)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "elements of %s cannot be read",
                              info->name);
    if (row >= matrix->rows || col > matrix->cols || count > matrix->cols - col)
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "elements %zu to %zu of row %zu are outside a %zu x %zu matrix", col,
                              col + count, row, matrix->rows, matrix->cols);
    if (count == 0)
        return YOKE_OK;
    if (info->table_bytes > 0 && !matrix->table)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%s without a table", info->name);

    read_elements(read, info, view_block(matrix, row, col), col % info->block, count, out);
    if (info->table_bytes > 0)
        table_apply(matrix, row, count, out);
    return YOKE_OK;
}
