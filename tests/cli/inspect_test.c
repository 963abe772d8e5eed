#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "safetensors_text.h"

static const float six[] = {1.5f, -2.25f, 0, 4, 100, -1};

static const char *matrix_file(void)
{
    return safetensors_file(
        "matrix.safetensors",
        "{\"w\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}}   ", six, sizeof six);
}

static void listing_has_kind_name_type_shape_and_bytes(void **state)
{
    (void)state;
    program p = program_run("inspect", matrix_file());
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "safetensors, 92 B: "));
    assert_true(text_has(p.out, "1 tensor; shapes are outermost first\n"));
    assert_true(text_has(p.out, "\nname  type  shape  bytes  note\n"
                                "w     F32   2x3       24\n"));
    assert_true(text_has(p.out, "\ntype  tensors  elements  bytes  bits each\n"
                                "F32         1         6     24       32.0\n"));
    program_free(&p);
}

static void values_of_a_tensor_are_summed_up(void **state)
{
    (void)state;
    program p = program_run("inspect", matrix_file(), "--tensor", "w");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "6 finite, 1 zero, 0 NaN, 0 infinite"));
    assert_true(text_has(p.out, "-2.25 to 100, mean 17.0416667\n"));
    assert_true(text_has(p.out, "first    1.5 -2.25 0 4 100 -1\n"));
    program_free(&p);
}

static void nan_and_infinity_are_counted_and_left_out_of_the_range(void **state)
{
    (void)state;
    const float data[] = {NAN, 3, -INFINITY, NAN};
    const char *path = safetensors_file(
        "nan.safetensors", "{\"w\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}   ",
        data, sizeof data);
    program p = program_run("inspect", path, "--tensor", "w");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "1 finite, 0 zero, 2 NaN, 1 infinite"));
    assert_true(text_has(p.out, "3 to 3, mean 3\n"));
    program_free(&p);
}

/* a umlaut, escape, delete, next line (a C1 control), backslash */
#define SHOWN "\xc3\xa4\\x1b\\x7f\\xc2\\x85\\x5c"

static void name_with_control_characters_is_listed_escaped_and_found_as_listed(void **state)
{
    (void)state;
    const char *path = safetensors_file("escape.safetensors",
                                        "{\"\xc3\xa4\\u001b\\u007f\\u0085\\\\\":{\"dtype\":\"F32\","
                                        "\"shape\":[6],\"data_offsets\":[0,24]}}   ",
                                        six, sizeof six);
    program p = program_run("inspect", path);
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, SHOWN "  F32"));
    program_free(&p);
    p = program_run("inspect", path, "--tensor", SHOWN);
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "tensor   " SHOWN "\n"));
    program_free(&p);
}

static void unaligned_tensor_is_noted(void **state)
{
    (void)state;
    const unsigned char data[5] = {7, 0, 0, 0x80, 0x3f};
    const char *path =
        safetensors_file("unaligned.safetensors",
                         "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                         "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[1,5]}}    ",
                         data, sizeof data);
    program p = program_run("inspect", path);
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "unaligned, at byte"));
    program_free(&p);
    p = program_run("inspect", path, "--tensor", "b");
    assert_true(text_has(p.out, "first    1\n"));
    program_free(&p);
}

static void scalar_and_empty_tensors_are_listed(void **state)
{
    (void)state;
    const char *path =
        safetensors_file("edge.safetensors",
                         "{\"s\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]},"
                         "\"z\":{\"dtype\":\"F32\",\"shape\":[0,5],\"data_offsets\":[4,4]}}",
                         six, 4);
    program p = program_run("inspect", path);
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "scalar"));
    assert_true(text_has(p.out, "0x5"));
    program_free(&p);
    p = program_run("inspect", path, "--tensor", "z");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "0 finite"));
    program_free(&p);
}

static void long_name_is_cut_to_fit_unless_wide(void **state)
{
    (void)state;
    char header[400], name[151];
    memset(name, 'n', 150);
    memcpy(name, "first", 5);
    strcpy(name + 146, "last");
    snprintf(header, sizeof header,
             "{\"%s\":{\"dtype\":\"F32\",\"shape\":[6],\"data_offsets\":[0,24]}}", name);
    const char *path = safetensors_file("long.safetensors", header, six, sizeof six);
    program p = program_run("inspect", path);
    assert_false(text_has(p.out, name));
    assert_true(text_has(p.out, "\nfirstn"));
    assert_true(text_has(p.out, "..."));
    assert_true(text_has(p.out, "nlast  F32"));
    program_free(&p);
    p = program_run("inspect", "--wide", path);
    assert_true(text_has(p.out, name));
    program_free(&p);
}

static void hundred_thousand_tensors_are_all_listed(void **state)
{
    (void)state;
    const size_t count = 100000;
    char *header = malloc(count * 80 + 2), *to = header;
    unsigned char *data = calloc(count, 1);
    assert_non_null(header);
    assert_non_null(data);
    for (size_t i = 0; i < count; i++)
        to += sprintf(to, "%c\"t%zu\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[%zu,%zu]}",
                      i == 0 ? '{' : ',', i, i, i + 1);
    strcpy(to, "}");
    const char *path = safetensors_file("many.safetensors", header, data, count);
    free(header);
    free(data);
    program p = program_run("inspect", path);
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "100,000 tensors"));
    assert_true(text_has(p.out, "\nt99999 "));
    assert_true(text_lines(p.out) > count);
    program_free(&p);
}

static void tensor_that_is_not_there_is_refused_by_name(void **state)
{
    (void)state;
    program p = program_run("inspect", matrix_file(), "--tensor", "v");
    program_assert_refused(&p, "matrix.safetensors: has no tensor 'v'");
}

static void file_that_is_not_there_is_refused_by_name(void **state)
{
    (void)state;
    program p = program_run("inspect", "/no/such/file.gguf");
    program_assert_refused(&p, "/no/such/file.gguf: ");
}

static void missing_and_surplus_files_are_refused(void **state)
{
    (void)state;
    program p = program_run("inspect");
    program_assert_refused(&p, "needs a FILE");
    p = program_run("inspect", "one", "two");
    program_assert_refused(&p, "'two'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listing_has_kind_name_type_shape_and_bytes),
        cmocka_unit_test(values_of_a_tensor_are_summed_up),
        cmocka_unit_test(nan_and_infinity_are_counted_and_left_out_of_the_range),
        cmocka_unit_test(name_with_control_characters_is_listed_escaped_and_found_as_listed),
        cmocka_unit_test(unaligned_tensor_is_noted),
        cmocka_unit_test(scalar_and_empty_tensors_are_listed),
        cmocka_unit_test(long_name_is_cut_to_fit_unless_wide),
        cmocka_unit_test(hundred_thousand_tensors_are_all_listed),
        cmocka_unit_test(tensor_that_is_not_there_is_refused_by_name),
        cmocka_unit_test(file_that_is_not_there_is_refused_by_name),
        cmocka_unit_test(missing_and_surplus_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
