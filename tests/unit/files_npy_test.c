#include "files_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float COUNTED[6] = {0, 1, 2, 3, 4, 5};

#define HEADER(descr, fortran, shape)                                                              \
    "{'descr': '" descr "', 'fortran_order': " fortran ", 'shape': " shape ", }  \n"

static yoke_file *open_counted(const char *header)
{
    return open_good(npy_bytes(1, header, COUNTED, sizeof COUNTED), "counted.npy");
}

static void an_array_is_one_tensor_named_after_the_file(void **state)
{
    (void)state;
    yoke_file *file = open_counted(HEADER("<f4", "False", "(2, 3)"));
    assert_string_equal(yoke_file_kind(file), "npy v1");
    assert_int_equal(yoke_file_tensor_count(file), 1);
    const yoke_tensor *tensor = yoke_file_tensor(file, 0);
    assert_string_equal(tensor->name, "counted");
    assert_string_equal(tensor->type_name, "<f4");
    assert_int_equal(tensor->format, YOKE_F32);
    assert_int_equal(tensor->rank, 2);
    assert_int_equal(tensor->shape[0], 2);
    assert_int_equal(tensor->shape[1], 3);
    for (size_t i = 0; i < 6; i++)
        assert_float_equal(element(file, "counted", i / 3, i % 3), (float)i, 0);
    yoke_file_free(file);
}

static void a_fortran_order_array_reads_like_the_c_order_array(void **state)
{
    (void)state;
    yoke_file *file = open_counted(HEADER("<f4", "True", "(2, 3)"));
    /* NumPy: array([[0, 2, 4], [1, 3, 5]], order='F') stores 0 1 2 3 4 5. */
    for (size_t i = 0; i < 6; i++)
        assert_float_equal(element(file, "counted", i % 2, i / 2), (float)i, 0);
    yoke_matrix matrix;
    size_t copied = 0;
    assert_int_equal(yoke_file_matrix(file, yoke_file_tensor(file, 0), &matrix, &copied, NULL),
                     YOKE_OK);
    assert_int_equal(copied, sizeof COUNTED);
    yoke_file_free(file);
}

static void three_dimensions_in_fortran_order_become_rows_in_c_order(void **state)
{
    (void)state;
    enum { A = 70, B = 3, C = 131 }; /* beyond one tile in rows and columns */
    uint16_t *stored = malloc(A * B * C * sizeof *stored);
    for (size_t c = 0; c < C; c++)
        for (size_t b = 0; b < B; b++)
            for (size_t a = 0; a < A; a++) {
                uint16_t value = (uint16_t)((a * B + b) * C + c);
                stored[a + A * (b + B * c)] = (uint16_t)(value << 8 | value >> 8);
            }
    yoke_file *file = open_good(
        npy_bytes(2, HEADER(">u2", "True", "(70, 3, 131)"), stored, A * B * C * sizeof *stored),
        "cube.npy");
    yoke_matrix matrix;
    assert_int_equal(yoke_file_matrix(file, yoke_file_tensor(file, 0), &matrix, NULL, NULL),
                     YOKE_OK);
    assert_int_equal(matrix.rows, A * B);
    assert_int_equal(matrix.cols, C);
    const uint16_t *read = matrix.data;
    for (size_t i = 0; i < A * B * C; i++)
        assert_int_equal(read[i], i);
    yoke_file_free(file);
    free(stored);
}

static void a_big_endian_array_is_swapped_and_the_copy_counted(void **state)
{
    (void)state;
    static const uint8_t VALUES[] = {0x3f, 0x80, 0, 0, 0xc0, 0x20, 0, 0}; /* 1, -2.5 */
    yoke_file *file =
        open_good(npy_bytes(1, HEADER(">f4", "False", "(2,)"), VALUES, sizeof VALUES), "be.npy");
    assert_float_equal(element(file, "be", 0, 0), 1.0f, 0);
    assert_float_equal(element(file, "be", 0, 1), -2.5f, 0);
    yoke_matrix first, second;
    size_t copied = 0;
    yoke_file_matrix(file, yoke_file_tensor(file, 0), &first, &copied, NULL);
    assert_int_equal(copied, 8);
    yoke_file_matrix(file, yoke_file_tensor(file, 0), &second, &copied, NULL);
    assert_ptr_equal(first.data, second.data);
    yoke_file_free(file);
}

static void every_way_to_write_a_header_is_understood(void **state)
{
    (void)state;
    static const char *const HEADERS[] = {
        "{'shape': (6,), 'fortran_order': False, 'descr': '<f4'}",
        "{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (2, 3)}",
        "{'descr':'=f4','fortran_order':False,'shape':(2,3,),}\n",
        "{'descr': 'f4', 'fortran_order': False, 'shape': ( 6 , ) }   ",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }\n",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (6,), }\n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), }\n",
    };
    for (unsigned version = 1; version <= 3; version++)
        for (size_t i = 0; i < sizeof HEADERS / sizeof *HEADERS; i++) {
            yoke_file *file =
                open_good(npy_bytes(version, HEADERS[i], COUNTED, sizeof COUNTED), "written.npy");
            yoke_matrix matrix;
            size_t copied = 1;
            assert_int_equal(
                yoke_file_matrix(file, yoke_file_tensor(file, 0), &matrix, &copied, NULL), YOKE_OK);
            assert_int_equal(copied, 0);
            assert_memory_equal(matrix.data, COUNTED, matrix.rows * matrix.cols * 4);
            yoke_file_free(file);
        }
}

static void bad_header(const char *header, const char *text)
{
    OPEN_BAD(npy_bytes(1, header, COUNTED, sizeof COUNTED), "bad.npy", "byte", text);
}

static void a_header_that_is_not_exactly_the_three_keys_is_refused(void **state)
{
    (void)state;
    bad_header("", "'{' is missing");
    bad_header("{'descr': '<f4', 'shape': (6,)}", "fortran_order");
    bad_header("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", "twice");
    bad_header("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'x': 1}", "unknown key");
    bad_header("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} 1", "more follows");
    bad_header("{'descr': '<f4' 'fortran_order': False, 'shape': (6,)}", "',' or '}'");
    bad_header("{'descr': '<f4', 'fortran_order': 0, 'shape': (6,)}", "neither True nor False");
    bad_header("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)", "");
    bad_header("{'descr': '<f4', 'fortran_order': False, 'shape': (6", "','");
    bad_header("{'descr': '<f4', 'fortran_order': False, 'shape'", "':' is missing");
    bad_header("{'descr': '<f4", "descr");
}

static void a_shape_that_is_not_a_tuple_of_whole_numbers_is_refused(void **state)
{
    (void)state;
    bad_header(HEADER("<f4", "False", "(6)"), "not a tuple");
    bad_header(HEADER("<f4", "False", "6"), "not a tuple");
    bad_header(HEADER("<f4", "False", "[6]"), "not a tuple");
    bad_header(HEADER("<f4", "False", "(-6,)"), "whole number");
    bad_header(HEADER("<f4", "False", "(,)"), "whole number");
    bad_header(HEADER("<f4", "False", "(2 3)"), "',' or ')'");
    bad_header(HEADER("<f4", "False", "(np.int64(6),)"), "whole number");
    bad_header(HEADER("<f4", "False", "(18446744073709551616,)"), "64 bits");
    bad_header(HEADER("<f4", "False", "(4294967296, 4294967296)"), "overflows");
    bad_header(HEADER("<f4", "False", "(4611686018427387904,)"), "overflows");
    bad_header(HEADER("<f4", "False", "(7,)"), "28 bytes");
}

static void objects_strings_and_structures_are_refused_by_name(void **state)
{
    (void)state;
    bad_header(HEADER("|O", "False", "(1,)"), "never unpickled");
    bad_header(HEADER("|S4", "False", "(1,)"), "strings");
    bad_header(HEADER("<U4", "False", "(1,)"), "strings");
    bad_header(HEADER("<M8[ns]", "False", "(1,)"), "dates");
    bad_header(HEADER("|V4", "False", "(1,)"), "raw bytes");
    bad_header(HEADER("<f16", "False", "(1,)"), "'<f16'");
    bad_header("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", "structured");
}

static void a_complex_array_is_listed_but_not_readable(void **state)
{
    (void)state;
    yoke_file *file = open_counted(HEADER("<c8", "False", "(3,)"));
    const yoke_tensor *tensor = yoke_file_tensor(file, 0);
    yoke_matrix matrix;
    yoke_error err = {0};
    assert_int_equal(tensor->format, YOKE_C64);
    assert_false(tensor->readable);
    assert_int_equal(yoke_file_matrix(file, tensor, &matrix, NULL, &err), YOKE_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "counted"));
    yoke_file_free(file);
}

static void an_empty_array_is_a_matrix_without_rows(void **state)
{
    (void)state;
    static const char *const HEADERS[] = {HEADER("<f4", "False", "(0, 256)"),
                                          HEADER(">f4", "True", "(0, 256)")};
    for (size_t i = 0; i < 2; i++) {
        yoke_file *file = open_good(npy_bytes(1, HEADERS[i], NULL, 0), "empty.npy");
        yoke_matrix matrix;
        assert_int_equal(yoke_file_matrix(file, yoke_file_tensor(file, 0), &matrix, NULL, NULL),
                         YOKE_OK);
        assert_int_equal(matrix.rows, 0);
        assert_int_equal(matrix.cols, 256);
        yoke_file_free(file);
    }
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    bytes whole = npy_bytes(3, HEADER("<f4", "False", "(2, 3)"), COUNTED, sizeof COUNTED);
    for (size_t size = 0; size < whole.size; size++) {
        bytes cut = {0};
        put(&cut, whole.data, size);
        OPEN_BAD(cut, "cut.npy");
    }
    bytes_free(&whole);
}

static void versions_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    OPEN_BAD(npy_bytes(9, HEADER("<f4", "False", "(6,)"), COUNTED, sizeof COUNTED), "new.npy",
             "npy v9.0");
}

/* numpy.lib.tests.test_format.basic_arrays: for each type, arange(1500) in six forms. */
static double numpy_value(size_t form, size_t row, size_t col)
{
    switch (form) {
    case 1: return 10;
    case 2: return (double)col;
    case 3: return (double)(row * 50 + col);
    case 4: return (double)(col * 50 + row);
    default: return (double)((29 - row) * 50 + 2 * col);
    }
}

static void check_numpy_array(yoke_file *file, const char *descr, size_t form)
{
    yoke_matrix matrix;
    assert_int_equal(yoke_file_matrix(file, yoke_file_tensor(file, 0), &matrix, NULL, NULL),
                     YOKE_OK);
    assert_int_equal(matrix.rows * matrix.cols, form == 0   ? 0
                                                : form == 1 ? 1
                                                : form == 5 ? 750
                                                            : 1500);
    for (size_t row = 0; row < matrix.rows; row++)
        for (size_t col = 0; col < matrix.cols; col++) {
            double expected = numpy_value(form, row, col);
            if (strcmp(descr + 1, "u1") == 0)
                expected = (uint8_t)(unsigned)expected;
            if (strcmp(descr + 1, "i1") == 0)
                expected = (int8_t)(uint8_t)(unsigned)expected;
            float value;
            assert_int_equal(yoke_matrix_read(&matrix, row, col, 1, &value, NULL), YOKE_OK);
            assert_float_equal(value, expected, 0);
        }
}

static void numpys_own_test_arrays_hold_what_numpy_wrote(void **state)
{
    (void)state;
    FILE *manifest = fopen(shared("models/npy_numpy_vectors/manifest.tsv"), "r");
    assert_non_null(manifest);
    char line[512], path[256];
    size_t checked = 0;
    while (fgets(line, sizeof line, manifest)) {
        const char *name = strtok(line, "\t\n"), *descr = strtok(NULL, "\t\n");
        snprintf(path, sizeof path, "models/npy_numpy_vectors/%s", name);
        yoke_file *file = NULL;
        yoke_status status = yoke_file_open(shared(path), &file, NULL);
        if (strncmp(name, "basic_", 6) != 0 || strcmp(descr, "|O") == 0) {
            if (status == YOKE_OK)
                fail_msg("%s was accepted", name);
            continue;
        }
        assert_int_equal(status, YOKE_OK);
        assert_string_equal(yoke_file_tensor(file, 0)->type_name, descr);
        if (descr[1] != 'c') {
            check_numpy_array(file, descr, (size_t)atoi(name + 6) % 6);
            checked++;
        }
        yoke_file_free(file);
    }
    fclose(manifest);
    assert_int_equal(checked, 240);
}

static void the_same_voice_in_every_layout_is_the_same_matrix(void **state)
{
    (void)state;
    static const char *const SAME[] = {"f4_510x1x256", "f4_510x256_fortran", "be_f4_510x256",
                                       "f8_510x256", "f2_510x256"};
    yoke_file *plain = NULL;
    assert_int_equal(
        yoke_file_open(shared("models/npy/kokoro_af_heart_f4_510x256.npy"), &plain, NULL), YOKE_OK);
    yoke_matrix a, b;
    yoke_file_matrix(plain, yoke_file_tensor(plain, 0), &a, NULL, NULL);
    assert_int_equal(a.rows, 510);
    assert_int_equal(a.cols, 256);
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
        char path[128];
        snprintf(path, sizeof path, "models/npy/kokoro_af_heart_%s.npy", SAME[i]);
        yoke_file *file = NULL;
        assert_int_equal(yoke_file_open(shared(path), &file, NULL), YOKE_OK);
        assert_int_equal(yoke_file_matrix(file, yoke_file_tensor(file, 0), &b, NULL, NULL),
                         YOKE_OK);
        assert_int_equal(b.rows, 510);
        assert_int_equal(b.cols, 256);
        /* Rounding to f16 keeps 11 bits. */
        double tolerance = strstr(SAME[i], "f2") ? 0x1p-11 : 0;
        for (size_t row = 0; row < 510; row++) {
            float x[256], y[256];
            yoke_matrix_read(&a, row, 0, 256, x, NULL);
            yoke_matrix_read(&b, row, 0, 256, y, NULL);
            for (size_t col = 0; col < 256; col++)
                assert_true(fabs(x[col] - y[col]) <= tolerance * (fabs(x[col]) + 0x1p-14));
        }
        yoke_file_free(file);
    }
    yoke_file_free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_is_one_tensor_named_after_the_file),
        cmocka_unit_test(a_fortran_order_array_reads_like_the_c_order_array),
        cmocka_unit_test(three_dimensions_in_fortran_order_become_rows_in_c_order),
        cmocka_unit_test(a_big_endian_array_is_swapped_and_the_copy_counted),
        cmocka_unit_test(every_way_to_write_a_header_is_understood),
        cmocka_unit_test(a_header_that_is_not_exactly_the_three_keys_is_refused),
        cmocka_unit_test(a_shape_that_is_not_a_tuple_of_whole_numbers_is_refused),
        cmocka_unit_test(objects_strings_and_structures_are_refused_by_name),
        cmocka_unit_test(a_complex_array_is_listed_but_not_readable),
        cmocka_unit_test(an_empty_array_is_a_matrix_without_rows),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(versions_that_do_not_exist_are_refused),
        cmocka_unit_test(numpys_own_test_arrays_hold_what_numpy_wrote),
        cmocka_unit_test(the_same_voice_in_every_layout_is_the_same_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
