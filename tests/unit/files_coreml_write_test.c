/* What yoke writes for Core ML, read back. */
#include "files_coreml_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/coreml/mil_parse.h"
#include "files/coreml/model.h"
#include "files/coreml/model_write.h"
#include "files/mapping.h"
#include "yoke/coreml.h"

/* Writes the program as a model specification, reads it again, and requires the same program. */
static void expect_same_program(const mil_program *program)
{
    arena memory = {0};
    mil_program again;
    uint8_t *written = NULL;
    size_t size = 0;
    yoke_error err = {0};
    assert_int_equal(model_write(program, 9, &written, &size, &err), YOKE_OK);
    if (model_parse(written, size, "written.mlmodel", &memory, &again, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    assert_true(mil_equal(program, &again));
    arena_free(&memory);
    free(written);
}

static void a_written_specification_reads_as_the_program_it_was(void **state)
{
    (void)state;
    /* The protobuf keeps no version of the text: such a program is "1.0". */
    static const char text[] =
        "program(1.0)\n[info = dict<tensor<string, []>, tensor<string, []>>({{\"a\", \"b\"}})]\n{\n"
        "func main<CoreML8>(tensor<fp16, [1, ?]> x, state<tensor<fp16, [2]>> s) "
        "[Shapes = dict<string, tensor<int32, [?]>>({{\"x\", [1, 3, 4]}, {\"y\", []}}), Ranges = "
        "dict<string, list<tensor<int32, [2]>, ?>>({{\"x\", [[1, 2], [3, 4]]}})] {\n"
        "tensor<int32, [3]> i = const()[val = tensor<int32, [3]>([1, -2, 2147483647])];\n"
        "tensor<int4, [3]> n = const()[val = tensor<int4, [3]>([-8, 7, 1])];\n"
        "tensor<uint3, [5]> u = const()[val = tensor<uint3, [5]>([7, 0, 5, 1, 6])];\n"
        "tensor<int64, [1]> l = const()[val = tensor<int64, [1]>([-9000000000])];\n"
        "tensor<fp16, [2]> h = const()[val = tensor<fp16, [2]>([0x1p-3, -2.0])];\n"
        "tensor<fp32, [2]> f = const()[val = tensor<fp32, [2]>([0x1.8p-3, -2.0])];\n"
        "tensor<fp64, []> d = const()[val = tensor<fp64, []>(0x1.999999999999ap-4)];\n"
        "tensor<bool, [2]> b = const()[val = tensor<bool, [2]>([true, false])];\n"
        "tensor<string, []> t = const()[val = tensor<string, []>(\"text\")];\n"
        "list<tensor<int32, []>, 2> k = const()[val = list<tensor<int32, []>, 2>((1, 2))];\n"
        "tensor<fp16, [4]> w = const()[val = tensor<fp16, [4]>(BLOBFILE(path = tensor<string, "
        "[]>(\"@model_path/weights/weight.bin\"), offset = tensor<uint64, []>(64)))];\n"
        "tensor<fp16, [1, ?]> y = concat(axis = tensor<int32, []>(-1), values = (x, x));\n"
        "} -> (y);\n}\n";
    arena memory = {0};
    mil_program program;
    yoke_error err = {0};
    if (mil_parse(text, strlen(text), "text", &memory, &program, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    expect_same_program(&program);
    arena_free(&memory);
}

static void published_specifications_read_the_same_when_written_again(void **state)
{
    (void)state;
    static const char *const models[] = {
        "models/coreml/DTLN_AEC_128_Part1.mlpackage",
        "bundles/silero-vad-unified-256ms-v6.0.0.mlpackage",
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/Data/com.apple.CoreML/model.mlmodel", models[i]);
        mapping map;
        arena memory = {0};
        mil_program program;
        yoke_error err = {0};
        assert_int_equal(mapping_open(shared(path), &map, &err), YOKE_OK);
        assert_int_equal(model_parse(map.bytes, map.size, path, &memory, &program, &err), YOKE_OK);
        expect_same_program(&program);
        arena_free(&memory);
        mapping_close(&map);
    }
}

static void the_published_heads_have_their_published_size(void **state)
{
    (void)state;
    yoke_coreml_head head = {.outputs = 128256, .inputs = 4096, .format = YOKE_F16};
    uint64_t size;
    assert_int_equal(yoke_coreml_head_bytes(&head, &size, NULL), YOKE_OK);
    assert_int_equal(size, 1050673728);
    head.format = YOKE_LUT6;
    assert_int_equal(yoke_coreml_head_bytes(&head, &size, NULL), YOKE_OK);
    assert_int_equal(size, 396055616);
}

static void path_in(char path[600], const char *folder, const char *name)
{
    snprintf(path, 600, "%s/%s", folder, name);
}

static void remove_written(const char *folder, const char *name)
{
    static const char *const inner[] = {"/model.mil",
                                        "/weights/weight.bin",
                                        "/weights",
                                        "/Manifest.json",
                                        "/Data/com.apple.CoreML/model.mlmodel",
                                        "/Data/com.apple.CoreML/weights/weight.bin",
                                        "/Data/com.apple.CoreML/weights",
                                        "/Data/com.apple.CoreML",
                                        "/Data",
                                        ""};
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        char path[700];
        snprintf(path, sizeof path, "%s/%s%s", folder, name, inner[i]);
        remove(path);
    }
}

static yoke_matrix open_written(const yoke_coreml_head *head, const char *folder, const char *name,
                                yoke_file **file)
{
    char path[600];
    yoke_error err = {0};
    yoke_matrix matrix;
    struct stat status;
    uint64_t size;
    path_in(path, folder, name);
    if (yoke_coreml_write_head(head, path, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    if (yoke_file_open(path, file, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    assert_int_equal(yoke_file_part_count(*file), 2);
    assert_int_equal(stat(yoke_file_part(*file, 1), &status), 0);
    assert_int_equal(yoke_coreml_head_bytes(head, &size, NULL), YOKE_OK);
    assert_int_equal(status.st_size, size);
    assert_int_equal(yoke_file_matrix(*file, find(*file, "lm_head"), &matrix, NULL, &err), YOKE_OK);
    return matrix;
}

static void expect_equal(const yoke_matrix *a, const yoke_matrix *b)
{
    float left[64], right[64];
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_true(a->cols <= 64);
    for (size_t row = 0; row < a->rows; row++) {
        assert_int_equal(yoke_matrix_read(a, row, 0, a->cols, left, NULL), YOKE_OK);
        assert_int_equal(yoke_matrix_read(b, row, 0, a->cols, right, NULL), YOKE_OK);
        assert_memory_equal(left, right, a->cols * sizeof *left);
    }
}

static void a_written_head_reads_as_the_random_weight_of_its_seed_in_both_forms(void **state)
{
    (void)state;
    static const yoke_format formats[] = {YOKE_F16, YOKE_LUT4, YOKE_LUT6};
    char *folder = make_folder();
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        /* 36 columns: the blobs end within 64 bytes. */
        yoke_coreml_head head = {
            .outputs = 4 * 24, .inputs = 36, .parts = 4, .format = formats[i], .seed = 7};
        yoke_matrix expected;
        yoke_file *package, *compiled;
        yoke_matrix a = open_written(&head, folder, "h.mlpackage", &package);
        yoke_matrix b = open_written(&head, folder, "h.mlmodelc", &compiled);
        assert_int_equal(a.format, formats[i]);
        assert_int_equal(yoke_file_tensor_count(package), 5);
        assert_string_equal(yoke_coreml_function_get(package, 0)->opset, "CoreML8");
        assert_string_equal(yoke_coreml_function_get(compiled, 0)->opset, "ios18");
        assert_int_equal(yoke_matrix_create(formats[i], a.rows, a.cols, &expected, NULL), YOKE_OK);
        assert_int_equal(yoke_matrix_fill_random(&expected, 7, NULL), YOKE_OK);
        expect_equal(&a, &expected);
        expect_equal(&b, &expected);
        yoke_matrix_free(&expected);
        yoke_file_free(package);
        yoke_file_free(compiled);
        remove_written(folder, "h.mlpackage");
        remove_written(folder, "h.mlmodelc");
    }
    assert_int_equal(rmdir(folder), 0);
    free(folder);
}

static void expect_refused(const yoke_coreml_head *head, const char *path, yoke_status status,
                           const char *words)
{
    yoke_error err = {0};
    assert_int_equal(yoke_coreml_write_head(head, path, &err), status);
    if (!strstr(err.text, words))
        fail_msg("\"%s\" is not in: %s", words, err.text);
}

static void a_head_that_cannot_be_written_leaves_nothing(void **state)
{
    (void)state;
    static const volatile bool stop = true;
    char *folder = make_folder(), path[600], other[600];
    const yoke_coreml_head good = {.outputs = 64, .inputs = 8, .format = YOKE_LUT6};
    yoke_coreml_head head = good;
    path_in(path, folder, "h.mlpackage");
    head.outputs = 68;
    expect_refused(&head, path, YOKE_ERR_SHAPE, "68 by 8");
    head.outputs = 8 * 12;
    expect_refused(&head, path, YOKE_ERR_SHAPE, "a multiple of 8 outputs");
    head = good, head.inputs = 6;
    expect_refused(&head, path, YOKE_ERR_SHAPE, "6 columns");
    head = good, head.outputs = SIZE_MAX / 8 * 8, head.format = YOKE_F16;
    expect_refused(&head, path, YOKE_ERR_SHAPE, "");
    head = good, head.format = YOKE_Q4_K;
    expect_refused(&head, path, YOKE_ERR_UNSUPPORTED, "q4_k");
    path_in(other, folder, "h.safetensors");
    expect_refused(&good, other, YOKE_ERR_USAGE, "h.safetensors");
    path_in(other, folder, "none/h.mlpackage");
    expect_refused(&good, other, YOKE_ERR_IO, "none/h.mlpackage");
    head = good, head.stop = &stop;
    expect_refused(&head, path, YOKE_ERR_INTERRUPTED, "stopped");
    path_in(other, folder, "h.mlmodelc");
    expect_refused(&head, other, YOKE_ERR_INTERRUPTED, "stopped");
    assert_int_equal(mkdir(other, 0700), 0);
    expect_refused(&good, other, YOKE_ERR_IO, "there already");
    assert_int_equal(rmdir(other), 0);
    /* It is empty. */
    assert_int_equal(rmdir(folder), 0);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_specification_reads_as_the_program_it_was),
        cmocka_unit_test(published_specifications_read_the_same_when_written_again),
        cmocka_unit_test(the_published_heads_have_their_published_size),
        cmocka_unit_test(a_written_head_reads_as_the_random_weight_of_its_seed_in_both_forms),
        cmocka_unit_test(a_head_that_cannot_be_written_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
