/* Reading elements: each format against values worked out by hand from its layout, and against the
 * digest of what ggml makes of a real file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yoke/matrix.h"

#define BLOCK_MAX_BYTES 292

/* Some bytes of a block (the others are zero), and some of the elements it holds. */
typedef struct hand_block {
    yoke_format format;
    struct {
        size_t at;
        unsigned char byte;
    } bytes[24];
    struct {
        size_t element;
        float value;
    } elements[12];
} hand_block;

/* f16: 0x3800 is 0.5, 0x3c00 is 1, 0x4000 is 2, 0xbc00 is -1. Lists end with zeros, which say that
 * byte 0 is 0 and element 0 is 0; so each list of elements begins with element 0. */
static const hand_block HAND_BLOCKS[] = {
    {YOKE_Q4_0,
     {{1, 0x38}, {2, 0xf0}, {17, 0x19}},
     {{0, -4.0f}, {16, 3.5f}, {15, 0.5f}, {31, -3.5f}, {1, -4.0f}}},
    {YOKE_Q4_1,
     {{1, 0x38}, {3, 0x3c}, {4, 0xf0}, {19, 0x19}},
     {{0, 1.0f}, {16, 8.5f}, {15, 5.5f}, {31, 1.5f}}},
    {YOKE_Q5_0,
     {{1, 0x38}, {2, 0x01}, {5, 0x80}, {6, 0x03}, {21, 0xf2}},
     {{0, 1.5f}, {16, -8.0f}, {15, -7.0f}, {31, 7.5f}}},
    {YOKE_Q5_1,
     {{1, 0x38}, {3, 0xbc}, {4, 0x01}, {7, 0x80}, {8, 0x03}, {23, 0xf2}},
     {{0, 8.5f}, {16, -1.0f}, {15, 0.0f}, {31, 14.5f}}},
    {YOKE_Q8_0, {{1, 0x38}, {2, 0x80}, {33, 0x7f}}, {{0, -64.0f}, {31, 63.5f}}},
    {YOKE_Q2_K,
     {{0, 0x21}, {2, 0x02}, {15, 0x13}, {16, 0xe4}, {79, 0xc0}, {81, 0x3c}, {83, 0x38}},
     {{0, -1.0f}, {32, 2.0f}, {33, 0.0f}, {255, 8.5f}}},
    {YOKE_Q3_K,
     {{0, 0x01},
      {31, 0x80},
      {32, 0x02},
      {95, 0x40},
      {96, 0x01},
      {103, 0x50},
      {104, 0x02},
      {107, 0x80},
      {109, 0x38}},
     {{0, 1.0f}, {1, -2.0f}, {255, 2.5f}, {240, -10.0f}}},
    {YOKE_Q4_K,
     {{1, 0x3c},
      {3, 0x38},
      {4, 3},
      {5, 1},
      {8, 2},
      {7, 0x40},
      {11, 0x80},
      {15, 0x21},
      {16, 0x95},
      {143, 0xa0}},
     {{0, 14.0f}, {32, 9.0f}, {255, 153.0f}}},
    {YOKE_Q5_K,
     {{1, 0x3c},
      {3, 0x38},
      {4, 3},
      {5, 1},
      {8, 2},
      {7, 0x40},
      {11, 0x80},
      {15, 0x21},
      {16, 0x03},
      {47, 0x80},
      {48, 0x95},
      {175, 0xa0}},
     {{0, 62.0f}, {32, 25.0f}, {255, 425.0f}}},
    {YOKE_Q6_K,
     {{0, 0x15},
      {127, 0x70},
      {128, 0x03},
      {191, 0x80},
      {192, 2},
      {196, 0xff},
      {207, 3},
      {209, 0x38}},
     {{0, 21.0f}, {64, 15.5f}, {255, 10.5f}}},
    {YOKE_Q8_K, {{2, 0x80}, {3, 0x3e}, {4, 0x80}, {259, 100}}, {{0, -32.0f}, {255, 25.0f}}},
    {YOKE_IQ4_NL, {{1, 0x38}, {2, 0xf0}}, {{0, -63.5f}, {16, 56.5f}, {1, -63.5f}}},
    {YOKE_IQ4_XS,
     {{1, 0x38}, {2, 0x02}, {3, 0xc0}, {4, 0x01}, {7, 0x20}, {8, 0x8f}, {135, 0x09}},
     {{0, 56.5f}, {16, 0.5f}, {239, 117.0f}, {255, -1143.0f}}},
    /* codebooks: index 0 is eight (four) times the lowest step, index 1 has another first one */
    {YOKE_IQ2_XXS,
     {{1, 0x40}, {2, 1}, {6, 1}, {9, 0x20}},
     {{0, -53.75f}, {1, 10.0f}, {7, -10.0f}, {8, 10.0f}, {255, 2.0f}}},
    {YOKE_IQ2_XS,
     {{1, 0x40}, {2, 1}, {3, 0x02}, {66, 0x42}},
     {{0, -53.75f}, {1, 10.0f}, {7, -10.0f}, {16, 18.0f}, {255, 2.0f}}},
    {YOKE_IQ2_S,
     {{1, 0x40}, {2, 1}, {34, 0x80}, {74, 0x42}},
     {{0, 53.75f}, {1, 10.0f}, {7, -10.0f}, {16, 18.0f}, {255, 2.0f}}},
    {YOKE_IQ3_XXS,
     {{1, 0x40}, {2, 1}, {66, 1}, {69, 0x20}},
     {{0, -50.0f}, {1, 10.0f}, {7, -10.0f}, {8, 10.0f}, {255, 2.0f}}},
    {YOKE_IQ3_S,
     {{1, 0x40}, {2, 1}, {74, 0x80}, {106, 0x52}},
     {{0, 30.0f}, {1, 10.0f}, {7, -10.0f}, {32, 22.0f}, {255, 2.0f}}},
    {YOKE_IQ1_S,
     {{1, 0x40}, {2, 1}, {35, 0x10}, {49, 0x80}},
     {{0, 6.75f}, {1, -5.25f}, {32, -1.75f}, {255, -2.25f}}},
    {YOKE_IQ1_M,
     {{0, 1}, {47, 0x80}, {48, 1}, {55, 0x40}},
     {{0, 6.75f}, {1, -5.25f}, {16, -1.75f}, {255, -2.25f}}},
    {YOKE_MXFP4,
     {{0, 128}, {1, 0xf7}, {16, 0x12}},
     {{0, 12.0f}, {16, -12.0f}, {15, 2.0f}, {31, 1.0f}}},
    {YOKE_NVFP4,
     {{0, 0x38}, {3, 0x40}, {4, 0x2a}, {35, 0x70}},
     {{0, -1.0f}, {8, 1.0f}, {55, 0.0f}, {63, 12.0f}}},
    /* ternary digits 2 1 0 2 1 are 196 of 243, stored as 207 of 256; 0 2 1 1 as 70 */
    {YOKE_TQ1_0,
     {{0, 207}, {32, 207}, {48, 70}, {53, 0x40}},
     {{0, 2.0f},
      {32, 0.0f},
      {64, -2.0f},
      {96, 2.0f},
      {128, 0.0f},
      {160, 2.0f},
      {192, -2.0f},
      {240, -2.0f},
      {244, 2.0f},
      {248, 0.0f}}},
    {YOKE_TQ2_0,
     {{0, 0xe4}, {63, 0x80}, {65, 0x40}},
     {{0, -2.0f}, {32, 0.0f}, {64, 2.0f}, {96, 4.0f}, {255, 2.0f}}},
    {YOKE_Q1_0, {{1, 0x38}, {2, 0x01}, {17, 0x80}}, {{0, 0.5f}, {1, -0.5f}, {127, 0.5f}}},
    {YOKE_Q2_0,
     {{1, 0x38}, {2, 0xe4}, {17, 0x80}},
     {{0, -0.5f}, {1, 0.0f}, {2, 0.5f}, {3, 1.0f}, {63, 0.5f}}},
};

static void blocks_read_as_their_layout_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof HAND_BLOCKS / sizeof *HAND_BLOCKS; i++) {
        const hand_block *hand = &HAND_BLOCKS[i];
        const yoke_format_info *info = yoke_format_get(hand->format);
        unsigned char data[BLOCK_MAX_BYTES] = {0};
        for (size_t j = 0; j < 24; j++)
            if (hand->bytes[j].byte)
                data[hand->bytes[j].at] = hand->bytes[j].byte;
        yoke_matrix matrix = {.format = hand->format, .rows = 1, .cols = info->block, .data = data};
        float out[256];
        assert_int_equal(yoke_matrix_read(&matrix, 0, 0, info->block, out, NULL), YOKE_OK);
        for (size_t j = 0; j < 12; j++) {
            size_t element = hand->elements[j].element;
            if (j > 0 && element == 0)
                break;
            if (out[element] != hand->elements[j].value)
                fail_msg("%s, element %zu: %g instead of %g", info->name, element,
                         (double)out[element], (double)hand->elements[j].value);
        }
    }
}

static float read_one(yoke_format format, const void *data, size_t cols, size_t col)
{
    yoke_matrix matrix = {.format = format, .rows = 1, .cols = cols, .data = NULL};
    memcpy(&matrix.data, &data, sizeof data); /* only read */
    float value = 0.0f;
    assert_int_equal(yoke_matrix_read(&matrix, 0, col, 1, &value, NULL), YOKE_OK);
    return value;
}

/* A small float by its definition, in double; infinities and NaN apart. */
static double small_value(unsigned bits, int exponent_bits, int fraction_bits)
{
    int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    double fraction = ldexp(bits & ((1u << fraction_bits) - 1u), -fraction_bits);
    double value = exponent ? ldexp(1.0 + fraction, exponent - bias) : ldexp(fraction, 1 - bias);
    return bits >> (exponent_bits + fraction_bits) & 1u ? -value : value;
}

static void eight_bit_floats_have_the_values_of_their_definition(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 256; i++) {
        unsigned char byte = (unsigned char)i;
        float e4m3 = read_one(YOKE_F8_E4M3, &byte, 1, 0);
        float e5m2 = read_one(YOKE_F8_E5M2, &byte, 1, 0);
        float e8m0 = read_one(YOKE_F8_E8M0, &byte, 1, 0);
        assert_true((i & 0x7fu) == 0x7fu ? isnan(e4m3) : (double)e4m3 == small_value(i, 4, 3));
        if ((i & 0x7fu) > 0x7cu)
            assert_true(isnan(e5m2));
        else if ((i & 0x7fu) == 0x7cu)
            assert_true(isinf(e5m2) && (e5m2 < 0.0f) == (i > 0x7fu));
        else
            assert_true((double)e5m2 == small_value(i, 5, 2));
        assert_true(i == 255 ? isnan(e8m0) : (double)e8m0 == ldexp(1.0, (int)i - 127));
    }
    const unsigned char largest[] = {0x7e, 0x7b};
    assert_true(read_one(YOKE_F8_E4M3, &largest[0], 1, 0) == 448.0f);
    assert_true(read_one(YOKE_F8_E5M2, &largest[1], 1, 0) == 57344.0f);
}

static void six_bit_floats_lie_four_in_three_bytes_lowest_bits_first(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 64; i++) {
        unsigned codes[4] = {i, 63 - i, (i * 7) & 63, (i + 21) & 63};
        unsigned bits = codes[0] | codes[1] << 6 | codes[2] << 12 | codes[3] << 18;
        unsigned char bytes[3] = {(unsigned char)bits, (unsigned char)(bits >> 8),
                                  (unsigned char)(bits >> 16)};
        for (size_t j = 0; j < 4; j++) {
            assert_true((double)read_one(YOKE_F6_E2M3, bytes, 4, j) == small_value(codes[j], 2, 3));
            assert_true((double)read_one(YOKE_F6_E3M2, bytes, 4, j) == small_value(codes[j], 3, 2));
        }
    }
    const unsigned char largest[3] = {0x1f};
    assert_true(read_one(YOKE_F6_E2M3, largest, 4, 0) == 7.5f);
    assert_true(read_one(YOKE_F6_E3M2, largest, 4, 0) == 28.0f);
}

static void four_bit_floats_lie_two_a_byte_low_nibble_first(void **state)
{
    (void)state;
    const float values[8] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
    for (unsigned i = 0; i < 256; i++) {
        unsigned char byte = (unsigned char)i;
        float low = values[i & 7u] * (i & 8u ? -1.0f : 1.0f);
        float high = values[i >> 4 & 7u] * (i & 128u ? -1.0f : 1.0f);
        assert_true(read_one(YOKE_F4_E2M1, &byte, 2, 0) == low);
        assert_true(read_one(YOKE_F4_E2M1, &byte, 2, 1) == high);
    }
}

static void numbers_too_long_for_f32_are_rounded_to_nearest_even(void **state)
{
    (void)state;
    const int32_t i32[] = {16777217, 16777219, INT32_MIN};
    assert_true(read_one(YOKE_I32, i32, 3, 0) == 16777216.0f);
    assert_true(read_one(YOKE_I32, i32, 3, 1) == 16777220.0f);
    assert_true(read_one(YOKE_I32, i32, 3, 2) == -0x1p31f);
    const uint64_t u64[] = {UINT64_MAX, (1u << 24) + 1};
    assert_true(read_one(YOKE_U64, u64, 2, 0) == 0x1p64f);
    assert_true(read_one(YOKE_U64, u64, 2, 1) == 0x1p24f);
    const int64_t i64[] = {INT64_MIN, -5};
    assert_true(read_one(YOKE_I64, i64, 2, 0) == -0x1p63f);
    assert_true(read_one(YOKE_I64, i64, 2, 1) == -5.0f);
    const double f64[] = {1.0 + 0x1p-24, 1.0 + 3 * 0x1p-24, 1e300, -0.0};
    assert_true(read_one(YOKE_F64, f64, 4, 0) == 1.0f);
    assert_true(read_one(YOKE_F64, f64, 4, 1) == 1.0f + 0x1p-22f);
    assert_true(isinf(read_one(YOKE_F64, f64, 4, 2)));
    assert_true(signbit(read_one(YOKE_F64, f64, 4, 3)));
}

static void short_numbers_read_exactly(void **state)
{
    (void)state;
    const uint16_t u16 = 65535;
    const int16_t i16 = -32768;
    const uint32_t u32 = 0x80000000u;
    const uint8_t u8 = 255;
    const int8_t i8 = -128;
    const unsigned char flags[] = {0, 1, 2};
    const uint16_t f16 = 0x0001, bf16 = 0xc040;
    assert_true(read_one(YOKE_U16, &u16, 1, 0) == 65535.0f);
    assert_true(read_one(YOKE_I16, &i16, 1, 0) == -32768.0f);
    assert_true(read_one(YOKE_U32, &u32, 1, 0) == 0x1p31f);
    assert_true(read_one(YOKE_U8, &u8, 1, 0) == 255.0f);
    assert_true(read_one(YOKE_I8, &i8, 1, 0) == -128.0f);
    assert_true(read_one(YOKE_BOOL, flags, 3, 0) == 0.0f);
    assert_true(read_one(YOKE_BOOL, flags, 3, 1) == 1.0f);
    assert_true(read_one(YOKE_BOOL, flags, 3, 2) == 1.0f);
    assert_true(read_one(YOKE_F16, &f16, 1, 0) == 0x1p-24f);
    assert_true(read_one(YOKE_BF16, &bf16, 1, 0) == -3.0f);
}

/* Any stretch of any row, at an odd address with a gap between rows, equals the same stretch of
 * the row read whole, and nothing beyond it is written. */
static void any_stretch_of_a_row_reads_as_in_the_whole_row(void **state)
{
    (void)state;
    for (int f = 1; f < YOKE_FORMAT_COUNT; f++) {
        const yoke_format_info *info = yoke_format_get((yoke_format)f);
        if (!info->readable)
            continue;
        size_t cols = 3 * info->block < 12 ? 12 : 3 * info->block;
        size_t stride = cols + info->block, bytes = 2 * stride / info->block * info->block_bytes;
        unsigned char *data = malloc(bytes + 1), table[512];
        float *whole = malloc(cols * sizeof *whole), *part = malloc((cols + 1) * sizeof *part);
        assert_true(data && whole && part);
        for (size_t i = 0; i < bytes; i++)
            data[1 + i] = (unsigned char)(i * 37 + i / 7 + 11);
        for (size_t i = 0; i < sizeof table; i++)
            table[i] = (unsigned char)(i * 11 % 0x70); /* no NaN */
        yoke_matrix matrix = {.format = (yoke_format)f,
                              .rows = 2,
                              .cols = cols,
                              .stride = stride,
                              .data = data + 1,
                              .table = table};
        assert_int_equal(yoke_matrix_read(&matrix, 1, 0, cols, whole, NULL), YOKE_OK);
        size_t step = info->block / 16 + 1;
        for (size_t col = 0; col <= cols; col += step)
            for (size_t count = 0; count <= cols - col; count += step) {
                part[count] = 12345.0f;
                assert_int_equal(yoke_matrix_read(&matrix, 1, col, count, part, NULL), YOKE_OK);
                assert_memory_equal(part, whole + col, count * sizeof *part);
                assert_true(part[count] == 12345.0f);
            }
        free(data);
        free(whole);
        free(part);
    }
}

static void elements_outside_the_matrix_are_refused(void **state)
{
    (void)state;
    float data[6] = {0}, out[6];
    yoke_matrix matrix = {.format = YOKE_F32, .rows = 2, .cols = 3, .data = data};
    yoke_error err;
    assert_int_equal(yoke_matrix_read(&matrix, 2, 0, 1, out, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_matrix_read(&matrix, 0, 2, 2, out, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_matrix_read(&matrix, 0, 4, 0, out, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_matrix_read(&matrix, 0, 1, SIZE_MAX, out, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_matrix_read(&matrix, 0, 3, 0, out, &err), YOKE_OK);
}

static void what_is_not_readable_says_so(void **state)
{
    (void)state;
    const yoke_format formats[] = {YOKE_C64, YOKE_C128, YOKE_Q8_1};
    unsigned char data[292] = {0};
    float out[1];
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        yoke_matrix matrix = {.format = formats[i],
                              .rows = 1,
                              .cols = yoke_format_get(formats[i])->block,
                              .data = data};
        yoke_error err;
        assert_false(yoke_format_get(formats[i])->readable);
        assert_int_equal(yoke_matrix_read(&matrix, 0, 0, 1, out, &err), YOKE_ERR_UNSUPPORTED);
        assert_non_null(strstr(err.text, yoke_format_get(formats[i])->name));
    }
}

static uint64_t fnv1a(const unsigned char *bytes, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

/* 64 by 256 weights of a real model, stored in every format at these offsets of one file; FNV-1a of
 * the f32 values that ggml's dequantize_row_* made of them. */
static void weights_of_a_real_file_read_bit_equal_to_ggml(void **state)
{
    (void)state;
    static const struct {
        yoke_format format;
        long offset;
        uint64_t digest;
    } tensors[] = {
        {YOKE_F32, 1792, 0x9aeb9cd089ba1761u},       {YOKE_F16, 67328, 0x1504b339fa942bf1u},
        {YOKE_Q4_0, 100096, 0xce97c993019ddf66u},    {YOKE_Q4_1, 109312, 0xbedf9a9a3a8d2c5au},
        {YOKE_Q5_0, 119552, 0xfc0a94f080ccf1c6u},    {YOKE_Q5_1, 130816, 0x3d9244f2efa1a9b3u},
        {YOKE_Q8_0, 143104, 0x8102c96ef5707952u},    {YOKE_Q2_K, 160512, 0x9b39a95f9c3fcb75u},
        {YOKE_Q3_K, 165888, 0xba34eb1664b15806u},    {YOKE_Q4_K, 172928, 0x9ec6ff86ad35a8d0u},
        {YOKE_Q5_K, 182144, 0x59041f0c688b4ad9u},    {YOKE_Q6_K, 193408, 0xd0cdc9252df9a927u},
        {YOKE_IQ2_XXS, 206848, 0x0e1293184f18b7e5u}, {YOKE_IQ2_XS, 211072, 0x6c31112d40e2f83fu},
        {YOKE_IQ3_XXS, 215808, 0xa7786b8b33338059u}, {YOKE_IQ1_S, 222080, 0x43c142a954973714u},
        {YOKE_IQ3_S, 234496, 0x6ad2e40a1d00d828u},   {YOKE_IQ2_S, 241536, 0x77441551c2f93595u},
        {YOKE_IQ1_M, 255488, 0x1856121bb3cfe701u},   {YOKE_IQ4_NL, 225280, 0xa4c8a744d0484759u},
        {YOKE_IQ4_XS, 246784, 0xa1488a187b93f141u},  {YOKE_BF16, 259072, 0x2df1b4f710f1a0ecu},
        {YOKE_TQ1_0, 291840, 0xfc3983fde12549b3u},   {YOKE_TQ2_0, 295296, 0xfc3983fde12549b3u},
        {YOKE_MXFP4, 299520, 0xbb82fa21f9b08145u},   {YOKE_NVFP4, 308224, 0x38526db505465a86u},
        {YOKE_Q1_0, 317440, 0x9df19fad170939a5u},    {YOKE_Q2_0, 319744, 0x91b65b116cb6af2eu},
    };
    const char *path = YOKE_TEST_SHARED "/models/gguf/real_alltypes_64x256.gguf";
    FILE *file = fopen(path, "rb");
    if (!file) {
        print_message("skipped: cannot open %s\n", path);
        skip();
    }
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
        yoke_matrix matrix;
        assert_int_equal(yoke_matrix_create(tensors[i].format, 64, 256, &matrix, NULL), YOKE_OK);
        size_t bytes;
        assert_int_equal(yoke_format_bytes(tensors[i].format, 64, 256, &bytes, NULL), YOKE_OK);
        assert_int_equal(fseek(file, tensors[i].offset, SEEK_SET), 0);
        assert_int_equal(fread(matrix.data, 1, bytes, file), bytes);
        static float values[64 * 256];
        for (size_t row = 0; row < 64; row++)
            assert_int_equal(yoke_matrix_read(&matrix, row, 0, 256, values + row * 256, NULL),
                             YOKE_OK);
        if (fnv1a((const unsigned char *)values, sizeof values) != tensors[i].digest)
            fail_msg("%s differs from ggml", yoke_format_get(tensors[i].format)->name);
        yoke_matrix_free(&matrix);
    }
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_read_as_their_layout_says),
        cmocka_unit_test(eight_bit_floats_have_the_values_of_their_definition),
        cmocka_unit_test(six_bit_floats_lie_four_in_three_bytes_lowest_bits_first),
        cmocka_unit_test(four_bit_floats_lie_two_a_byte_low_nibble_first),
        cmocka_unit_test(numbers_too_long_for_f32_are_rounded_to_nearest_even),
        cmocka_unit_test(short_numbers_read_exactly),
        cmocka_unit_test(any_stretch_of_a_row_reads_as_in_the_whole_row),
        cmocka_unit_test(elements_outside_the_matrix_are_refused),
        cmocka_unit_test(what_is_not_readable_says_so),
        cmocka_unit_test(weights_of_a_real_file_read_bit_equal_to_ggml),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
