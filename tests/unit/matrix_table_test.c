/* Formats with a table: values worked out by hand from the bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "yoke/matrix.h"

#define MOST 512

/* A palette whose i-th value is i / 4 - 8, an f16 number for i up to 255. */
static uint16_t f16_of_quarters(int quarters)
{
    uint16_t sign = quarters < 0 ? 0x8000 : 0;
    unsigned magnitude = (unsigned)(quarters < 0 ? -quarters : quarters);
    if (magnitude == 0)
        return sign;
    unsigned top = 31u - (unsigned)__builtin_clz(magnitude); /* value = 1.f * 2^(top - 2) */
    unsigned fraction = magnitude << (10 - top) & 0x3ffu;
    return (uint16_t)(sign | (top - 2 + 15) << 10 | fraction);
}

static const uint16_t *palette(void)
{
    static uint16_t values[256];
    for (int i = 0; i < 256; i++)
        values[i] = f16_of_quarters(i - 32);
    return values;
}

static void assert_reads(yoke_format format, const unsigned char *bytes, size_t cols,
                         const void *table, const float *expected)
{
    const yoke_matrix matrix = {
        .format = format, .rows = 1, .cols = cols, .data = (void *)bytes, .table = (void *)table};
    assert_int_equal(yoke_matrix_validate(&matrix, "w", NULL), YOKE_OK);
    float out[MOST];
    for (size_t from = 0; from < cols; from++) { /* whole blocks and parts of them */
        assert_int_equal(yoke_matrix_read(&matrix, 0, from, cols - from, out, NULL), YOKE_OK);
        for (size_t i = from; i < cols; i++)
            assert_true(out[i - from] == expected[i]);
    }
}

static void indices_are_packed_from_the_lowest_bit_on(void **state)
{
    (void)state;
    const unsigned char lut1[] = {0xb1}, lut2[] = {0xe4}, lut3[] = {0x88, 0xc6, 0xfa};
    const unsigned char lut4[] = {0x21, 0xf0}, lut6[] = {0x81, 0x30, 0x10, 0xff, 0xff, 0xff};
    const unsigned char lut8[] = {0, 1, 255};
    const float ones[] = {-7.75f, -8, -8, -8, -7.75f, -7.75f, -8, -7.75f};
    const float rising[] = {-8, -7.75f, -7.5f, -7.25f, -7, -6.75f, -6.5f, -6.25f};
    const float four[] = {-7.75f, -7.5f, -8, -4.25f};
    const float six[] = {-7.75f, -7.5f, -7.25f, -7, 7.75f, 7.75f, 7.75f, 7.75f};
    const float eight[] = {-8, -7.75f, 55.75f};
    assert_reads(YOKE_LUT1, lut1, 8, palette(), ones);
    assert_reads(YOKE_LUT2, lut2, 4, palette(), rising);
    assert_reads(YOKE_LUT3, lut3, 8, palette(), rising);
    assert_reads(YOKE_LUT4, lut4, 4, palette(), four);
    assert_reads(YOKE_LUT6, lut6, 8, palette(), six);
    assert_reads(YOKE_LUT8, lut8, 3, palette(), eight);
}

static void integers_are_signed_and_scaled_after_their_zero_is_taken_off(void **state)
{
    (void)state;
    const unsigned char int4[] = {0x8f, 0x70}, int8[] = {0xff, 0x80, 0x7f};
    const float affine[] = {0.5f, 1.0f}; /* scale, zero */
    const float four[] = {-1.0f, -4.5f, -0.5f, 3.0f};
    const float eight[] = {-1.0f, -64.5f, 63.0f};
    assert_reads(YOKE_INT4, int4, 4, affine, four);
    assert_reads(YOKE_INT8, int8, 3, affine, eight);
}

static void an_entry_serves_its_rows_in_views_too(void **state)
{
    (void)state;
    enum { ROWS = 7, SHARE = 3, SKIP = 2 };
    unsigned char bytes[ROWS];
    uint16_t palettes[3][2];
    memset(bytes, 0xf0, sizeof bytes); /* four times 0, four times 1 */
    for (int i = 0; i < 3; i++) {
        palettes[i][0] = f16_of_quarters(4 * i);
        palettes[i][1] = f16_of_quarters(4 * i + 2);
    }
    const yoke_matrix matrix = {.format = YOKE_LUT1,
                                .rows = ROWS,
                                .cols = 8,
                                .data = bytes,
                                .table = palettes,
                                .table_rows = SHARE,
                                .table_skip = SKIP};
    const float first[ROWS] = {0, 1, 1, 1, 2, 2, 2}; /* rows 0 | 1 2 3 | 4 5 6 */
    for (size_t begin = 0; begin < ROWS; begin++) {
        const yoke_matrix view = yoke_matrix_rows(&matrix, begin, ROWS - begin);
        for (size_t row = 0; row < view.rows; row++) {
            float out[2];
            assert_int_equal(yoke_matrix_read(&view, row, 3, 2, out, NULL), YOKE_OK);
            assert_true(out[0] == first[begin + row]);
            assert_true(out[1] == first[begin + row] + 0.5f);
        }
    }
    assert_int_equal(yoke_matrix_bytes(&matrix), ROWS + 3 * 4);
}

static void a_format_with_a_table_needs_one(void **state)
{
    (void)state;
    unsigned char byte = 0;
    const yoke_matrix matrix = {.format = YOKE_INT8, .rows = 1, .cols = 1, .data = &byte};
    yoke_error err;
    assert_int_equal(yoke_matrix_validate(&matrix, "w", &err), YOKE_ERR_SHAPE);
    assert_string_equal(err.text, "w: int8 without a table");
}

/* The published LM head of 396 MB: 128256 by 4096 indices of 6 bits, a palette for 8 outputs. */
static void a_created_lut6_is_as_large_as_the_published_one(void **state)
{
    (void)state;
    yoke_matrix matrix;
    assert_int_equal(yoke_matrix_create(YOKE_LUT6, 128256, 4096, &matrix, NULL), YOKE_OK);
    assert_int_equal(yoke_matrix_bytes(&matrix), 394002432u + 128256u / 8 * 64 * 2);
    yoke_matrix_free(&matrix);
}

static void random_tables_are_the_same_however_the_rows_are_shared_out(void **state)
{
    (void)state;
    static const yoke_format formats[] = {YOKE_LUT1, YOKE_LUT4, YOKE_LUT6,
                                          YOKE_LUT8, YOKE_INT4, YOKE_INT8};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        yoke_matrix whole, parts;
        assert_int_equal(yoke_matrix_create(formats[f], 21, 48, &whole, NULL), YOKE_OK);
        assert_int_equal(yoke_matrix_create(formats[f], 21, 48, &parts, NULL), YOKE_OK);
        assert_int_equal(yoke_matrix_fill_random(&whole, 9, NULL), YOKE_OK);
        for (size_t begin = 0; begin < 21; begin += 5) {
            size_t count = begin + 5 < 21 ? 5 : 21 - begin;
            yoke_matrix view = yoke_matrix_rows(&parts, begin, count);
            assert_int_equal(yoke_matrix_fill_random_rows(&view, begin, 9, NULL), YOKE_OK);
        }
        for (size_t row = 0; row < 21; row++) {
            float a[48], b[48], any = 0;
            assert_int_equal(yoke_matrix_read(&whole, row, 0, 48, a, NULL), YOKE_OK);
            assert_int_equal(yoke_matrix_read(&parts, row, 0, 48, b, NULL), YOKE_OK);
            for (size_t i = 0; i < 48; i++) {
                assert_true(a[i] == b[i] && a[i] != 0 && a[i] > -1 && a[i] < 1);
                any += a[i] * a[i];
            }
            assert_true(any > 0);
        }
        yoke_matrix_free(&whole);
        yoke_matrix_free(&parts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_are_packed_from_the_lowest_bit_on),
        cmocka_unit_test(integers_are_signed_and_scaled_after_their_zero_is_taken_off),
        cmocka_unit_test(an_entry_serves_its_rows_in_views_too),
        cmocka_unit_test(a_format_with_a_table_needs_one),
        cmocka_unit_test(a_created_lut6_is_as_large_as_the_published_one),
        cmocka_unit_test(random_tables_are_the_same_however_the_rows_are_shared_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
