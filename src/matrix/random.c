/* Random matrices. An element is picked from a table of 4096 stored values, evenly spread over
 * (-1, 1) / sqrt(cols) without zero: one table look-up an element, so that filling keeps up with
 * memory. Blocks get the same scale throughout and random quants. */
#include <math.h>

#include "base/size.h"
#include "matrix/load.h"
#include "matrix/mix.h"
#include "matrix/table.h"
#include "matrix/view.h"
#include "matrix/write.h"

#define VALUE_BITS  12
#define VALUE_COUNT ((size_t)1 << VALUE_BITS)
#define BATCH       5 /* values picked with the bits of one random number */

/* Zero, where a value is too small for the format, becomes the smallest the format has. */
static uint16_t not_zero(uint16_t bits)
{
    return (uint16_t)(bits | ((bits & 0x7fffu) == 0));
}

typedef struct values {
    float f32[VALUE_COUNT];
    uint16_t u16[VALUE_COUNT]; /* the same as f16 or bf16 */
} values;

static void values_fill(values *v, yoke_format format, double scale)
{
    for (size_t i = 0; i < VALUE_COUNT; i++) {
        double odd = 2.0 * (double)i + 1.0 - (double)VALUE_COUNT;
        v->f32[i] = (float)(odd / (double)VALUE_COUNT * scale);
        v->u16[i] =
            not_zero(format == YOKE_BF16 ? bf16_from_f32(v->f32[i]) : f16_from_f32(v->f32[i]));
    }
}

static void fill_u16(const values *v, uint64_t state, size_t cols, unsigned char *out)
{
    for (size_t i = 0; i < cols; i += BATCH) {
        uint64_t bits = mix_next(&state);
        size_t n = size_min(BATCH, cols - i);
        for (size_t j = 0; j < n; j++, bits >>= VALUE_BITS)
            store_u16(out + 2 * (i + j), v->u16[bits & (VALUE_COUNT - 1)]);
    }
}

static void fill_f32(const values *v, uint64_t state, size_t cols, unsigned char *out)
{
    for (size_t i = 0; i < cols; i += BATCH) {
        uint64_t bits = mix_next(&state);
        size_t n = size_min(BATCH, cols - i);
        for (size_t j = 0; j < n; j++, bits >>= VALUE_BITS)
            memcpy(out + 4 * (i + j), &v->f32[bits & (VALUE_COUNT - 1)], sizeof(float));
    }
}

/* Bytes of eight random bits without -128 (which ggml never writes) and zero. */
static uint64_t q8_quants(uint64_t bits)
{
    unsigned char bytes[8];
    memcpy(bytes, &bits, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] |= (bytes[i] & 0x7fu) == 0;
    memcpy(&bits, bytes, sizeof bits);
    return bits;
}

/* Nibbles of random bits without 8, which stands for zero. */
static uint64_t q4_quants(uint64_t bits)
{
    uint64_t flipped = bits ^ 0x8888888888888888u; /* 8 is now 0 */
    uint64_t any = flipped | flipped >> 1;
    any |= any >> 2;
    return bits | (~any & 0x1111111111111111u);
}

static void fill_blocks(yoke_format format, double scale, uint64_t state, size_t blocks,
                        unsigned char *out)
{
    bool q8 = format == YOKE_Q8_0;
    size_t words = q8 ? 4 : 2; /* of quants a block */
    uint16_t d = not_zero(f16_from_f32((float)(scale / (q8 ? 127.0 : 8.0))));
    for (size_t b = 0; b < blocks; b++) {
        store_u16(out, d);
        out += 2;
        for (size_t i = 0; i < words; i++, out += 8) {
            uint64_t bits = mix_next(&state);
            bits = q8 ? q8_quants(bits) : q4_quants(bits);
            memcpy(out, &bits, sizeof bits);
        }
    }
}

/* Any bits are indices; as integers, zeros among them stand for -zero * scale, which is not zero.
 */
static void fill_bits(uint64_t state, size_t bytes, unsigned char *out)
{
    for (size_t i = 0; i < bytes; i += sizeof state) {
        uint64_t bits = mix_next(&state);
        memcpy(out + i, &bits, size_min(sizeof bits, bytes - i));
    }
}

/* A palette in ascending order, or a scale and a zero between two integers. Each entry has a factor
 * of its own, so that reading a neighbour's shows. */
static void fill_entry(yoke_format format, double scale, uint64_t state, unsigned char *entry)
{
    double factor = scale * (0.75 + (double)(mix_next(&state) >> 40) * 0x1p-26);
    size_t bytes = yoke_format_get(format)->table_bytes;
    if (format == YOKE_INT4 || format == YOKE_INT8) {
        const float affine[2] = {(float)(factor / (format == YOKE_INT4 ? 8 : 128)), -0.5f};
        memcpy(entry, affine, sizeof affine);
        return;
    }
    for (size_t i = 0; i < bytes / 2; i++) {
        double odd = 2.0 * (double)i + 1.0 - (double)(bytes / 2);
        store_u16(entry + 2 * i,
                  not_zero(f16_from_f32((float)(odd / (double)(bytes / 2) * factor))));
    }
}

/* Writes the entry that begins with this row, if one does. */
static void fill_table(const yoke_matrix *matrix, size_t row, size_t first_row, double scale,
                       uint64_t seed)
{
    size_t at = matrix->table_skip + row;
    if (matrix->table_rows ? at % matrix->table_rows != 0 : first_row + row != 0)
        return;
    uint64_t state = mix(mix(seed ^ MIX_STEP) + (uint64_t)(first_row + row));
    unsigned char *entry = (unsigned char *)table_entry(matrix, row);
    fill_entry(matrix->format, scale, state, entry);
}

static bool fillable(yoke_format format)
{
    return format == YOKE_F32 || format == YOKE_F16 || format == YOKE_BF16 || format == YOKE_Q8_0 ||
           format == YOKE_Q4_0 || yoke_format_get(format)->table_bytes > 0;
}

yoke_status yoke_matrix_fill_random_rows(yoke_matrix *matrix, size_t first_row, uint64_t seed,
                                         yoke_error *err)
{
    yoke_status status = yoke_matrix_validate(matrix, "matrix", err);
    if (status != YOKE_OK || matrix->cols == 0)
        return status;
    yoke_format format = matrix->format;
    const yoke_format_info *info = yoke_format_get(format);
    if (!fillable(format))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "%s cannot be filled at random",
                              info->name);

    double scale = 1.0 / sqrt((double)matrix->cols);
    values table;
    values_fill(&table, format, scale);
    for (size_t row = 0; row < matrix->rows; row++) {
        uint64_t state = mix(mix(seed) + (uint64_t)(first_row + row));
        unsigned char *out = view_block(matrix, row, 0);
        if (info->table_bytes > 0) {
            fill_table(matrix, row, first_row, scale, seed);
            fill_bits(state, matrix->cols / info->block * info->block_bytes, out);
        } else if (info->block > 1) {
            fill_blocks(format, scale, state, matrix->cols / 32, out);
        } else if (format == YOKE_F32) {
            fill_f32(&table, state, matrix->cols, out);
        } else {
            fill_u16(&table, state, matrix->cols, out);
        }
    }
    return YOKE_OK;
}

yoke_status yoke_matrix_fill_random(yoke_matrix *matrix, uint64_t seed, yoke_error *err)
{
    return yoke_matrix_fill_random_rows(matrix, 0, seed, err);
}
