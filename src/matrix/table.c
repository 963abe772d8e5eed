#include "matrix/table.h"

#include <string.h>

#include "base/size.h"
#include "matrix/load.h"
#include "matrix/read.h"

size_t table_entries(const yoke_matrix *matrix)
{
    if (matrix->table_rows == 0)
        return 1;
    return size_ceil_div(matrix->table_skip + matrix->rows, matrix->table_rows);
}

const void *table_entry(const yoke_matrix *matrix, size_t row)
{
    size_t entry = matrix->table_rows ? (matrix->table_skip + row) / matrix->table_rows : 0;
    return (const char *)matrix->table + entry * yoke_format_get(matrix->format)->table_bytes;
}

static void look_up(const unsigned char *palette, size_t count, float *elements)
{
    for (size_t i = 0; i < count; i++)
        elements[i] = load_f16(palette + 2 * (size_t)elements[i]);
}

static void scale(const float affine[2], size_t count, float *elements)
{
    for (size_t i = 0; i < count; i++)
        elements[i] = (elements[i] - affine[1]) * affine[0];
}

void table_apply(const yoke_matrix *matrix, size_t row, size_t count, float *elements)
{
    const void *entry = table_entry(matrix, row);
    if (matrix->format == YOKE_INT4 || matrix->format == YOKE_INT8) {
        float affine[2];
        memcpy(affine, entry, sizeof affine);
        scale(affine, count, elements);
    } else {
        look_up(entry, count, elements);
    }
}

/* Unsigned fields of `bits` bits, lowest first; a block is a whole number of bytes. */
static void read_fields(const unsigned char *data, size_t bytes, unsigned bits, float *out)
{
    uint32_t pending = 0;
    unsigned have = 0;
    for (size_t i = 0; i < bytes; i++) {
        pending |= (uint32_t)data[i] << have;
        for (have += 8; have >= bits; have -= bits, pending >>= bits)
            *out++ = (float)(pending & ((1u << bits) - 1u));
    }
}

void table_read_lut1(const unsigned char *data, size_t blocks, float *out)
{
    read_fields(data, blocks, 1, out);
}

void table_read_lut2(const unsigned char *data, size_t blocks, float *out)
{
    read_fields(data, blocks, 2, out);
}

void table_read_lut3(const unsigned char *data, size_t blocks, float *out)
{
    read_fields(data, 3 * blocks, 3, out);
}

void table_read_lut4(const unsigned char *data, size_t blocks, float *out)
{
    read_fields(data, blocks, 4, out);
}

void table_read_lut6(const unsigned char *data, size_t blocks, float *out)
{
    read_fields(data, 3 * blocks, 6, out);
}

void table_read_int4(const unsigned char *data, size_t blocks, float *out)
{
    read_fields(data, blocks, 4, out);
    for (size_t i = 0; i < 2 * blocks; i++)
        out[i] -= out[i] > 7 ? 16 : 0;
}
