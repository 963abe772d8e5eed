#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "yoke/matrix.h"

static void every_format_is_found_by_its_name_in_any_case(void **state)
{
    (void)state;
    for (int f = 1; f < YOKE_FORMAT_COUNT; f++) {
        const yoke_format_info *info = yoke_format_get((yoke_format)f);
        assert_true(info->block > 0 && info->block_bytes > 0);
        assert_int_equal(yoke_format_find(info->name), f);
    }
    assert_int_equal(yoke_format_find("Q4_K"), YOKE_Q4_K);
    assert_int_equal(yoke_format_find("BF16"), YOKE_BF16);
    assert_int_equal(yoke_format_find("F8_E4M3"), YOKE_F8_E4M3);
}

static void what_is_no_format_has_no_name_and_no_bytes(void **state)
{
    (void)state;
    size_t bytes = 1;
    yoke_error err;
    assert_int_equal(yoke_format_find("none"), YOKE_FORMAT_NONE);
    assert_int_equal(yoke_format_find("q4"), YOKE_FORMAT_NONE);
    assert_int_equal(yoke_format_find(""), YOKE_FORMAT_NONE);
    assert_int_equal(yoke_format_find(NULL), YOKE_FORMAT_NONE);
    const int outside[] = {0, -1, YOKE_FORMAT_COUNT, 1000000};
    for (size_t i = 0; i < 4; i++) {
        const yoke_format_info *info = yoke_format_get((yoke_format)outside[i]);
        assert_string_equal(info->name, "none");
        assert_int_equal(info->block, 1);
        assert_int_equal(info->block_bytes, 0);
        assert_false(info->readable || info->writable);
        assert_int_equal(yoke_format_bytes((yoke_format)outside[i], 1, 1, &bytes, &err),
                         YOKE_ERR_SHAPE);
    }
}

static void bytes_are_those_of_whole_blocks(void **state)
{
    (void)state;
    size_t bytes;
    assert_int_equal(yoke_format_bytes(YOKE_F16, 128256, 4096, &bytes, NULL), YOKE_OK);
    assert_true(bytes == 1050673152u);
    assert_int_equal(yoke_format_bytes(YOKE_Q8_0, 2, 64, &bytes, NULL), YOKE_OK);
    assert_int_equal(bytes, 4 * 34);
    assert_int_equal(yoke_format_bytes(YOKE_Q6_K, 3, 256, &bytes, NULL), YOKE_OK);
    assert_int_equal(bytes, 3 * 210);
    assert_int_equal(yoke_format_bytes(YOKE_F6_E3M2, 1, 8, &bytes, NULL), YOKE_OK);
    assert_int_equal(bytes, 6);
    assert_int_equal(yoke_format_bytes(YOKE_F32, 0, 7, &bytes, NULL), YOKE_OK);
    assert_int_equal(bytes, 0);
}

static void a_row_of_half_a_block_is_refused_with_the_block_named(void **state)
{
    (void)state;
    size_t bytes;
    yoke_error err;
    assert_int_equal(yoke_format_bytes(YOKE_Q4_K, 1, 120, &bytes, &err), YOKE_ERR_SHAPE);
    assert_string_equal(err.text, "120 columns are not whole q4_k blocks of 256 elements");
}

static void a_size_beyond_size_t_is_refused(void **state)
{
    (void)state;
    size_t bytes;
    yoke_error err;
    assert_int_equal(yoke_format_bytes(YOKE_F32, SIZE_MAX / 4 + 1, 1, &bytes, &err),
                     YOKE_ERR_SHAPE);
    assert_int_equal(yoke_format_bytes(YOKE_F64, 1, SIZE_MAX / 2, &bytes, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_format_bytes(YOKE_F64, 1, SIZE_MAX / 8, &bytes, &err), YOKE_OK);
}

static void a_view_that_makes_no_sense_is_refused_by_name(void **state)
{
    (void)state;
    float data[8] = {0};
    yoke_error err;
    const struct {
        yoke_matrix view;
        yoke_status status;
        const char *text;
    } cases[] = {
        {{.format = YOKE_F32, .rows = 2, .cols = 4, .stride = 0, .data = data}, YOKE_OK, ""},
        {{.format = YOKE_F32, .rows = 0, .cols = 4, .stride = 0, .data = NULL}, YOKE_OK, ""},
        {{.format = YOKE_F32, .rows = 2, .cols = 0, .stride = 0, .data = NULL}, YOKE_OK, ""},
        {{.format = YOKE_F32, .rows = 2, .cols = 4, .stride = 4, .data = NULL},
         YOKE_ERR_SHAPE,
         "x: data is NULL"},
        {{.format = YOKE_F32, .rows = 2, .cols = 4, .stride = 3, .data = data},
         YOKE_ERR_SHAPE,
         "x: a stride of 3 is less than 4 columns"},
        {{.format = YOKE_FORMAT_NONE, .rows = 1, .cols = 1, .stride = 0, .data = data},
         YOKE_ERR_SHAPE,
         "x: 0 is no matrix format"},
        {{.format = YOKE_Q8_0, .rows = 1, .cols = 31, .stride = 0, .data = data},
         YOKE_ERR_SHAPE,
         "x: 31 columns are not whole q8_0 blocks of 32 elements"},
        {{.format = YOKE_Q8_0, .rows = 1, .cols = 32, .stride = 40, .data = data},
         YOKE_ERR_SHAPE,
         "x: a stride of 40 is not whole q8_0 blocks of 32 elements"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memset(&err, 0, sizeof err);
        assert_int_equal(yoke_matrix_validate(&cases[i].view, "x", &err), cases[i].status);
        assert_string_equal(err.text, cases[i].text);
    }
    assert_int_equal(yoke_matrix_validate(NULL, "x", &err), YOKE_ERR_USAGE);
    assert_string_equal(err.text, "x is NULL");
}

static void a_view_whose_last_element_is_beyond_size_t_is_refused(void **state)
{
    (void)state;
    char data[1];
    const yoke_matrix views[] = {
        {.format = YOKE_F32, .rows = SIZE_MAX / 4 + 2, .cols = 1, .stride = 0, .data = data},
        {.format = YOKE_F32, .rows = 3, .cols = 1, .stride = SIZE_MAX / 2, .data = data},
        {.format = YOKE_U8, .rows = 2, .cols = SIZE_MAX / 2 + 1, .stride = 0, .data = data},
        {.format = YOKE_F4_E2M1, .rows = 3, .cols = 2, .stride = SIZE_MAX - 1, .data = data},
    };
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        assert_int_equal(yoke_matrix_validate(&views[i], "x", NULL), YOKE_ERR_SHAPE);
    const yoke_matrix largest = {
        .format = YOKE_U8, .rows = 2, .cols = 1, .stride = SIZE_MAX - 1, .data = data};
    assert_int_equal(yoke_matrix_validate(&largest, "x", NULL), YOKE_OK);
}

static void rows_of_a_strided_view_begin_where_the_stride_says(void **state)
{
    (void)state;
    unsigned char data[34 * 6];
    yoke_matrix matrix = {.format = YOKE_Q8_0, .rows = 3, .cols = 32, .stride = 64, .data = data};
    yoke_matrix rows = yoke_matrix_rows(&matrix, 1, 2);
    assert_ptr_equal(rows.data, data + 2 * 34);
    assert_int_equal(rows.rows, 2);
    assert_int_equal(rows.cols, 32);
    assert_int_equal(yoke_matrix_stride(&rows), 64);
    assert_int_equal(yoke_matrix_rows(&matrix, 3, 0).rows, 0);
    matrix.stride = 0;
    assert_int_equal(yoke_matrix_stride(&matrix), 32);
    assert_ptr_equal(yoke_matrix_rows(&matrix, 2, 1).data, data + 2 * 34);
}

static void a_made_matrix_is_aligned_and_zero_whatever_its_size(void **state)
{
    (void)state;
    const size_t rows[] = {1, 3, 2000};
    for (size_t i = 0; i < 3; i++) {
        yoke_matrix matrix;
        assert_int_equal(yoke_matrix_create(YOKE_F32, rows[i], 333, &matrix, NULL), YOKE_OK);
        assert_int_equal((uintptr_t)matrix.data % 64, 0);
        const float *values = matrix.data;
        for (size_t j = 0; j < rows[i] * 333; j++)
            assert_true(values[j] == 0.0f);
        assert_int_equal(yoke_matrix_validate(&matrix, "matrix", NULL), YOKE_OK);
        yoke_matrix_free(&matrix);
        assert_null(matrix.data);
    }
    yoke_matrix_free(NULL);
}

static void a_matrix_too_large_to_make_is_an_error(void **state)
{
    (void)state;
    yoke_matrix matrix;
    yoke_error err;
    assert_int_equal(yoke_matrix_create(YOKE_F32, SIZE_MAX, 2, &matrix, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_matrix_create(YOKE_U8, SIZE_MAX / 4, 1, &matrix, &err), YOKE_ERR_MEMORY);
    assert_int_equal(yoke_matrix_create(YOKE_Q4_0, 1, 33, &matrix, &err), YOKE_ERR_SHAPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_found_by_its_name_in_any_case),
        cmocka_unit_test(what_is_no_format_has_no_name_and_no_bytes),
        cmocka_unit_test(bytes_are_those_of_whole_blocks),
        cmocka_unit_test(a_row_of_half_a_block_is_refused_with_the_block_named),
        cmocka_unit_test(a_size_beyond_size_t_is_refused),
        cmocka_unit_test(a_view_that_makes_no_sense_is_refused_by_name),
        cmocka_unit_test(a_view_whose_last_element_is_beyond_size_t_is_refused),
        cmocka_unit_test(rows_of_a_strided_view_begin_where_the_stride_says),
        cmocka_unit_test(a_made_matrix_is_aligned_and_zero_whatever_its_size),
        cmocka_unit_test(a_matrix_too_large_to_make_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
