#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "yoke/matrix.h"

static const yoke_format FORMATS[] = {YOKE_F32, YOKE_F16, YOKE_BF16, YOKE_Q8_0, YOKE_Q4_0};
#define FORMAT_COUNT (sizeof FORMATS / sizeof *FORMATS)

static yoke_matrix filled(yoke_format format, size_t rows, size_t cols, uint64_t seed)
{
    yoke_matrix matrix;
    assert_int_equal(yoke_matrix_create(format, rows, cols, &matrix, NULL), YOKE_OK);
    assert_int_equal(yoke_matrix_fill_random(&matrix, seed, NULL), YOKE_OK);
    return matrix;
}

static size_t bytes_of(const yoke_matrix *matrix)
{
    size_t bytes;
    assert_int_equal(yoke_format_bytes(matrix->format, matrix->rows, matrix->cols, &bytes, NULL),
                     YOKE_OK);
    return bytes;
}

static void elements_are_not_zero_and_spread_evenly_over_their_range(void **state)
{
    (void)state;
    enum { ROWS = 50, COLS = 2048 };
    for (size_t f = 0; f < FORMAT_COUNT; f++) {
        yoke_matrix matrix = filled(FORMATS[f], ROWS, COLS, 42);
        float row[COLS];
        double sum = 0.0, energy = 0.0, largest = 0.0;
        for (size_t r = 0; r < ROWS; r++) {
            assert_int_equal(yoke_matrix_read(&matrix, r, 0, COLS, row, NULL), YOKE_OK);
            for (size_t i = 0; i < COLS; i++) {
                double value = (double)row[i] * sqrt(COLS);
                assert_true(value != 0.0);
                sum += value;
                energy += value * value;
                largest = fmax(largest, fabs(value));
            }
        }
        /* Uniform on [-1, 1]: mean 0 within 5 deviations, mean square 1/3; a little more where 0
         * is left out of few quants. */
        double n = (double)ROWS * COLS;
        assert_true(fabs(sum / n) < 5.0 / sqrt(3.0 * n) + (FORMATS[f] == YOKE_Q4_0 ? 0.08 : 0.005));
        assert_true(energy / n > 0.32 && energy / n < 0.37);
        assert_true(largest > 0.95 && largest <= 1.01);
        yoke_matrix_free(&matrix);
    }
}

static void no_element_is_zero_even_where_the_range_is_below_the_format(void **state)
{
    (void)state;
    enum { COLS = 1 << 26 }; /* the smallest value is 2^-12 / 2^13, which f16 rounds to zero */
    yoke_matrix matrix = filled(YOKE_F16, 1, COLS, 3);
    const uint16_t *bits = matrix.data;
    size_t zeros = 0;
    for (size_t i = 0; i < COLS; i++)
        zeros += (bits[i] & 0x7fff) == 0;
    assert_int_equal(zeros, 0);
    yoke_matrix_free(&matrix);
}

static void the_same_seed_gives_the_same_bytes_and_another_other_ones(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMAT_COUNT; f++) {
        yoke_matrix a = filled(FORMATS[f], 4, 96, 1), b = filled(FORMATS[f], 4, 96, 1);
        yoke_matrix c = filled(FORMATS[f], 4, 96, 2);
        assert_memory_equal(a.data, b.data, bytes_of(&a));
        assert_memory_not_equal(a.data, c.data, bytes_of(&a));
        yoke_matrix_free(&a);
        yoke_matrix_free(&b);
        yoke_matrix_free(&c);
    }
}

static void rows_filled_apart_are_those_of_the_whole(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMAT_COUNT; f++) {
        yoke_matrix whole = filled(FORMATS[f], 7, 160, 9), parts;
        assert_int_equal(yoke_matrix_create(FORMATS[f], 7, 160, &parts, NULL), YOKE_OK);
        yoke_matrix tail = yoke_matrix_rows(&parts, 3, 4), head = yoke_matrix_rows(&parts, 0, 3);
        assert_int_equal(yoke_matrix_fill_random_rows(&tail, 3, 9, NULL), YOKE_OK);
        assert_int_equal(yoke_matrix_fill_random_rows(&head, 0, 9, NULL), YOKE_OK);
        assert_memory_equal(whole.data, parts.data, bytes_of(&whole));
        yoke_matrix one = yoke_matrix_rows(&whole, 0, 1), two = yoke_matrix_rows(&whole, 1, 1);
        assert_memory_not_equal(one.data, two.data, bytes_of(&one));
        yoke_matrix_free(&whole);
        yoke_matrix_free(&parts);
    }
}

static void gaps_between_rows_stay_as_they_were(void **state)
{
    (void)state;
    float data[3 * 10];
    for (size_t i = 0; i < 30; i++)
        data[i] = 9.0f;
    yoke_matrix matrix = {.format = YOKE_F32, .rows = 3, .cols = 7, .stride = 10, .data = data};
    assert_int_equal(yoke_matrix_fill_random(&matrix, 1, NULL), YOKE_OK);
    for (size_t i = 0; i < 30; i++)
        assert_true((data[i] == 9.0f) == (i % 10 >= 7));
}

static void other_formats_are_refused(void **state)
{
    (void)state;
    unsigned char data[144];
    yoke_matrix matrix = {.format = YOKE_Q4_K, .rows = 1, .cols = 256, .data = data};
    assert_int_equal(yoke_matrix_fill_random(&matrix, 1, NULL), YOKE_ERR_UNSUPPORTED);
    matrix.format = YOKE_I8;
    matrix.cols = 8;
    assert_int_equal(yoke_matrix_fill_random(&matrix, 1, NULL), YOKE_ERR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_not_zero_and_spread_evenly_over_their_range),
        cmocka_unit_test(no_element_is_zero_even_where_the_range_is_below_the_format),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes_and_another_other_ones),
        cmocka_unit_test(rows_filled_apart_are_those_of_the_whole),
        cmocka_unit_test(gaps_between_rows_stay_as_they_were),
        cmocka_unit_test(other_formats_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
