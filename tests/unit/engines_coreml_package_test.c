/* The package that the Core ML engine writes for a product, read back by the readers of files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engines/coreml/package.h"
#include "unit/engines_apple_product.h"
#include "yoke/coreml.h"

#define K 64

static void check_part(yoke_file *file, const yoke_matrix *w, size_t part, size_t begin,
                       size_t rows)
{
    yoke_error err = {0};
    yoke_matrix read;
    char name[16];
    snprintf(name, sizeof name, "w_%zu", part);
    const yoke_tensor *tensor = yoke_file_find(file, name, strlen(name));
    assert_non_null(tensor);
    assert_ok(yoke_file_matrix(file, tensor, &read, NULL, &err), &err);
    assert_int_equal(read.format, w->format);
    assert_int_equal(read.rows, rows);
    assert_int_equal(read.cols, K);
    float *all = apple_floats(&read);
    for (size_t row = 0; row < rows; row += 1 + rows / 16)
        for (size_t col = 0; col < K; col++)
            assert_true((double)all[row * K + col] == apple_value(w, begin + row, col));
    free(all);
}

/* int8's scales as f16 has them. */
static void round_scales(yoke_matrix *w)
{
    for (size_t row = 0; w->format == YOKE_INT8 && row < w->rows; row++) {
        float affine[2] = {0.0078125f * (float)(1 + row % 5), (float)(row % 7) - 3};
        memcpy((char *)w->table + row * sizeof affine, affine, sizeof affine);
    }
}

static void check_package(const coreml_package *package, const yoke_matrix *w, size_t rows,
                          const char *input, const char *output)
{
    yoke_error err = {0};
    yoke_file *file;
    assert_ok(yoke_file_open(package->path, &file, &err), &err);
    const yoke_coreml_function *function = yoke_coreml_function_get(file, 0);
    assert_string_equal(function->opset, w->format == YOKE_LUT4 ? "CoreML8" : "CoreML6");
    assert_string_equal(function->inputs[0].type, input);
    assert_int_equal(function->output_count, 2);
    assert_string_equal(function->outputs[1].type, output);
    size_t convolutions = 0, turns = 0;
    for (size_t i = 0; i < function->operation_count; i++) {
        if (strcmp(function->operations[i].name, "conv") == 0)
            convolutions = function->operations[i].count;
        if (strcmp(function->operations[i].name, "transpose") == 0)
            turns = function->operations[i].count;
    }
    assert_int_equal(convolutions, 2);
    assert_int_equal(turns, rows > 1 ? 3 : 0);
    check_part(file, w, 0, 0, COREML_PART_ROWS);
    check_part(file, w, 1, COREML_PART_ROWS, 8);
    yoke_file_free(file);
}

static void every_format_is_read_back_as_it_was(void **state)
{
    (void)state;
    static const struct {
        yoke_format format;
        const char *inputs[2], *outputs[2];
    } kinds[] = {
        {YOKE_F16,
         {"tensor<fp16, [1, 64, 1, 1]>", "tensor<fp16, [1, 1, 16, 64]>"},
         {"tensor<fp16, [1, 8, 1, 1]>", "tensor<fp16, [1, 1, 16, 8]>"}},
        {YOKE_F32,
         {"tensor<fp32, [1, 64, 1, 1]>", "tensor<fp32, [1, 1, 16, 64]>"},
         {"tensor<fp32, [1, 8, 1, 1]>", "tensor<fp32, [1, 1, 16, 8]>"}},
        {YOKE_LUT4,
         {"tensor<fp16, [1, 64, 1, 1]>", "tensor<fp16, [1, 1, 16, 64]>"},
         {"tensor<fp16, [1, 8, 1, 1]>", "tensor<fp16, [1, 1, 16, 8]>"}},
        {YOKE_INT8,
         {"tensor<fp16, [1, 64, 1, 1]>", "tensor<fp16, [1, 1, 16, 64]>"},
         {"tensor<fp16, [1, 8, 1, 1]>", "tensor<fp16, [1, 1, 16, 8]>"}},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        yoke_error err = {0};
        yoke_matrix w;
        coreml_layout *layout;
        coreml_package package;
        assert_ok(yoke_matrix_create(kinds[i].format, COREML_PART_ROWS + 8, K, &w, &err), &err);
        assert_ok(yoke_matrix_fill_random(&w, 3, &err), &err);
        round_scales(&w);
        assert_ok(coreml_layout_make(&w, &layout, &err), &err);
        assert_ok(coreml_package_create(layout, &w, &package, &err), &err);
        for (size_t rows = 1; rows <= 16; rows += 15) {
            assert_ok(coreml_package_set_rows(&package, layout, rows, &err), &err);
            check_package(&package, &w, rows, kinds[i].inputs[rows > 1],
                          kinds[i].outputs[rows > 1]);
        }
        char folder[sizeof package.folder];
        memcpy(folder, package.folder, sizeof folder);
        coreml_package_remove(&package);
        assert_int_not_equal(access(folder, F_OK), 0);
        free(layout);
        yoke_matrix_free(&w);
    }
}

static void weights_that_no_program_holds_are_refused(void **state)
{
    (void)state;
    yoke_error err = {0};
    yoke_matrix w;
    coreml_layout *layout = NULL;
    assert_ok(yoke_matrix_create(YOKE_INT8, 4, K, &w, &err), &err);
    const float bad[][2] = {{0.1f, 0}, {0.5f, 200}, {0.5f, 0.25f}};
    for (size_t i = 0; i < 3; i++) {
        memcpy((char *)w.table + 3 * sizeof bad[i], bad[i], sizeof bad[i]);
        assert_int_equal(coreml_layout_make(&w, &layout, &err), YOKE_ERR_UNSUPPORTED);
        assert_says(&err, "int8");
    }
    yoke_matrix_free(&w);
    assert_ok(yoke_matrix_create(YOKE_LUT4, 12, K, &w, &err), &err); /* a palette for 8 rows */
    assert_int_equal(coreml_layout_make(&w, &layout, &err), YOKE_ERR_UNSUPPORTED);
    assert_says(&err, "palettes");
    yoke_matrix_free(&w);
}

static void a_folder_that_cannot_be_made_is_named(void **state)
{
    (void)state;
    yoke_error err = {0};
    float values[K] = {0};
    yoke_matrix w = matrix_f32(values, 1, K);
    coreml_layout *layout;
    coreml_package package;
    char *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    setenv("TMPDIR", "/nonexistent", 1);
    assert_ok(coreml_layout_make(&w, &layout, &err), &err);
    assert_int_equal(coreml_package_create(layout, &w, &package, &err), YOKE_ERR_IO);
    assert_says(&err, "/nonexistent");
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
    free(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_read_back_as_it_was),
        cmocka_unit_test(weights_that_no_program_holds_are_refused),
        cmocka_unit_test(a_folder_that_cannot_be_made_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
