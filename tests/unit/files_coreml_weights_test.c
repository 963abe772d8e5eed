/* Which tensors a bundle has, and which way round its weights are. */
#include "files_coreml_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yoke/coreml.h"

/* 2 by 4 and its transpose. */
static const float W[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static const float W_TURNED[8] = {1, 5, 2, 6, 3, 7, 4, 8};
static const uint16_t W_F16[8] = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800};

static void a_convolution_of_one_element_is_a_matrix_of_outputs_by_inputs(void **state)
{
    (void)state;
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_F16, W_F16, sizeof W_F16, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM(STORED("fp16", "2, 4, 1, 1", "w") "tensor<fp16, [1, 2, 1, 1]> y = conv(weight = w, "
                                                  "x = x)[name = string(\"y\")];\n",
                "y"),
        at);
    assert_string_equal(yoke_file_kind(file), "coreml mil 1.3");
    assert_int_equal(yoke_file_tensor_count(file), 1);
    const yoke_tensor *tensor = find(file, "w");
    assert_int_equal(tensor->rank, 2);
    assert_int_equal(tensor->shape[0], 2);
    assert_int_equal(tensor->shape[1], 4);
    assert_string_equal(tensor->type_name, "fp16");
    assert_int_equal(tensor->offset, at + 64);
    assert_int_equal(tensor->bytes, sizeof W_F16);
    assert_non_null(strstr(tensor->path, "/weights/weight.bin"));
    assert_int_equal(expect_matrix(file, "w", YOKE_F16, 2, 4, W), 0);
    yoke_file_free(file);
}

static void other_convolutions_keep_the_shape_that_they_are_stored_in(void **state)
{
    (void)state;
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_F16, W_F16, sizeof W_F16, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM(STORED("fp16", "2, 1, 2, 2", "wide") STORED("fp16", "4, 2, 1, 1", "grouped")
                    STORED("fp16", "8", "bias") "tensor<fp16, [1, 2, 1, 1]> a = conv(bias = bias, "
                                                "weight = wide, x = x);\n"
                                                "tensor<fp16, [1, 4, 1, 1]> b = conv(groups = "
                                                "int32(2), weight = grouped, x = x);\n",
                "a, b"),
        at, at, at);
    assert_int_equal(find(file, "wide")->rank, 4);
    expect_matrix(file, "wide", YOKE_F16, 4, 2, W);
    assert_int_equal(find(file, "grouped")->rank, 4);
    expect_matrix(file, "grouped", YOKE_F16, 8, 1, W);
    expect_matrix(file, "bias", YOKE_F16, 1, 8, W);
    yoke_file_free(file);
}

static void a_linear_weight_is_used_as_it_is_stored(void **state)
{
    (void)state;
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_F32, W, sizeof W, 0);
    yoke_file *file =
        open_bundle(&blobs,
                    PROGRAM(STORED("fp32", "2, 4", "w") "tensor<fp32, [1, 2]> y = linear(weight = "
                                                        "w, x = v);\n",
                            "y"),
                    at);
    assert_int_equal(expect_matrix(file, "w", YOKE_F32, 2, 4, W), 0);
    yoke_file_free(file);
}

static void a_matmul_weight_is_turned_unless_it_is_stored_turned(void **state)
{
    (void)state;
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_F32, W, sizeof W, 0);
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM(STORED("fp32", "2, 4", "plain") STORED("fp32", "2, 4", "turned")
                    STORED("fp32", "1, 1, 2, 4", "left") STORED("fp32", "8, 1", "column") STORED(
                        "fp32", "2, 1, 4",
                        "batched") "bool yes = const()[val = bool(true)];\n"
                                   "tensor<fp32, [1, 4]> a = matmul(x = v, y = plain);\n"
                                   "tensor<fp32, [1, 2]> b = matmul(transpose_y = yes, x = v, y = "
                                   "turned);\n"
                                   "tensor<fp32, [1, 1, 2, 1]> c = matmul(x = left, transpose_x = "
                                   "bool(false), y = v, transpose_y = bool(true));\n"
                                   "tensor<fp32, [1, 1]> d = matmul(x = v, y = column);\n"
                                   "tensor<fp32, [2, 1, 4]> e = matmul(x = v, y = batched);\n",
                "a, b, c, d, e"),
        at, at, at, at, at);
    assert_int_equal(find(file, "plain")->shape[0], 4);
    assert_int_equal(expect_matrix(file, "plain", YOKE_F32, 4, 2, W_TURNED), sizeof W);
    assert_int_equal(expect_matrix(file, "plain", YOKE_F32, 4, 2, W_TURNED), sizeof W);
    assert_int_equal(expect_matrix(file, "turned", YOKE_F32, 2, 4, W), 0);
    assert_int_equal(expect_matrix(file, "left", YOKE_F32, 2, 4, W), 0);
    expect_matrix(file, "column", YOKE_F32, 1, 8, W);
    assert_int_equal(find(file, "batched")->rank, 3);
    yoke_file_free(file);
}

static void a_weight_written_in_the_program_is_a_tensor_and_other_constants_are_not(void **state)
{
    (void)state;
    bytes blobs = {0};
    static const float small[2] = {0.5f, -2};
    yoke_file *file = open_bundle(
        &blobs,
        PROGRAM("tensor<fp32, [1, 2]> w = const()[val = tensor<fp32, [1, 2]>([0x1p-1, -2.0])];\n"
                "tensor<fp32, [2]> other = const()[val = tensor<fp32, [2]>([1.0, 2.0])];\n"
                "tensor<fp32, [1, 1]> y = linear(x = v, weight = w, bias = other);\n",
                "y"));
    assert_int_equal(yoke_file_tensor_count(file), 1);
    expect_matrix(file, "w", YOKE_F32, 1, 2, small);
    assert_non_null(strstr(find(file, "w")->path, "model.mil"));
    yoke_file_free(file);
}

/* `count` convolutions of 2 outputs over x, whose results are y0, y1, ... */
static char *convolutions(size_t count, const size_t *offsets, const char *weight,
                          const char *behind)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    fprintf(stream, "program(1.0)\n{\nfunc main<ios16>(tensor<fp16, [1, 4, 1, 1]> x) {\n");
    for (size_t i = 0; i < count; i++)
        fprintf(stream,
                "tensor<fp16, [2, 4, 1, 1]> %s%zu = const()[val = tensor<fp16, [2, 4, 1, 1]>("
                "BLOBFILE(path = tensor<string, []>(\"@model_path/weights/weight.bin\"), offset = "
                "tensor<uint64, []>(%zu)))];\n"
                "tensor<fp16, [1, 2, 1, 1]> y%zu = conv(weight = %s%zu, x = x);\n",
                weight, i + 1, offsets[i], i, weight, i + 1);
    fprintf(stream, "%s}\n", behind);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* Two blobs: W, and W from its other end; the head is one above the other. */
static void put_halves(bytes *blobs, size_t offsets[2], float head[16])
{
    uint16_t other[8];
    for (size_t i = 0; i < 8; i++) {
        other[i] = W_F16[7 - i];
        head[i] = W[i];
        head[8 + i] = W[7 - i];
    }
    offsets[0] = put_blob(blobs, BLOB_F16, W_F16, sizeof W_F16, 0);
    offsets[1] = put_blob(blobs, BLOB_F16, other, sizeof other, 0);
}

static void convolutions_that_a_concat_joins_are_one_weight_too(void **state)
{
    (void)state;
    bytes blobs = {0};
    size_t offsets[2];
    float head[16];
    put_halves(&blobs, offsets, head);
    char *text = convolutions(2, offsets, "lm_head_",
                              "tensor<fp16, [1, 4, 1, 1]> logits = concat(axis = int32(1), "
                              "interleave = bool(false), values = (y0, y1));\n} -> (logits);\n");
    yoke_file *file = open_bundle(&blobs, "%s", text);
    assert_int_equal(yoke_file_tensor_count(file), 3);
    const yoke_tensor *tensor = find(file, "lm_head");
    assert_string_equal(tensor->type_name, "2 x fp16");
    assert_true(tensor->joined);
    assert_false(find(file, "lm_head_2")->joined);
    assert_int_equal(tensor->bytes, 2 * sizeof W_F16);
    assert_int_equal(tensor->offset, offsets[0] + 64);
    assert_int_equal(expect_matrix(file, "lm_head", YOKE_F16, 4, 4, head), 2 * sizeof W_F16);
    expect_matrix(file, "lm_head_2", YOKE_F16, 2, 4, head + 8);
    yoke_file_free(file);
    free(text);
}

static void the_order_of_a_head_is_that_of_the_concat(void **state)
{
    (void)state;
    bytes blobs = {0};
    size_t offsets[2];
    float head[16], turned[16];
    put_halves(&blobs, offsets, head);
    memcpy(turned, head + 8, 8 * sizeof *head);
    memcpy(turned + 8, head, 8 * sizeof *head);
    char *text = convolutions(
        2, offsets, "lm_head_",
        "tensor<fp16, [1, 2]> a = squeeze(x = y0);\ntensor<fp16, [1, 2]> b = squeeze(x = y1);\n"
        "tensor<fp16, [1, 4]> logits = concat(axis = int32(-1), values = (b, a));\n} -> "
        "(logits);\n");
    yoke_file *file = open_bundle(&blobs, "%s", text);
    expect_matrix(file, "lm_head", YOKE_F16, 4, 4, turned);
    yoke_file_free(file);
    free(text);
}

static void results_that_are_joined_otherwise_are_no_head(void **state)
{
    (void)state;
    static const char *const ends[] = {
        /* along another axis, interleaved, with something else, and not at all */
        "tensor<fp16, [1, 2, 1, 2]> z = concat(axis = int32(3), values = (y0, y1));\n} -> (z);\n",
        "tensor<fp16, [1, 4, 1, 1]> z = concat(axis = int32(1), interleave = bool(true), "
        "values = (y0, y1));\n} -> (z);\n",
        "tensor<fp16, [1, 8, 1, 1]> z = concat(axis = int32(1), values = (y0, y1, x));\n} -> "
        "(z);\n",
        "} -> (y0, y1);\n"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        bytes blobs = {0};
        size_t offsets[2];
        float head[16];
        put_halves(&blobs, offsets, head);
        char *text = convolutions(2, offsets, "w", ends[i]);
        yoke_file *file = open_bundle(&blobs, "%s", text);
        assert_int_equal(yoke_file_tensor_count(file), 2);
        yoke_file_free(file);
        free(text);
    }
}

static void eight_outputs_over_one_input_are_a_head(void **state)
{
    (void)state;
    bytes blobs = {0};
    size_t offsets[8];
    float head[16], all[64];
    put_halves(&blobs, offsets, head);
    for (size_t i = 0; i < 8; i++) {
        offsets[i] = offsets[i % 2];
        memcpy(all + 8 * i, head + 8 * (i % 2), 8 * sizeof *head);
    }
    char *text = convolutions(8, offsets, "lm_head8_", "} -> (y0, y1, y2, y3, y4, y5, y6, y7);\n");
    yoke_file *file = open_bundle(&blobs, "%s", text);
    assert_int_equal(yoke_file_tensor_count(file), 9);
    assert_string_equal(find(file, "lm_head8")->type_name, "8 x fp16");
    expect_matrix(file, "lm_head8", YOKE_F16, 16, 4, all);
    yoke_file_free(file);
    free(text);
}

static void a_name_that_two_functions_have_tells_the_function_the_second_time(void **state)
{
    (void)state;
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_F32, W, sizeof W, 0);
    yoke_file *file = open_bundle(
        &blobs,
        "program(1.3)\n{\nfunc a<ios18>() {\n" STORED(
            "fp32", "2, 4", "w") "} -> (w);\nfunc b<ios18>() {\n" STORED("fp32", "2, 4",
                                                                         "w") "} -> (w);\n}\n",
        at, at);
    assert_int_equal(yoke_file_tensor_count(file), 2);
    expect_matrix(file, "w", YOKE_F32, 2, 4, W);
    expect_matrix(file, "b/w", YOKE_F32, 2, 4, W);
    assert_int_equal(yoke_coreml_function_count(file), 2);
    assert_string_equal(yoke_coreml_function_get(file, 1)->name, "b");
    assert_null(yoke_coreml_function_get(file, 2));
    yoke_file_free(file);
}

static void functions_tell_inputs_outputs_and_operations(void **state)
{
    (void)state;
    yoke_file *file = open_bundle(NULL, PROGRAM("tensor<fp32, [1, 4]> a = relu(x = v);\n"
                                                "tensor<fp32, [1, 4]> b = tanh(x = a);\n"
                                                "tensor<fp32, [1, 4]> c = relu(x = b);\n",
                                                "c, x"));
    const yoke_coreml_function *main_function = yoke_coreml_function_get(file, 0);
    assert_string_equal(main_function->name, "main");
    assert_string_equal(main_function->opset, "ios18");
    assert_int_equal(main_function->input_count, 2);
    assert_string_equal(main_function->inputs[1].name, "v");
    assert_string_equal(main_function->inputs[1].type, "tensor<fp32, [1, 4]>");
    assert_int_equal(main_function->output_count, 2);
    assert_string_equal(main_function->outputs[1].type, "tensor<fp16, [1, 4, 1, 1]>");
    assert_int_equal(main_function->operation_count, 2);
    assert_string_equal(main_function->operations[0].name, "relu");
    assert_int_equal(main_function->operations[0].count, 2);
    assert_string_equal(main_function->operations[1].name, "tanh");
    yoke_file_free(file);
}

static void a_path_inside_a_bundle_opens_the_bundle(void **state)
{
    (void)state;
    static const char *const inside[] = {"", "/", "/model.mil", "/weights/weight.bin"};
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_F32, W, sizeof W, 0);
    char *folder = make_bundle(&blobs, PROGRAM(STORED("fp32", "2, 4", "w"), "w"), at);
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s%s", folder, inside[i]);
        yoke_file *file = NULL;
        yoke_error err = {0};
        if (yoke_file_open(path, &file, &err) != YOKE_OK)
            fail_msg("%s", err.text);
        expect_matrix(file, "w", YOKE_F32, 2, 4, W);
        assert_int_equal(yoke_file_part_count(file), 2);
        yoke_file_free(file);
    }
    remove_bundle(folder);
}

static void blobs_that_do_not_fit_the_program_are_refused(void **state)
{
    (void)state;
    bytes blobs = {0};
    size_t at = put_blob(&blobs, BLOB_F32, W, sizeof W, 0);
    refuse_bundle("32 bytes of fp32, but model.mil", &blobs,
                  PROGRAM(STORED("fp32", "2, 5", "w"), "w"), at);
    at = put_blob(&blobs, BLOB_F16, W, sizeof W, 0);
    refuse_bundle("32 bytes of fp16", &blobs, PROGRAM(STORED("fp32", "2, 4", "w"), "w"), at);
    put_blob(&blobs, BLOB_F32, W, sizeof W, 0);
    refuse_bundle("weight.bin: metadata, byte 128", &blobs,
                  PROGRAM(STORED("fp32", "2, 4", "w"), "w"), (size_t)128);
    put_blob(&blobs, BLOB_F32, W, sizeof W, 0);
    refuse_bundle("weight.bin: metadata, byte 65: not at a multiple of 64", &blobs,
                  PROGRAM(STORED("fp32", "2, 4", "w"), "w"), (size_t)65);
    put_blob(&blobs, BLOB_F32, W, sizeof W, 0);
    refuse_bundle("the file ends at byte", &blobs, PROGRAM(STORED("fp32", "2, 4", "w"), "w"),
                  SIZE_MAX - 63);
}

static void a_missing_weight_file_is_named(void **state)
{
    (void)state;
    refuse_bundle("/weights/weight.bin: cannot open", NULL,
                  PROGRAM(STORED("fp32", "2, 4", "w"), "w"), (size_t)64);
}

static void a_weight_file_outside_the_bundle_is_refused(void **state)
{
    (void)state;
    static const char *const paths[] = {"@model_path/../w.bin", "/etc/passwd", "@model_path/", "",
                                        "@model_path/a/../../w.bin"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        refuse_bundle("is not a path inside the bundle", NULL,
                      PROGRAM("tensor<fp32, [1]> w = const()[val = tensor<fp32, [1]>(BLOBFILE("
                              "path = string(\"%s\"), offset = uint64(64)))];\n",
                              "w"),
                      paths[i]);
}

static void a_name_that_is_defined_twice_is_refused(void **state)
{
    (void)state;
    refuse_bundle("\"a\" is defined twice", NULL,
                  PROGRAM("int32 a = const()[val = int32(1)];\n"
                          "int32 a = const()[val = int32(2)];\n",
                          "a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_convolution_of_one_element_is_a_matrix_of_outputs_by_inputs),
        cmocka_unit_test(other_convolutions_keep_the_shape_that_they_are_stored_in),
        cmocka_unit_test(a_linear_weight_is_used_as_it_is_stored),
        cmocka_unit_test(a_matmul_weight_is_turned_unless_it_is_stored_turned),
        cmocka_unit_test(a_weight_written_in_the_program_is_a_tensor_and_other_constants_are_not),
        cmocka_unit_test(convolutions_that_a_concat_joins_are_one_weight_too),
        cmocka_unit_test(the_order_of_a_head_is_that_of_the_concat),
        cmocka_unit_test(results_that_are_joined_otherwise_are_no_head),
        cmocka_unit_test(eight_outputs_over_one_input_are_a_head),
        cmocka_unit_test(a_name_that_two_functions_have_tells_the_function_the_second_time),
        cmocka_unit_test(functions_tell_inputs_outputs_and_operations),
        cmocka_unit_test(a_path_inside_a_bundle_opens_the_bundle),
        cmocka_unit_test(blobs_that_do_not_fit_the_program_are_refused),
        cmocka_unit_test(a_missing_weight_file_is_named),
        cmocka_unit_test(a_weight_file_outside_the_bundle_is_refused),
        cmocka_unit_test(a_name_that_is_defined_twice_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
