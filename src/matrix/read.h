/* Decoding stored blocks to f32, one function a format. */
#ifndef MATRIX_READ_H
#define MATRIX_READ_H

#include <stddef.h>

#include "yoke/matrix.h"

/* The largest block of any format, in elements. */
#define READ_BLOCK_MAX 256

/* Decodes `blocks` whole blocks at data (any alignment) into out. */
typedef void read_blocks(const unsigned char *data, size_t blocks, float *out);

/* plain.c */
read_blocks plain_read_f64, plain_read_f32, plain_read_f16, plain_read_bf16, plain_read_bool;
read_blocks plain_read_u8, plain_read_i8, plain_read_u16, plain_read_i16, plain_read_u32;
read_blocks plain_read_i32, plain_read_u64, plain_read_i64;

/* small_floats.c */
read_blocks small_read_f8_e4m3, small_read_f8_e5m2, small_read_f8_e8m0;
read_blocks small_read_f6_e2m3, small_read_f6_e3m2, small_read_f4_e2m1;

/* legacy_quants.c */
read_blocks legacy_read_q4_0, legacy_read_q4_1, legacy_read_q5_0, legacy_read_q5_1;
read_blocks legacy_read_q8_0;

/* k_quants.c */
read_blocks k_read_q2, k_read_q3, k_read_q4, k_read_q5, k_read_q6, k_read_q8;

/* codebook_quants.c */
read_blocks codebook_read_iq4_nl, codebook_read_iq4_xs, codebook_read_mxfp4, codebook_read_nvfp4;

/* grid_quants.c */
read_blocks grid_read_iq1_s, grid_read_iq1_m, grid_read_iq2_xxs, grid_read_iq2_xs, grid_read_iq2_s;
read_blocks grid_read_iq3_xxs, grid_read_iq3_s;

/* few_bit_quants.c */
read_blocks few_bit_read_tq1_0, few_bit_read_tq2_0, few_bit_read_q1_0, few_bit_read_q2_0;

/* table.c: the elements as stored; table_apply makes them values */
read_blocks table_read_lut1, table_read_lut2, table_read_lut3, table_read_lut4, table_read_lut6;
read_blocks table_read_int4;

/* The decoder of a format; NULL when it is not readable. */
read_blocks *read_function(yoke_format format);

#endif
