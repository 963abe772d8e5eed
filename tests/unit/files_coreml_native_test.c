/* Compressed weights that keep their stored form, against their definitions written out here. */
#include "files_coreml_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "yoke/yoke.h"

enum { ROWS = 16, COLS = 32, COUNT = ROWS * COLS, BLOB_U6 = 13 };

/* Numbers without a pattern, the same in each run. */
static unsigned scramble(unsigned value)
{
    return (value * 2654435761u + 12345u) >> 11;
}

static void fill_halves(uint16_t *halves, float *values, size_t count, unsigned seed)
{
    for (size_t i = 0; i < count; i++) {
        halves[i] = f16_from_f32((float)(scramble((unsigned)i + seed) % 2000) / 64 - 15);
        values[i] = f16_to_f32(halves[i]);
    }
}

static void fill_packed(uint8_t *packed, unsigned bits, size_t count, unsigned seed)
{
    memset(packed, 0, (count * bits + 7) / 8);
    for (size_t i = 0; i < count; i++) {
        unsigned value = scramble((unsigned)i + seed) % (1u << bits);
        for (unsigned b = 0; b < bits; b++)
            packed[(i * bits + b) / 8] |= (uint8_t)((value >> b & 1u) << (i * bits + b) % 8);
    }
}

static int signed_at(const uint8_t *packed, unsigned bits, size_t index)
{
    int value = (int)packed_at(packed, bits, index);
    return value < 1 << (bits - 1) ? value : value - (1 << bits);
}

#define ATTRIBUTE(name, type)                                                                      \
    name " = tensor<" type                                                                         \
         ">(BLOBFILE(path = string(\"@model_path/weights/weight.bin\"), offset = uint64(%zu)))"

static void palettes_of_each_width_are_used_as_they_are_stored(void **state)
{
    (void)state;
    static const struct {
        unsigned bits;
        yoke_format format;
    } widths[] = {{1, YOKE_LUT1}, {2, YOKE_LUT2}, {3, YOKE_LUT3},
                  {4, YOKE_LUT4}, {6, YOKE_LUT6}, {8, YOKE_LUT8}};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        unsigned bits = widths[w].bits;
        uint8_t packed[COUNT];
        uint16_t palette[256];
        float values[256], expected[COUNT];
        bytes blobs = {0};
        fill_halves(palette, values, 1u << bits, 1);
        fill_packed(packed, bits, COUNT, 2);
        for (size_t i = 0; i < COUNT; i++)
            expected[i] = values[packed_at(packed, bits, i)];
        size_t index_at = put_blob(&blobs, BLOB_U8, packed, COUNT * bits / 8, 0);
        size_t palette_at = put_blob(&blobs, BLOB_F16, palette, 2u << bits, 0);
        yoke_file *file = open_bundle(
            &blobs,
            PROGRAM("tensor<fp16, [16, 32]> w = constexpr_lut_to_dense()[" ATTRIBUTE(
                        "indices", "uint8, [%u]") ", " ATTRIBUTE("lut", "fp16, [%u]") ", shape = "
                                                                                      "tensor<"
                                                                                      "uint32, "
                                                                                      "[2]>([16, "
                                                                                      "32])];\n",
                    "w"),
            COUNT * bits / 8, index_at, 1u << bits, palette_at);
        assert_int_equal(find(file, "w")->format, widths[w].format);
        assert_int_equal(find(file, "w")->bytes, COUNT * bits / 8 + (2u << bits));
        assert_int_equal(expect_matrix(file, "w", widths[w].format, ROWS, COLS, expected), 0);
        yoke_matrix matrix;
        assert_int_equal(yoke_file_matrix(file, find(file, "w"), &matrix, NULL, NULL), YOKE_OK);
        assert_int_equal(yoke_matrix_bytes(&matrix), find(file, "w")->bytes);
        yoke_file_free(file);
    }
}

static void a_palette_in_fp32_is_rewritten_where_fp16_holds_it_and_else_decoded(void **state)
{
    (void)state;
    for (unsigned exact = 0; exact < 2; exact++) {
        float palettes[2 * 16], expected[COUNT];
        uint16_t halves[2 * 16];
        uint8_t packed[COUNT / 2];
        bytes blobs = {0};
        fill_halves(halves, palettes, 2 * 16, 5);
        if (!exact)
            palettes[31] = 0.1f;
        fill_packed(packed, 4, COUNT, 6);
        for (size_t i = 0; i < COUNT; i++)
            expected[i] = palettes[i / COLS / 8 * 16 + packed_at(packed, 4, i)];
        size_t index_at = put_blob(&blobs, BLOB_U4, packed, sizeof packed, 0);
        size_t palette_at = put_blob(&blobs, BLOB_F32, palettes, sizeof palettes, 0);
        yoke_file *file = open_bundle(
            &blobs,
            PROGRAM(STORED("uint4", "16, 32", "i") STORED(
                        "fp32", "2, 1, 16, 1",
                        "p") "tensor<fp32, [16, 32]> w = constexpr_lut_to_dense(indices = i, lut "
                             "= p);\n",
                    "w"),
            index_at, palette_at);
        size_t copied =
            expect_matrix(file, "w", exact ? YOKE_LUT4 : YOKE_F32, ROWS, COLS, expected);
        assert_int_equal(copied, exact ? sizeof halves : sizeof expected);
        yoke_file_free(file);
    }
}

/* Palettes for blocks of columns are none for rows. */
static void blocks_of_columns_are_decoded(void **state)
{
    (void)state;
    uint16_t palettes[2 * 16];
    float values[2 * 16], expected[COUNT];
    uint8_t packed[COUNT / 2];
    bytes blobs = {0};
    fill_halves(palettes, values, 2 * 16, 5);
    fill_packed(packed, 4, COUNT, 6);
    for (size_t i = 0; i < COUNT; i++)
        expected[i] = values[i % COLS / 16 * 16 + packed_at(packed, 4, i)];
    size_t index_at = put_blob(&blobs, BLOB_U4, packed, sizeof packed, 0);
    size_t palette_at = put_blob(&blobs, BLOB_F16, palettes, sizeof palettes, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM(
            STORED("uint4", "16, 32", "i") STORED(
                "fp16", "1, 2, 16, 1",
                "p") "tensor<fp16, [16, 32]> w = constexpr_lut_to_dense(indices = i, lut = p);\n",
            "w"),
        index_at, palette_at);
    expect_matrix(file, "w", YOKE_F16, ROWS, COLS, expected);
    yoke_file_free(file);
}

/* Data of `bits` bits, an fp16 scale for each row, and an offset for each or none. */
static yoke_file *open_scaled(unsigned bits, bool is_signed, bool with_offset, float *expected)
{
    uint8_t packed[COUNT];
    uint16_t scales[ROWS];
    uint8_t offsets[ROWS] = {0};
    float values[ROWS];
    bytes blobs = {0};
    fill_halves(scales, values, ROWS, 9);
    fill_packed(packed, bits, COUNT, 10);
    if (with_offset)
        fill_packed(offsets, bits, ROWS, 11);
    for (size_t i = 0; i < COUNT; i++) {
        int value = is_signed ? signed_at(packed, bits, i) : (int)packed_at(packed, bits, i);
        int zero = is_signed ? signed_at(offsets, bits, i / COLS)
                             : (int)packed_at(offsets, bits, i / COLS);
        expected[i] = (float)((double)(value - zero) * (double)values[i / COLS]);
    }
    uint32_t code = bits == 8 ? (is_signed ? BLOB_I8 : BLOB_U8) : is_signed ? BLOB_I4 : BLOB_U4;
    const char *type = bits == 8 ? (is_signed ? "int8" : "uint8") : is_signed ? "int4" : "uint4";
    size_t data_at = put_blob(&blobs, code, packed, COUNT * bits / 8, 0);
    size_t scale_at = put_blob(&blobs, BLOB_F16, scales, sizeof scales, 0);
    size_t offset_at = put_blob(&blobs, code, offsets, ROWS * bits / 8, 0);
    return open_bundle(
        &blobs,
        PROGRAM(STORED("%s", "16, 32, 1, 1", "d") STORED("fp16", "16, 1, 1, 1", "s")
                    STORED("%s", "16, 1, 1, 1",
                           "o") "tensor<fp16, [16, 32, 1, 1]> w = constexpr_blockwise_shift_scale("
                                "data = d, scale = s%s);\n"
                                "tensor<fp16, [1, 16, 1, 1]> y = conv(weight = w, x = x);\n",
                "y"),
        type, type, data_at, scale_at, type, type, offset_at, with_offset ? ", offset = o" : "");
}

static void integers_with_a_scale_for_each_row_keep_their_bytes(void **state)
{
    (void)state;
    for (unsigned form = 0; form < 8; form++) {
        float expected[COUNT];
        unsigned bits = form & 1 ? 8 : 4;
        bool is_signed = (form & 2) != 0;
        yoke_file *file = open_scaled(bits, is_signed, (form & 4) != 0, expected);
        yoke_format format = bits == 8 ? YOKE_INT8 : YOKE_INT4;
        size_t table = ROWS * 2 * sizeof(float), elements = COUNT * bits / 8;
        /* Signed integers stay in place; unsigned ones are moved, in a copy. */
        assert_int_equal(expect_matrix(file, "w", format, ROWS, COLS, expected),
                         is_signed ? table : elements + table);
        yoke_file_free(file);
    }
}

static void check_product(yoke_file *file, const char *name, yoke_format format, const float *w)
{
    yoke_context *context;
    yoke_engine *engine;
    yoke_weight *weight;
    yoke_matrix matrix;
    float x[COLS], y[ROWS];
    for (size_t i = 0; i < COLS; i++)
        x[i] = (float)(scramble((unsigned)i + 77) % 100) / 50 - 1;
    yoke_matrix in = {.format = YOKE_F32, .rows = 1, .cols = COLS, .data = x};
    yoke_matrix out = {.format = YOKE_F32, .rows = 1, .cols = ROWS, .data = y};
    assert_int_equal(yoke_file_matrix(file, find(file, name), &matrix, NULL, NULL), YOKE_OK);
    assert_int_equal(matrix.format, format);
    assert_int_equal(yoke_context_create(NULL, &context, NULL), YOKE_OK);
    assert_int_equal(yoke_engine_open(context, "cpu", &engine, NULL), YOKE_OK);
    yoke_prepare_report report;
    assert_int_equal(yoke_weight_prepare(engine, &matrix, &weight, &report, NULL), YOKE_OK);
    assert_int_equal(report.format, format);
    assert_int_equal(yoke_weight_multiply(weight, &in, &out, NULL, NULL, NULL), YOKE_OK);
    for (size_t n = 0; n < ROWS; n++) {
        double exact = 0, magnitude = 0;
        for (size_t k = 0; k < COLS; k++) {
            exact += (double)x[k] * (double)w[n * COLS + k];
            magnitude += fabs((double)x[k] * (double)w[n * COLS + k]);
        }
        assert_true(fabs((double)y[n] - exact) <= (COLS + 2) * 0x1p-23 * magnitude);
    }
    yoke_weight_free(weight);
    yoke_engine_free(engine);
    yoke_context_free(context);
}

static void the_product_with_an_int8_layer_is_that_of_the_numbers_it_stands_for(void **state)
{
    (void)state;
    float expected[COUNT];
    yoke_file *file = open_scaled(8, false, true, expected);
    check_product(file, "w", YOKE_INT8, expected);
    yoke_file_free(file);
}

/* A bundle of `count` layers of ROWS by COLS, lut4 or (from `wide` on) lut6, with a palette for
 * rows[i] rows each, whose results are joined. */
static yoke_file *open_head(size_t count, const size_t *rows, size_t wide, float *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    bytes blobs = {0};
    for (size_t p = 0; p < count; p++) {
        unsigned bits = p < wide ? 4 : 6;
        uint8_t packed[COUNT];
        uint16_t palettes[ROWS * 64];
        float values[ROWS * 64];
        size_t groups = ROWS / rows[p], entries = (size_t)1 << bits;
        fill_halves(palettes, values, groups * entries, (unsigned)p * 1000);
        fill_packed(packed, bits, COUNT, (unsigned)p + 3);
        for (size_t i = 0; i < COUNT; i++)
            expected[p * COUNT + i] =
                values[i / COLS / rows[p] * entries + packed_at(packed, bits, i)];
        size_t index_at =
            put_blob(&blobs, bits == 4 ? BLOB_U4 : BLOB_U6, packed, COUNT * bits / 8, 0);
        size_t palette_at = put_blob(&blobs, BLOB_F16, palettes, groups * entries * 2, 0);
        fprintf(stream,
                "tensor<fp16, [16, 32, 1, 1]> w%zu = constexpr_lut_to_dense(indices = "
                "tensor<uint%u, [16, 32, 1, 1]>(BLOBFILE(path = "
                "string(\"@model_path/weights/weight.bin\"), offset = uint64(%zu))), lut = "
                "tensor<fp16, [%zu, 1, 1, 1, %zu, 1]>(BLOBFILE(path = "
                "string(\"@model_path/weights/weight.bin\"), offset = uint64(%zu))));\n"
                "tensor<fp16, [1, 16, 1, 1]> y%zu = conv(weight = w%zu, x = x);\n",
                p, bits, index_at, groups, entries, palette_at, p, p);
    }
    fprintf(stream, "tensor<fp16, [1, %zu, 1, 1]> y = concat(axis = int32(1), values = (",
            count * ROWS);
    for (size_t p = 0; p < count; p++)
        fprintf(stream, "%sy%zu", p ? ", " : "", p);
    fprintf(stream, "));\n");
    assert_int_equal(fclose(stream), 0);
    yoke_file *file = open_bundle(&blobs, PROGRAM("%s", "y"), text);
    free(text);
    return file;
}

static void the_palettes_of_a_head_are_joined_with_its_indices(void **state)
{
    (void)state;
    static const size_t rows[] = {8, 8, 8};
    float expected[3 * COUNT];
    yoke_file *file = open_head(3, rows, 0, expected);
    const yoke_tensor *head = find(file, "w");
    assert_string_equal(head->type_name, "3 x lut6");
    assert_int_equal(head->bytes, 3 * (COUNT * 6 / 8 + 2 * 128));
    assert_int_equal(expect_matrix(file, "w", YOKE_LUT6, 3 * ROWS, COLS, expected), head->bytes);
    yoke_matrix matrix;
    assert_int_equal(yoke_file_matrix(file, head, &matrix, NULL, NULL), YOKE_OK);
    assert_int_equal(matrix.table_rows, 8);
    yoke_file_free(file);
}

static void palettes_for_more_rows_are_repeated_where_other_parts_have_smaller_groups(void **state)
{
    (void)state;
    static const size_t rows[] = {16, 4, 8};
    float expected[3 * COUNT];
    yoke_file *file = open_head(3, rows, 3, expected);
    expect_matrix(file, "w", YOKE_LUT4, 3 * ROWS, COLS, expected);
    yoke_matrix matrix;
    assert_int_equal(yoke_file_matrix(file, find(file, "w"), &matrix, NULL, NULL), YOKE_OK);
    assert_int_equal(matrix.table_rows, 4);
    yoke_file_free(file);
}

static void a_head_of_several_widths_is_decoded(void **state)
{
    (void)state;
    static const size_t rows[] = {8, 8};
    float expected[2 * COUNT];
    yoke_file *file = open_head(2, rows, 1, expected);
    expect_matrix(file, "w", YOKE_F16, 2 * ROWS, COLS, expected);
    expect_matrix(file, "w1", YOKE_LUT6, ROWS, COLS, expected + COUNT);
    yoke_file_free(file);
}

static void the_product_with_a_palette_is_that_of_the_numbers_it_stands_for(void **state)
{
    (void)state;
    static const size_t rows[] = {8, 8};
    for (size_t wide = 0; wide <= 2; wide += 2) {
        float expected[2 * COUNT];
        yoke_file *file = open_head(2, rows, wide, expected);
        yoke_format format = wide ? YOKE_LUT4 : YOKE_LUT6;
        check_product(file, "w1", format, expected + COUNT);
        yoke_file_free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(palettes_of_each_width_are_used_as_they_are_stored),
        cmocka_unit_test(a_palette_in_fp32_is_rewritten_where_fp16_holds_it_and_else_decoded),
        cmocka_unit_test(blocks_of_columns_are_decoded),
        cmocka_unit_test(integers_with_a_scale_for_each_row_keep_their_bytes),
        cmocka_unit_test(the_product_with_an_int8_layer_is_that_of_the_numbers_it_stands_for),
        cmocka_unit_test(the_palettes_of_a_head_are_joined_with_its_indices),
        cmocka_unit_test(palettes_for_more_rows_are_repeated_where_other_parts_have_smaller_groups),
        cmocka_unit_test(a_head_of_several_widths_is_decoded),
        cmocka_unit_test(the_product_with_a_palette_is_that_of_the_numbers_it_stands_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
