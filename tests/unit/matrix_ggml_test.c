/* Block formats against ggml's own library, where there is one: set the environment variable or the
 * CMake variable YOKE_TEST_GGML to the folder of libggml-base.so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yoke/matrix.h"

#define BLOCKS 64
#define COLS   ((size_t)BLOCKS * 256)

typedef void dequantize(const void *blocks, float *out, int64_t count);
typedef void quantize(const float *values, void *blocks, int64_t count);

static void *ggml;

static void *ggml_symbol(const char *name)
{
    void *symbol = dlsym(ggml, name);
    if (!symbol)
        fail_msg("libggml-base.so has no %s", name);
    return symbol;
}

/* A small generator of the test's own. */
static uint32_t random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* ggml's number of a format's type, and the offsets of its f16 scales in a block, -1 for none. */
static const struct {
    yoke_format format;
    int type;
    const char *dequantize;
    int f16_at[2];
} TYPES[] = {
    {YOKE_Q4_0, 2, "dequantize_row_q4_0", {0, -1}},
    {YOKE_Q4_1, 3, "dequantize_row_q4_1", {0, 2}},
    {YOKE_Q5_0, 6, "dequantize_row_q5_0", {0, -1}},
    {YOKE_Q5_1, 7, "dequantize_row_q5_1", {0, 2}},
    {YOKE_Q8_0, 8, "dequantize_row_q8_0", {0, -1}},
    {YOKE_Q8_1, 9, NULL, {0, 2}},
    {YOKE_Q2_K, 10, "dequantize_row_q2_K", {80, 82}},
    {YOKE_Q3_K, 11, "dequantize_row_q3_K", {108, -1}},
    {YOKE_Q4_K, 12, "dequantize_row_q4_K", {0, 2}},
    {YOKE_Q5_K, 13, "dequantize_row_q5_K", {0, 2}},
    {YOKE_Q6_K, 14, "dequantize_row_q6_K", {208, -1}},
    {YOKE_Q8_K, 15, "dequantize_row_q8_K", {-1, 2}}, /* the upper half of an f32 */
    {YOKE_IQ2_XXS, 16, "dequantize_row_iq2_xxs", {0, -1}},
    {YOKE_IQ2_XS, 17, "dequantize_row_iq2_xs", {0, -1}},
    {YOKE_IQ3_XXS, 18, "dequantize_row_iq3_xxs", {0, -1}},
    {YOKE_IQ1_S, 19, "dequantize_row_iq1_s", {0, -1}},
    {YOKE_IQ4_NL, 20, "dequantize_row_iq4_nl", {0, -1}},
    {YOKE_IQ3_S, 21, "dequantize_row_iq3_s", {0, -1}},
    {YOKE_IQ2_S, 22, "dequantize_row_iq2_s", {0, -1}},
    {YOKE_IQ4_XS, 23, "dequantize_row_iq4_xs", {0, -1}},
    {YOKE_IQ1_M, 29, "dequantize_row_iq1_m", {54, -1}}, /* the top of it */
    {YOKE_TQ1_0, 34, "dequantize_row_tq1_0", {52, -1}},
    {YOKE_TQ2_0, 35, "dequantize_row_tq2_0", {64, -1}},
    {YOKE_MXFP4, 39, "dequantize_row_mxfp4", {-1, -1}},
    {YOKE_NVFP4, 40, "dequantize_row_nvfp4", {-1, -1}},
    {YOKE_Q1_0, 41, "dequantize_row_q1_0", {0, -1}},
    {YOKE_Q2_0, 42, "dequantize_row_q2_0", {0, -1}},
};

static void every_block_format_has_ggmls_name_and_sizes(void **state)
{
    (void)state;
    const char *(*name)(int) = (const char *(*)(int))ggml_symbol("ggml_type_name");
    int64_t (*block)(int) = (int64_t(*)(int))ggml_symbol("ggml_blck_size");
    size_t (*bytes)(int) = (size_t(*)(int))ggml_symbol("ggml_type_size");
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        const yoke_format_info *info = yoke_format_get(TYPES[i].format);
        assert_int_equal(yoke_format_find(name(TYPES[i].type)), TYPES[i].format);
        assert_int_equal(info->block, block(TYPES[i].type));
        assert_int_equal(info->block_bytes, bytes(TYPES[i].type));
        assert_true(info->readable == (TYPES[i].dequantize != NULL));
    }
}

/* Random bytes whose scales are finite: the bits of a NaN are no business of the format. */
static void fill_with_random_blocks(unsigned char *data, size_t blocks, size_t block_bytes,
                                    const int *f16_at, uint64_t *random)
{
    for (size_t i = 0; i < blocks * block_bytes; i++)
        data[i] = (unsigned char)random_bits(random);
    for (size_t b = 0; b < blocks; b++)
        for (size_t s = 0; s < 2; s++)
            if (f16_at[s] >= 0)
                data[b * block_bytes + (size_t)f16_at[s] + 1] &= 0xbb;
}

static void random_blocks_of_every_readable_format_read_bit_equal_to_ggml(void **state)
{
    (void)state;
    float *expected = calloc(COLS, sizeof *expected), *got = calloc(COLS, sizeof *got);
    assert_true(expected && got);
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        if (!TYPES[i].dequantize)
            continue;
        const yoke_format_info *info = yoke_format_get(TYPES[i].format);
        yoke_matrix matrix;
        assert_int_equal(yoke_matrix_create(TYPES[i].format, 1, COLS, &matrix, NULL), YOKE_OK);
        fill_with_random_blocks(matrix.data, COLS / info->block, info->block_bytes, TYPES[i].f16_at,
                                &random);
        dequantize *row = (dequantize *)ggml_symbol(TYPES[i].dequantize);
        row(matrix.data, expected, (int64_t)COLS);
        assert_int_equal(yoke_matrix_read(&matrix, 0, 0, COLS, got, NULL), YOKE_OK);
        for (size_t j = 0; j < COLS; j++)
            if (memcmp(&expected[j], &got[j], sizeof(float)) != 0)
                fail_msg("%s, element %zu: ggml reads %a, yoke %a", info->name, j,
                         (double)expected[j], (double)got[j]);
        yoke_matrix_free(&matrix);
    }
    free(expected);
    free(got);
}

static void check_quantising(yoke_format format, const char *name, const float *values)
{
    yoke_matrix blocks, source = {.format = YOKE_F32, .rows = 1, .cols = COLS, .data = NULL};
    memcpy(&source.data, &values, sizeof values); /* only read */
    assert_int_equal(yoke_matrix_create(format, 1, COLS, &blocks, NULL), YOKE_OK);
    size_t bytes;
    assert_int_equal(yoke_format_bytes(format, 1, COLS, &bytes, NULL), YOKE_OK);
    unsigned char *expected = calloc(bytes, 1);
    assert_non_null(expected);
    ((quantize *)ggml_symbol(name))(values, expected, (int64_t)COLS);
    assert_int_equal(yoke_matrix_convert(&source, &blocks, NULL), YOKE_OK);
    assert_memory_equal(blocks.data, expected, bytes);
    free(expected);
    yoke_matrix_free(&blocks);
}

static void values_of_all_sizes_quantise_bit_equal_to_ggml(void **state)
{
    (void)state;
    float *values = calloc(COLS, sizeof *values);
    assert_non_null(values);
    uint64_t random = 7;
    for (size_t block = 0; block < COLS / 32; block++)
        for (size_t j = 0; j < 32; j++) {
            double unit = (double)(int32_t)random_bits(&random) / 0x1p31;
            values[block * 32 + j] = (float)ldexp(unit, (int)(block % 40) - 30);
        }
    memset(values, 0, 32 * sizeof *values); /* a block of zeros */
    for (size_t j = 32; j < 64; j++)        /* the largest twice, signs apart */
        values[j] = j % 2 ? 4.0f : -4.0f;
    for (size_t j = 64; j < 96; j++) /* halves between quants */
        values[j] = (float)(j - 64) * 0.5f;
    values[95] = 127.0f;
    check_quantising(YOKE_Q8_0, "quantize_row_q8_0_ref", values);
    check_quantising(YOKE_Q4_0, "quantize_row_q4_0_ref", values);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_format_has_ggmls_name_and_sizes),
        cmocka_unit_test(random_blocks_of_every_readable_format_read_bit_equal_to_ggml),
        cmocka_unit_test(values_of_all_sizes_quantise_bit_equal_to_ggml),
    };
    const char *folder = getenv("YOKE_TEST_GGML");
    if (!folder || !*folder)
        folder = YOKE_TEST_GGML;
    char path[4096];
    snprintf(path, sizeof path, "%s/libggml-base.so", folder);
    if (*folder)
        ggml = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!ggml) {
        printf("skipped: YOKE_TEST_GGML names no folder with libggml-base.so (%s)\n",
               *folder ? dlerror() : "not set");
        return 77;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    dlclose(ggml);
    return failed;
}
