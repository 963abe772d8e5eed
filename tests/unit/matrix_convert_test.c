#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "yoke/matrix.h"

static void convert_row(yoke_format from, void *src, yoke_format to, void *dst, size_t cols)
{
    yoke_matrix source = {.format = from, .rows = 1, .cols = cols, .data = src},
                result = {.format = to, .rows = 1, .cols = cols, .data = dst};
    assert_int_equal(yoke_matrix_convert(&source, &result, NULL), YOKE_OK);
}

static void f32_becomes_f16_and_bf16_to_nearest_even_and_nan_stays(void **state)
{
    (void)state;
    float values[] = {1.0f, 65519.0f, 65520.0f, -1e30f, 1.0f + 0x1p-11f, 1.0f + 0x1.8p-10f, NAN};
    uint16_t f16[7], bf16[7];
    convert_row(YOKE_F32, values, YOKE_F16, f16, 7);
    convert_row(YOKE_F32, values, YOKE_BF16, bf16, 7);
    const uint16_t f16_right[] = {0x3c00, 0x7bff, 0x7c00, 0xfc00, 0x3c00, 0x3c02};
    assert_memory_equal(f16, f16_right, sizeof f16_right);
    assert_true((f16[6] & 0x7fff) > 0x7c00);
    const uint16_t bf16_right[] = {0x3f80, 0x4780, 0x4780, 0xf14a};
    assert_memory_equal(bf16, bf16_right, sizeof bf16_right);
    assert_true((bf16[6] & 0x7fff) > 0x7f80);
}

/* Just above the middle of two f16 (bf16) values, by less than an f32 can say: rounding to f32
 * first would land on the middle and then on the even neighbour below. */
static void f64_is_rounded_once_not_twice(void **state)
{
    (void)state;
    double values[] = {1.0 + 0x1p-11 + 0x1p-40,
                       1.0 + 0x1p-11 - 0x1p-40,
                       -(1.0 + 0x1p-11 + 0x1p-40),
                       65520.0 - 0x1p-30,
                       1e300,
                       0x1p-25 + 0x1p-60,
                       1.0 + 0x1p-11,
                       NAN};
    uint16_t f16[8];
    convert_row(YOKE_F64, values, YOKE_F16, f16, 8);
    const uint16_t f16_right[] = {0x3c01, 0x3c00, 0xbc01, 0x7bff, 0x7c00, 0x0001, 0x3c00};
    assert_memory_equal(f16, f16_right, sizeof f16_right);
    assert_true((f16[7] & 0x7fff) > 0x7c00);

    double wide[] = {1.0 + 0x1p-8 + 0x1p-40, 1.0 + 0x1p-8 - 0x1p-40, 1e-300, -1e300};
    uint16_t bf16[4];
    convert_row(YOKE_F64, wide, YOKE_BF16, bf16, 4);
    const uint16_t bf16_right[] = {0x3f81, 0x3f80, 0x0000, 0xff80};
    assert_memory_equal(bf16, bf16_right, sizeof bf16_right);
}

static void f64_and_whole_numbers_keep_what_f64_can_hold(void **state)
{
    (void)state;
    int64_t whole[] = {(int64_t)1 << 52 | 1, -123456789012345};
    double out[2];
    convert_row(YOKE_I64, whole, YOKE_F64, out, 2);
    assert_true(out[0] == 4503599627370497.0 && out[1] == -123456789012345.0);
    double pi[] = {3.14159265358979323846, 1e300};
    convert_row(YOKE_F64, pi, YOKE_F64, out, 2);
    assert_memory_equal(out, pi, sizeof pi);
    uint32_t last = UINT32_MAX;
    convert_row(YOKE_U32, &last, YOKE_F64, out, 1);
    assert_true(out[0] == 4294967295.0);
}

static void a_hand_worked_block_quantises_to_q8_0_and_q4_0(void **state)
{
    (void)state;
    float values[32] = {127.0f, -127.0f, 1.0f, 0.5f, -0.5f, 2.4f, 0.0f, -8.0f};
    unsigned char q8[34], q4[18];
    convert_row(YOKE_F32, values, YOKE_Q8_0, q8, 32); /* scale 1: rounded, halves away from 0 */
    const signed char right8[] = {127, -127, 1, 1, -1, 2, 0, -8};
    assert_int_equal(q8[0] | q8[1] << 8, 0x3c00);
    assert_memory_equal(q8 + 2, right8, sizeof right8);

    float small[32] = {-8.0f, 7.0f, 8.0f, 0.4f, -1.6f};
    convert_row(YOKE_F32, small, YOKE_Q4_0, q4, 32); /* scale 1: 8 is clipped to 7 */
    const unsigned char right4[] = {0x80, 0x8f, 0x8f, 0x88, 0x86, 0x88};
    assert_int_equal(q4[0] | q4[1] << 8, 0x3c00);
    assert_memory_equal(q4 + 2, right4, sizeof right4);
}

static void a_block_with_a_nan_or_an_infinity_becomes_all_nan(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    const yoke_format formats[] = {YOKE_Q8_0, YOKE_Q4_0};
    for (size_t f = 0; f < 2; f++)
        for (size_t b = 0; b < 3; b++) {
            float values[64] = {1.0f}, back[64];
            values[5] = bad[b];
            values[40] = 2.0f;
            unsigned char blocks[68];
            convert_row(YOKE_F32, values, formats[f], blocks, 64);
            convert_row(formats[f], blocks, YOKE_F32, back, 64);
            for (size_t i = 0; i < 32; i++)
                assert_true(isnan(back[i]));
            assert_true(fabsf(back[40] - 2.0f) < 0.01f);
        }
}

static void scales_too_small_for_their_inverse_do_no_harm(void **state)
{
    (void)state;
    const yoke_format formats[] = {YOKE_Q8_0, YOKE_Q4_0};
    for (size_t f = 0; f < 2; f++) {
        float values[32], back[32];
        for (size_t i = 0; i < 32; i++)
            values[i] = (i % 2 ? -1e-40f : 1e-41f);
        unsigned char block[34];
        convert_row(YOKE_F32, values, formats[f], block, 32);
        convert_row(formats[f], block, YOKE_F32, back, 32);
        for (size_t i = 0; i < 32; i++)
            assert_true(back[i] == 0.0f);
    }
}

static void quantised_weights_widen_to_what_they_read_as(void **state)
{
    (void)state;
    unsigned char block[34] = {0x00, 0x38, 0x80, 0x7f};
    double f64[32];
    uint16_t f16[32];
    convert_row(YOKE_Q8_0, block, YOKE_F64, f64, 32);
    convert_row(YOKE_Q8_0, block, YOKE_F16, f16, 32);
    assert_true(f64[0] == -64.0 && f64[1] == 63.5 && f64[2] == 0.0);
    assert_int_equal(f16[0], 0xd400);
    assert_int_equal(f16[1], 0x53f0);
}

/* Rows longer than any inner piece, with gaps that must stay as they were. */
static void long_strided_rows_convert_whole_and_leave_the_gaps(void **state)
{
    (void)state;
    enum { ROWS = 3, COLS = 2500, STRIDE = 2510 };
    float *src = malloc(sizeof(float) * ROWS * STRIDE);
    uint16_t *dst = malloc(sizeof(uint16_t) * ROWS * STRIDE);
    assert_true(src && dst);
    for (size_t i = 0; i < (size_t)ROWS * STRIDE; i++)
        src[i] = (float)(i % 2039);
    memset(dst, 0xab, sizeof(uint16_t) * ROWS * STRIDE);
    yoke_matrix source = {
        .format = YOKE_F32, .rows = ROWS, .cols = COLS, .stride = STRIDE, .data = src};
    yoke_matrix result = {
        .format = YOKE_F16, .rows = ROWS, .cols = COLS, .stride = STRIDE, .data = dst};
    assert_int_equal(yoke_matrix_convert(&source, &result, NULL), YOKE_OK);
    for (size_t row = 0; row < ROWS; row++)
        for (size_t col = 0; col < STRIDE; col++) {
            float value;
            if (col >= COLS) {
                assert_int_equal(dst[row * STRIDE + col], 0xabab);
                continue;
            }
            assert_int_equal(yoke_matrix_read(&result, row, col, 1, &value, NULL), YOKE_OK);
            assert_true(value == src[row * STRIDE + col]);
        }
    free(src);
    free(dst);
}

static void what_cannot_be_converted_is_refused(void **state)
{
    (void)state;
    unsigned char a[512] = {0}, b[2048];
    yoke_error err;
    yoke_matrix q8_1 = {.format = YOKE_Q8_1, .rows = 1, .cols = 256, .data = a},
                f32 = {.format = YOKE_F32, .rows = 1, .cols = 256, .data = b};
    yoke_matrix q4_k = {.format = YOKE_Q4_K, .rows = 1, .cols = 256, .data = a},
                narrow = {.format = YOKE_F32, .rows = 1, .cols = 255, .data = b};
    assert_int_equal(yoke_matrix_convert(&q8_1, &f32, &err), YOKE_ERR_UNSUPPORTED);
    assert_string_equal(err.text, "q8_1 cannot be converted to f32");
    assert_int_equal(yoke_matrix_convert(&f32, &q4_k, &err), YOKE_ERR_UNSUPPORTED);
    assert_int_equal(yoke_matrix_convert(&q4_k, &narrow, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_matrix_convert(NULL, &narrow, &err), YOKE_ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f32_becomes_f16_and_bf16_to_nearest_even_and_nan_stays),
        cmocka_unit_test(f64_is_rounded_once_not_twice),
        cmocka_unit_test(f64_and_whole_numbers_keep_what_f64_can_hold),
        cmocka_unit_test(a_hand_worked_block_quantises_to_q8_0_and_q4_0),
        cmocka_unit_test(a_block_with_a_nan_or_an_infinity_becomes_all_nan),
        cmocka_unit_test(scales_too_small_for_their_inverse_do_no_harm),
        cmocka_unit_test(quantised_weights_widen_to_what_they_read_as),
        cmocka_unit_test(long_strided_rows_convert_whole_and_leave_the_gaps),
        cmocka_unit_test(what_cannot_be_converted_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
