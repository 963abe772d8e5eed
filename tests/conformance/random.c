#include "conformance/random.h"

#include <string.h>

#include "conformance/subject.h"

/* Where the f16 scales of a K-quant's block lie; everything else in it may be any byte. */
typedef struct scales {
    size_t count;
    size_t offset[2];
} scales;

static scales scales_of(yoke_format format)
{
    if (format == YOKE_Q4_K)
        return (scales){2, {0, 2}};
    assert_int_equal(format, YOKE_Q6_K);
    return (scales){1, {208, 0}};
}

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void fill_k_quant(yoke_matrix *matrix, uint64_t seed)
{
    const yoke_format_info *info = yoke_format_get(matrix->format);
    scales known = scales_of(matrix->format);
    uint64_t state = seed * 2 + 1;
    for (size_t row = 0; row < matrix->rows; row++) {
        const yoke_matrix one = yoke_matrix_rows(matrix, row, 1);
        for (size_t b = 0; b < matrix->cols / info->block; b++) {
            unsigned char *block = (unsigned char *)one.data + b * info->block_bytes;
            for (size_t i = 0; i < info->block_bytes; i++)
                block[i] = (unsigned char)(next(&state) >> 32);
            for (size_t i = 0; i < known.count; i++) {
                uint16_t small = (uint16_t)(0x0c00u + (next(&state) >> 54)); /* 2^-12, about */
                memcpy(block + known.offset[i], &small, sizeof small);
            }
        }
    }
}

void random_fill(yoke_matrix *matrix, uint64_t seed)
{
    yoke_error err = {0};
    if (matrix->format == YOKE_Q4_K || matrix->format == YOKE_Q6_K)
        fill_k_quant(matrix, seed);
    else if (yoke_matrix_fill_random(matrix, seed, &err) != YOKE_OK)
        fail_msg("%s", err.text);
}
