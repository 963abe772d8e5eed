/* Compressed weights against their definitions, written out here element by element. */
#include "files_coreml_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"

enum { ROWS = 4, COLS = 6, COUNT = ROWS * COLS };

/* Numbers without a pattern, the same in each run. */
static unsigned scramble(unsigned value)
{
    return (value * 2654435761u + 12345u) >> 11;
}

static void fill_halves(uint16_t *halves, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        halves[i] = f16_from_f32((float)(scramble((unsigned)i) % 2000) / 64 - 15);
        values[i] = f16_to_f32(halves[i]);
    }
}

/* Indices below `entries`, and the same packed. */
static void fill_indices(unsigned *indices, uint8_t *packed, unsigned bits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        indices[i] = scramble((unsigned)i + 7) % (1u << bits);
    memset(packed, 0, (count * bits + 7) / 8);
    pack(packed, bits, indices, count);
}

/* An ios16 operation's attribute in the weight file; type and offset are printf arguments. */
#define STORED_ATTRIBUTE(name)                                                                     \
    name " = tensor<%s>(BLOBFILE(path = string(\"@model_path/weights/weight.bin\"), offset = "     \
         "uint64(%zu)))"

static void a_palette_of_each_width_is_one_stream_of_bits(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 2, 3, 4, 6, 8};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        unsigned bits = widths[w], indices[COUNT], entries = 1u << bits;
        uint8_t packed[COUNT];
        uint16_t palette[256];
        float values[256], expected[COUNT];
        char index_type[32], palette_type[32], name[16];
        bytes blobs = {0};
        fill_halves(palette, values, entries);
        fill_indices(indices, packed, bits, COUNT);
        for (size_t i = 0; i < COUNT; i++)
            expected[i] = values[packed_at(packed, bits, i)];
        snprintf(index_type, sizeof index_type, "uint8, [%u]", (COUNT * bits + 7) / 8);
        snprintf(palette_type, sizeof palette_type, "fp16, [%u]", entries);
        snprintf(name, sizeof name, "lut%u", bits);
        size_t index_at = put_blob(&blobs, BLOB_U8, packed, (COUNT * bits + 7) / 8, 0);
        size_t palette_at = put_blob(&blobs, BLOB_F16, palette, entries * 2, 0);
        yoke_file *file = open_bundle(
            &blobs,
            PROGRAM("tensor<fp16, [4, 6]> w = constexpr_lut_to_dense()[" STORED_ATTRIBUTE(
                        "indices") ", " STORED_ATTRIBUTE("lut") ", shape = tensor<uint32, [2]>([4, "
                                                                "6]), name = string(\"w\")];\n",
                    "w"),
            index_type, index_at, palette_type, palette_at);
        assert_int_equal(yoke_file_tensor_count(file), 1);
        const yoke_tensor *tensor = find(file, "w");
        assert_string_equal(tensor->type_name, name);
        assert_int_equal(tensor->offset, index_at + 64);
        assert_int_equal(tensor->bytes, (COUNT * bits + 7) / 8 + entries * 2);
        /* Rows that end within a byte are decoded. */
        static const yoke_format whole[] = {[4] = YOKE_LUT4, [8] = YOKE_LUT8};
        bool native = COLS * bits % 8 == 0;
        size_t copied =
            expect_matrix(file, "w", native ? whole[bits] : YOKE_F16, ROWS, COLS, expected);
        assert_int_equal(copied, native ? 0 : COUNT * 2);
        yoke_file_free(file);
    }
}

static void a_palette_written_in_the_program_reads_like_a_stored_one(void **state)
{
    (void)state;
    static const float palette[2] = {-1.5f, 0.25f};
    static const uint8_t packed[1] = {0x0b};
    float expected[4];
    bytes blobs = {0};
    for (size_t i = 0; i < 4; i++)
        expected[i] = palette[packed_at(packed, 1, i)];
    size_t at = put_blob(&blobs, BLOB_U8, packed, 1, 0);
    yoke_file *file =
        open_bundle(&blobs,
                    PROGRAM("tensor<fp32, [4]> w = constexpr_lut_to_dense()[" STORED_ATTRIBUTE(
                                "indices") ", lut = tensor<fp32, [2]>([-0x1.8p+0, 0x1p-2]), shape "
                                           "= tensor<uint32, [1]>([4])];\n",
                            "w"),
                    "uint8, [1]", at);
    expect_matrix(file, "w", YOKE_F32, 1, 4, expected);
    yoke_file_free(file);
}

static void each_block_of_outputs_has_its_palette(void **state)
{
    (void)state;
    unsigned indices[COUNT];
    uint8_t packed[COUNT];
    uint16_t palettes[2 * 16];
    float values[2 * 16], expected[COUNT];
    bytes blobs = {0};
    fill_halves(palettes, values, 2 * 16);
    fill_indices(indices, packed, 4, COUNT);
    /* Two rows share a palette. */
    for (size_t i = 0; i < COUNT; i++)
        expected[i] = values[i / COLS / 2 * 16 + indices[i]];
    size_t index_at = put_blob(&blobs, BLOB_U4, packed, COUNT / 2, 0);
    size_t palette_at = put_blob(&blobs, BLOB_F16, palettes, sizeof palettes, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM(STORED("uint4", "4, 6, 1, 1", "i")
                    STORED("fp16", "2, 1, 1, 1, 16, 1",
                           "p") "tensor<fp16, [4, 6, 1, 1]> w = constexpr_lut_to_dense(indices = "
                                "i, lut = p);\n"
                                "tensor<fp16, [1, 4, 1, 1]> y = conv(weight = w, x = x);\n",
                "y"),
        index_at, palette_at);
    assert_int_equal(yoke_file_tensor_count(file), 1);
    assert_string_equal(find(file, "w")->type_name, "lut4");
    assert_int_equal(find(file, "w")->rank, 2);
    assert_int_equal(expect_matrix(file, "w", YOKE_LUT4, ROWS, COLS, expected), 0);
    yoke_file_free(file);
}

static void a_palette_of_vectors_lays_them_along_its_axis(void **state)
{
    (void)state;
    /* 2 by 6 indices, entries of 2 along axis 0: 4 by 6 elements. */
    unsigned indices[COUNT / 2];
    uint8_t packed[COUNT];
    uint16_t palette[4 * 2];
    float values[4 * 2], expected[COUNT];
    bytes blobs = {0};
    fill_halves(palette, values, 8);
    fill_indices(indices, packed, 2, COUNT / 2);
    for (size_t row = 0; row < ROWS; row++)
        for (size_t col = 0; col < COLS; col++)
            expected[row * COLS + col] = values[indices[row / 2 * COLS + col] * 2 + row % 2];
    size_t index_at = put_blob(&blobs, BLOB_U2, packed, COUNT / 2 / 4, 0);
    size_t palette_at = put_blob(&blobs, BLOB_F16, palette, sizeof palette, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM(STORED("uint2", "2, 6", "i") STORED(
                    "fp16", "1, 1, 4, 2",
                    "p") "tensor<fp16, [4, 6]> w = constexpr_lut_to_dense(indices = i, lut = p, "
                         "vector_axis = int32(0));\n",
                "w"),
        index_at, palette_at);
    assert_string_equal(find(file, "w")->type_name, "lut2 of 2");
    expect_matrix(file, "w", YOKE_F16, ROWS, COLS, expected);
    yoke_file_free(file);
}

static void affine_weights_are_scaled_along_their_axis(void **state)
{
    (void)state;
    int8_t data[COUNT], zero_points[COLS];
    uint16_t scales[COLS];
    float values[COLS], expected[COUNT];
    bytes blobs = {0};
    fill_halves(scales, values, COLS);
    scales[2] = 0; /* a channel of zeros has no scale */
    values[2] = 0;
    for (size_t i = 0; i < COUNT; i++)
        data[i] = (int8_t)scramble((unsigned)i);
    for (size_t i = 0; i < COLS; i++)
        zero_points[i] = (int8_t)scramble((unsigned)i + 99);
    for (size_t i = 0; i < COUNT; i++)
        expected[i] = (float)(((double)data[i] - zero_points[i % COLS]) * values[i % COLS]);
    size_t data_at = put_blob(&blobs, BLOB_I8, data, sizeof data, 0);
    size_t scale_at = put_blob(&blobs, BLOB_F16, scales, sizeof scales, 0);
    size_t zero_at = put_blob(&blobs, BLOB_I8, zero_points, sizeof zero_points, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM("tensor<fp16, [4, 6]> w = constexpr_affine_dequantize()[axis = int32(-1), "
                "" STORED_ATTRIBUTE("quantized_data") ", " STORED_ATTRIBUTE(
                    "scale") ", " STORED_ATTRIBUTE("zero_point") "];\n",
                "w"),
        "int8, [4, 6]", data_at, "fp16, [6]", scale_at, "int8, [6]", zero_at);
    assert_string_equal(find(file, "w")->type_name, "int8 affine");
    expect_matrix(file, "w", YOKE_F32, ROWS, COLS, expected);
    yoke_file_free(file);
}

static void one_scale_is_for_the_whole_tensor(void **state)
{
    (void)state;
    static const uint8_t data[4] = {0, 128, 255, 130};
    static const float expected[4] = {-32, 0, 31.75f, 0.5f};
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_U8, data, sizeof data, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM("tensor<fp32, [2, 2]> w = constexpr_affine_dequantize()[axis = int32(0), "
                "" STORED_ATTRIBUTE("quantized_data") ", scale = fp32(0.25), zero_point = "
                                                      "uint8(128)];\n",
                "w"),
        "uint8, [2, 2]", at);
    expect_matrix(file, "w", YOKE_INT8, 2, 2, expected);
    yoke_file_free(file);
}

static void one_scale_or_zero_point_goes_with_many_of_the_other(void **state)
{
    (void)state;
    static const float many_scales[4] = {-2, -1, 0, 2}, many_points[4] = {0, 0.5f, 0, 0.5f};
    yoke_file *file = open_bundle(
        NULL, PROGRAM("tensor<fp32, [2, 2]> a = constexpr_affine_dequantize()[axis = int32(0), "
                      "quantized_data = tensor<int8, [2, 2]>([1, 2, 3, 4]), scale = tensor<fp32, "
                      "[2]>([1.0, 2.0]), zero_point = int8(3)];\n"
                      "tensor<fp32, [2, 2]> b = constexpr_affine_dequantize()[axis = int32(0), "
                      "quantized_data = tensor<int8, [2, 2]>([1, 2, 3, 4]), scale = fp32(0.5), "
                      "zero_point = tensor<int8, [2]>([1, 3])];\n",
                      "a, b"));
    expect_matrix(file, "a", YOKE_INT8, 2, 2, many_scales);
    expect_matrix(file, "b", YOKE_INT8, 2, 2, many_points);
    yoke_file_free(file);
}

static void int4_weights_are_scaled_block_by_block(void **state)
{
    (void)state;
    unsigned nibbles[COUNT];
    uint8_t packed[COUNT];
    uint16_t scales[ROWS * 2];
    float values[ROWS * 2], expected[COUNT];
    int8_t offsets[ROWS * 2];
    char offset_text[64] = "";
    bytes blobs = {0};
    fill_halves(scales, values, ROWS * 2);
    fill_indices(nibbles, packed, 4, COUNT);
    for (size_t i = 0; i < ROWS * 2; i++) {
        offsets[i] = (int8_t)(scramble((unsigned)i + 3) % 16) - 8;
        snprintf(offset_text + strlen(offset_text), sizeof offset_text - strlen(offset_text),
                 "%s%d", i ? ", " : "", offsets[i]);
    }
    /* Blocks of three columns. */
    for (size_t i = 0; i < COUNT; i++) {
        int value = nibbles[i] > 7 ? (int)nibbles[i] - 16 : (int)nibbles[i];
        size_t block = i / COLS * 2 + i % COLS / 3;
        expected[i] = (float)(((double)value - offsets[block]) * values[block]);
    }
    size_t data_at = put_blob(&blobs, BLOB_I4, packed, COUNT / 2, 0);
    size_t scale_at = put_blob(&blobs, BLOB_F16, scales, sizeof scales, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM(STORED("int4", "4, 6", "d") STORED(
                    "fp16", "4, 2",
                    "s") "tensor<int4, [4, 2]> o = const()[val = tensor<int4, [4, 2]>([%s])];\n"
                         "tensor<fp16, [4, 6]> w = constexpr_blockwise_shift_scale(data = d, scale "
                         "= s, "
                         "offset = o);\n",
                "w"),
        data_at, scale_at, offset_text);
    assert_string_equal(find(file, "w")->type_name, "int4 scaled");
    expect_matrix(file, "w", YOKE_F32, ROWS, COLS, expected);
    yoke_file_free(file);
}

static void a_palette_may_be_scaled_and_made_of_scaled_integers(void **state)
{
    (void)state;
    static const uint8_t packed[1] = {0xe4}; /* 0 1 2 3 */
    static const int8_t palette[4] = {-4, 2, 7, 100};
    static const float expected[4] = {-4 * 0.5f * 3, 2 * 0.5f * 3, 7 * 0.5f * 5, 100 * 0.5f * 5};
    bytes blobs = {0};
    size_t index_at = put_blob(&blobs, BLOB_U2, packed, 1, 0);
    size_t palette_at = put_blob(&blobs, BLOB_I8, palette, sizeof palette, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM(
            STORED("uint2", "2, 2", "i") STORED(
                "int8", "1, 1, 4, 1",
                "q") "tensor<fp16, [1, 1, 1, 1]> s = const()[val = tensor<fp16, [1, 1, 1, "
                     "1]>([0.5])];\n"
                     "tensor<fp16, [1, 1, 4, 1]> p = constexpr_blockwise_shift_scale(data = q, "
                     "scale = s);\n"
                     "tensor<fp16, [2, 2]> l = constexpr_lut_to_dense(indices = i, lut = p);\n"
                     "tensor<fp16, [2, 1]> t = const()[val = tensor<fp16, [2, 1]>([[3.0], "
                     "[5.0]])];\n"
                     "tensor<fp16, [2, 2]> w = constexpr_blockwise_shift_scale(data = l, scale = "
                     "t);\n",
            "w"),
        index_at, palette_at);
    assert_int_equal(yoke_file_tensor_count(file), 1);
    assert_string_equal(find(file, "w")->type_name, "lut2 scaled");
    /* Stored are the indices and the palette; the scales are written in the program. */
    assert_int_equal(find(file, "w")->bytes, 1 + 4 + strlen("[0.5]") + strlen("[[3.0], [5.0]]"));
    expect_matrix(file, "w", YOKE_F32, 2, 2, expected);
    yoke_file_free(file);
}

/* A mask, and how many ones it has. */
static size_t fill_mask(uint8_t mask[COUNT / 8])
{
    size_t ones = 0;
    for (size_t i = 0; i < COUNT / 8; i++)
        mask[i] = (uint8_t)scramble((unsigned)i + 41);
    for (size_t i = 0; i < COUNT; i++)
        ones += packed_at(mask, 1, i);
    return ones;
}

static void sparse_weights_are_zero_where_the_mask_is(void **state)
{
    (void)state;
    uint8_t mask[COUNT / 8];
    uint16_t nonzero[COUNT];
    float values[COUNT], expected[COUNT];
    char type[32];
    size_t ones = fill_mask(mask), next = 0;
    fill_halves(nonzero, values, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        expected[i] = packed_at(mask, 1, i) ? values[next++] : 0;
    snprintf(type, sizeof type, "fp16, [%zu]", ones);
    bytes blobs = {0};
    size_t mask_at = put_blob(&blobs, BLOB_U8, mask, sizeof mask, 0);
    size_t bit_mask_at = put_blob(&blobs, BLOB_U1, mask, sizeof mask, 0);
    size_t data_at = put_blob(&blobs, BLOB_F16, nonzero, ones * 2, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM(
            "tensor<fp16, [4, 6]> old = constexpr_sparse_to_dense()[" STORED_ATTRIBUTE(
                "mask") ", " STORED_ATTRIBUTE("nonzero_data") ", shape = tensor<uint32, "
                                                              "[2]>([4, 6])];\n" STORED(
                                                                  "uint1", "4, 6",
                                                                  "m") "tensor<%s> d = const()[val "
                                                                       "= tensor<%s>(BLOBFILE(path "
                                                                       "= "
                                                                       "string(\"@model_path/"
                                                                       "weights/weight.bin\"), "
                                                                       "offset = uint64(%zu)))];\n"
                                                                       "tensor<fp16, [4, 6]> new = "
                                                                       "constexpr_sparse_to_dense("
                                                                       "mask = m, "
                                                                       "nonzero_data = d);\n",
            "old, new"),
        "uint8, [3]", mask_at, type, data_at, bit_mask_at, type, type, data_at);
    assert_string_equal(find(file, "old")->type_name, "sparse fp16");
    expect_matrix(file, "old", YOKE_F16, ROWS, COLS, expected);
    expect_matrix(file, "new", YOKE_F16, ROWS, COLS, expected);
    yoke_file_free(file);
}

static void a_sparse_palette_takes_its_blocks_from_the_dense_places(void **state)
{
    (void)state;
    uint8_t mask[COUNT / 8], packed[COUNT];
    unsigned indices[COUNT];
    uint16_t palettes[ROWS * 2];
    float values[ROWS * 2], expected[COUNT];
    size_t ones = fill_mask(mask), next = 0;
    bytes blobs = {0};
    fill_halves(palettes, values, ROWS * 2);
    fill_indices(indices, packed, 1, ones);
    for (size_t i = 0; i < COUNT; i++)
        expected[i] =
            packed_at(mask, 1, i) ? values[i / COLS * 2 + indices[next++]] * (i < 12 ? 2 : -3) : 0;
    size_t mask_at = put_blob(&blobs, BLOB_U1, mask, sizeof mask, 0);
    size_t index_at = put_blob(&blobs, BLOB_U1, packed, (ones + 7) / 8, 8 - ones % 8);
    size_t palette_at = put_blob(&blobs, BLOB_F16, palettes, sizeof palettes, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM(STORED("uint1", "4, 6",
                       "m") "tensor<uint1, [%zu]> i = const()[val = tensor<uint1, "
                            "[%zu]>(BLOBFILE(path = string(\"@model_path/weights/"
                            "weight.bin\"), offset = uint64(%zu)))];\n" STORED(
                                "fp16", "4, 1, 2, 1",
                                "p") "tensor<uint1, [4, 6]> lm, tensor<fp16, [%zu]> ln = "
                                     "constexpr_lut_to_sparse("
                                     "indices_mask = m, indices_nonzero_data = i, lut = p);\n"
                                     "tensor<fp16, [2, 1]> s = const()[val = tensor<fp16, [2, "
                                     "1]>([2.0, -3.0])];\n"
                                     "tensor<uint1, [4, 6]> sm, tensor<fp16, [%zu]> sn = "
                                     "constexpr_sparse_blockwise_shift_scale(data_mask = lm, "
                                     "nonzero_data = ln, "
                                     "scale = s);\n"
                                     "tensor<fp16, [4, 6]> w = constexpr_sparse_to_dense(mask = "
                                     "sm, nonzero_data = "
                                     "sn);\n",
                "w"),
        mask_at, ones, ones, index_at, palette_at, ones, ones);
    assert_int_equal(yoke_file_tensor_count(file), 1);
    expect_matrix(file, "w", YOKE_F32, ROWS, COLS, expected);
    yoke_file_free(file);
}

static void a_compressed_weight_of_a_matmul_is_turned(void **state)
{
    (void)state;
    static const int8_t data[6] = {1, 2, 3, 4, 5, 6};
    static const float expected[6] = {2, 8, 4, 10, 6, 12};
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_I8, data, sizeof data, 0);
    yoke_file *file =
        open_bundle(&blobs,
                    PROGRAM(STORED("int8", "2, 3",
                                   "d") "tensor<fp32, [1, 1]> s = const()[val = tensor<fp32, "
                                        "[1, 1]>([2.0])];\n"
                                        "tensor<fp32, [2, 3]> w = "
                                        "constexpr_blockwise_shift_scale(data = d, scale = s);\n"
                                        "tensor<fp32, [1, 3]> y = matmul(x = v, y = w);\n",
                            "y"),
                    at);
    expect_matrix(file, "w", YOKE_F32, 3, 2, expected);
    yoke_file_free(file);
}

static void a_cast_weight_has_the_values_that_are_stored(void **state)
{
    (void)state;
    static const uint16_t halves[COUNT] = {0x3c00, 0xc100, 0x0001};
    static const float expected[COUNT] = {1, -2.5f, 0x1p-24f};
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_F16, halves, sizeof halves, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM("tensor<fp32, [4, 6]> w = constexpr_cast()[output_dtype = string(\"fp32\"), "
                "source_val = tensor<fp16, [4, 6]>(BLOBFILE(path = "
                "string(\"@model_path/weights/weight.bin\"), offset = uint64(%zu)))];\n",
                "w"),
        at);
    assert_int_equal(find(file, "w")->bytes, sizeof halves);
    expect_matrix(file, "w", YOKE_F16, ROWS, COLS, expected);
    yoke_file_free(file);
}

static void what_yoke_does_not_decode_is_listed_with_the_reason(void **state)
{
    (void)state;
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_I8, "1234", 4, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM(STORED("int8", "4", "d") "tensor<fp16, [4]> w = constexpr_other(data = d);\n", "w"),
        at);
    const yoke_tensor *tensor = find(file, "w");
    assert_false(tensor->readable);
    assert_non_null(strstr(tensor->reason, "does not decode"));
    assert_string_equal(tensor->type_name, "constexpr_other");
    yoke_matrix matrix;
    assert_int_equal(yoke_file_matrix(file, tensor, &matrix, NULL, NULL), YOKE_ERR_UNSUPPORTED);
    yoke_file_free(file);
}

static void a_mask_with_too_many_ones_is_refused_when_it_is_read(void **state)
{
    (void)state;
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_U8, "\xff", 1, 0);
    yoke_file *file =
        open_bundle(&blobs,
                    PROGRAM("tensor<fp16, [8]> w = constexpr_sparse_to_dense()[" STORED_ATTRIBUTE(
                                "mask") ", nonzero_data = tensor<fp16, [2]>([1.0, 2.0]), shape = "
                                        "tensor<uint32, [1]>([8])];\n",
                            "w"),
                    "uint8, [1]", at);
    yoke_matrix matrix;
    yoke_error err = {0};
    assert_int_equal(yoke_file_matrix(file, find(file, "w"), &matrix, NULL, &err), YOKE_ERR_FORMAT);
    assert_non_null(strstr(err.text, "mask"));
    yoke_file_free(file);
}

static void pieces_that_do_not_fit_each_other_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *expected, *body;
    } cases[] = {
        {"lut: not as many entries",
         "tensor<fp16, [4]> w = constexpr_lut_to_dense()[indices = tensor<uint8, [1]>([0]), lut = "
         "tensor<fp16, [3]>([1.0, 2.0, 3.0]), shape = tensor<uint32, [1]>([4])];\n"},
        {"indices: not as many bytes",
         "tensor<fp16, [9]> w = constexpr_lut_to_dense()[indices = tensor<uint8, [1]>([0]), lut = "
         "tensor<fp16, [2]>([1.0, 2.0]), shape = tensor<uint32, [1]>([9])];\n"},
        {"its value is not of its shape",
         "tensor<fp16, [7]> w = constexpr_lut_to_dense()[indices = tensor<uint8, [1]>([0]), lut = "
         "tensor<fp16, [2]>([1.0, 2.0]), shape = tensor<uint32, [1]>([8])];\n"},
        {"scale: not as many as the axis is long",
         "tensor<fp16, [2]> w = constexpr_affine_dequantize()[axis = int32(0), quantized_data = "
         "tensor<int8, [2]>([0, 1]), scale = tensor<fp16, [3]>([1.0, 2.0, 3.0]), zero_point = "
         "int8(0)];\n"},
        {"scale: its blocks do not divide the data",
         "tensor<fp16, [4]> w = constexpr_blockwise_shift_scale(data = tensor<int8, [4]>([0, 1, 2, "
         "3]), scale = tensor<fp16, [3]>([1.0, 2.0, 3.0]));\n"},
        {"scale: missing",
         "tensor<fp16, [4]> w = constexpr_blockwise_shift_scale(data = tensor<int8, [4]>([0, 1, 2, "
         "3]));\n"},
        {"lut: its entries",
         "tensor<fp16, [4]> w = constexpr_lut_to_dense(indices = tensor<uint4, [4]>([0, 1, 2, 3]), "
         "lut = tensor<fp16, [1, 4, 1]>([1.0, 2.0, 3.0, 4.0]));\n"},
        {"lut: its entries",
         "tensor<fp16, [4]> w = constexpr_lut_to_dense(indices = tensor<int8, [4]>([0, 1, 2, 3]), "
         "lut = tensor<fp16, [1, 4, 1]>([1.0, 2.0, 3.0, 4.0]));\n"},
        {"vector_axis: not one",
         "tensor<fp16, [4]> w = constexpr_lut_to_dense(indices = tensor<uint1, [2]>([0, 1]), lut = "
         "tensor<fp16, [1, 2, 2]>([1.0, 2.0, 3.0, 4.0]), vector_axis = int32(1));\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_bundle(cases[i].expected, NULL, PROGRAM("%s", "w"), cases[i].body);
}

static void a_chain_that_goes_round_is_refused(void **state)
{
    (void)state;
    refuse_bundle("too many operations in a chain", NULL,
                  PROGRAM("tensor<fp16, [1]> a = constexpr_blockwise_shift_scale(data = b, scale = "
                          "tensor<fp16, [1]>([1.0]));\n"
                          "tensor<fp16, [1]> b = constexpr_blockwise_shift_scale(data = a, scale = "
                          "tensor<fp16, [1]>([1.0]));\n",
                          "a"));
}

static void a_long_chain_is_refused_even_when_each_link_is_used(void **state)
{
    (void)state;
    char *body = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&body, &size);
    assert_non_null(stream);
    fprintf(stream, "tensor<fp16, [1]> c0 = const()[val = tensor<fp16, [1]>([1.0])];\n");
    for (unsigned i = 1; i < 5000; i++)
        fprintf(stream,
                "tensor<fp16, [1]> c%u = constexpr_blockwise_shift_scale(data = c%u, scale = "
                "tensor<fp16, [1]>([1.0]));\ntensor<fp16, [1]> r%u = relu(x = c%u);\n",
                i, i - 1, i, i);
    assert_int_equal(fclose(stream), 0);
    refuse_bundle("too many operations in a chain", NULL, PROGRAM("%s", "c4999"), body);
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_palette_of_each_width_is_one_stream_of_bits),
        cmocka_unit_test(a_palette_written_in_the_program_reads_like_a_stored_one),
        cmocka_unit_test(each_block_of_outputs_has_its_palette),
        cmocka_unit_test(a_palette_of_vectors_lays_them_along_its_axis),
        cmocka_unit_test(affine_weights_are_scaled_along_their_axis),
        cmocka_unit_test(one_scale_is_for_the_whole_tensor),
        cmocka_unit_test(one_scale_or_zero_point_goes_with_many_of_the_other),
        cmocka_unit_test(int4_weights_are_scaled_block_by_block),
        cmocka_unit_test(a_palette_may_be_scaled_and_made_of_scaled_integers),
        cmocka_unit_test(sparse_weights_are_zero_where_the_mask_is),
        cmocka_unit_test(a_sparse_palette_takes_its_blocks_from_the_dense_places),
        cmocka_unit_test(a_compressed_weight_of_a_matmul_is_turned),
        cmocka_unit_test(a_cast_weight_has_the_values_that_are_stored),
        cmocka_unit_test(what_yoke_does_not_decode_is_listed_with_the_reason),
        cmocka_unit_test(a_mask_with_too_many_ones_is_refused_when_it_is_read),
        cmocka_unit_test(pieces_that_do_not_fit_each_other_are_refused),
        cmocka_unit_test(a_chain_that_goes_round_is_refused),
        cmocka_unit_test(a_long_chain_is_refused_even_when_each_link_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
