/* What the conformance tests do not see, on the first real device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/engines_test.h"

static yoke_context *context;

static yoke_engine *open_with(const char *options)
{
    char specification[128] = "opencl:0";
    yoke_engine *engine;
    yoke_error err = {0};
    strcat(specification, options);
    assert_ok(yoke_engine_open(context, specification, &engine, &err), &err);
    return engine;
}

static yoke_matrix random_matrix(yoke_format format, size_t rows, size_t cols, uint64_t seed)
{
    yoke_matrix made;
    yoke_error err = {0};
    assert_ok(yoke_matrix_create(format, rows, cols, &made, &err), &err);
    assert_ok(yoke_matrix_fill_random(&made, seed, &err), &err);
    return made;
}

/* The weight is gone before the product. */
static void multiply_on(yoke_engine *engine, const yoke_matrix *w, const yoke_matrix *x,
                        yoke_matrix *y, const yoke_multiply_options *options, yoke_timing *timing)
{
    yoke_matrix copy = random_matrix(w->format, w->rows, w->cols, 9);
    size_t bytes;
    yoke_error err = {0};
    yoke_weight *weight;
    assert_ok(yoke_format_bytes(w->format, w->rows, w->cols, &bytes, &err), &err);
    memcpy(copy.data, w->data, bytes);
    assert_ok(yoke_weight_prepare(engine, &copy, &weight, NULL, &err), &err);
    memset(copy.data, 0xff, bytes);
    yoke_matrix_free(&copy);
    assert_ok(yoke_weight_multiply(weight, x, y, options, timing, &err), &err);
    yoke_weight_free(weight);
}

/* 1000 rows of 64 columns are 256000 bytes of f32 and 32000 of nibbles; the window
 * begins in one buffer and ends in another. */
static void a_weight_beyond_the_largest_buffer_is_kept_in_several(void **state)
{
    (void)state;
    enum { M = 3, N = 1000, K = 64, BEGIN = 48, COUNT = 900 };
    static const yoke_format formats[] = {YOKE_F32, YOKE_BF16, YOKE_Q8_0, YOKE_Q4_0};
    static const char *const limits[] = {"", ",largest_buffer=16384"};
    static float results[2][M * N], windows[2][M * COUNT];
    yoke_matrix x = random_matrix(YOKE_F32, M, K, 1);
    for (size_t f = 0; f < 4; f++) {
        yoke_matrix w = random_matrix(formats[f], N, K, 2);
        for (size_t i = 0; i < 2; i++) {
            yoke_engine *engine = open_with(limits[i]);
            yoke_matrix y = matrix_f32(results[i], M, N), part = matrix_f32(windows[i], M, COUNT);
            const yoke_multiply_options window = {.n_begin = BEGIN, .n_count = COUNT / 16 * 16};
            part.cols = window.n_count;
            multiply_on(engine, &w, &x, &y, NULL, NULL);
            multiply_on(engine, &w, &x, &part, &window, NULL);
            yoke_engine_free(engine);
        }
        assert_memory_equal(results[0], results[1], sizeof results[0]);
        assert_memory_equal(windows[0], windows[1], sizeof windows[0]);
        for (size_t n = 0; n < 16; n++)
            assert_true(windows[1][n] == results[0][BEGIN + n]);
        yoke_matrix_free(&w);
    }
    yoke_matrix_free(&x);
}

/* Memory of whole pages, filled with random values. */
static yoke_matrix page_matrix(size_t rows, size_t cols, uint64_t seed)
{
    const size_t bytes = (rows * cols * sizeof(float) + 65535) / 65536 * 65536;
    yoke_matrix made = matrix_f32(aligned_alloc(65536, bytes), rows, cols);
    assert_non_null(made.data);
    assert_int_equal(yoke_matrix_fill_random(&made, seed, NULL), YOKE_OK);
    return made;
}

static uint64_t copied_timed(const char *options, const yoke_matrix *w, const yoke_matrix *x,
                             yoke_matrix *y, const yoke_multiply_options *how)
{
    yoke_timing timing = {0};
    yoke_engine *engine = open_with(options);
    memset(y->data, 0xff, y->rows * y->cols * sizeof(float));
    multiply_on(engine, w, x, y, how, &timing);
    yoke_engine_free(engine);
    return timing.copied_bytes;
}

static uint64_t copied_on(const char *options, const yoke_matrix *w, const yoke_matrix *x,
                          yoke_matrix *y)
{
    return copied_timed(options, w, x, y, NULL);
}

static void pages_are_used_in_place_and_what_is_copied_is_counted(void **state)
{
    (void)state;
    enum { M = 5, N = 48, K = 96 };
    yoke_matrix w = random_matrix(YOKE_F16, N, K, 3), x = page_matrix(M, K, 4);
    yoke_matrix y = page_matrix(M, N, 5), expected = page_matrix(M, N, 6);
    const uint64_t x_bytes = M * K * sizeof(float), y_bytes = M * N * sizeof(float);

    assert_int_equal(copied_on(",memory=copy", &w, &x, &expected), x_bytes + y_bytes);
    assert_int_equal(copied_on(",memory=map", &w, &x, &y), 0);
    assert_memory_equal(y.data, expected.data, y_bytes);

    yoke_matrix off_page = y;
    off_page.data = (float *)y.data + 16;
    assert_int_equal(copied_on(",memory=map", &w, &x, &off_page), y_bytes);
    assert_memory_equal(off_page.data, expected.data, y_bytes);

    const yoke_multiply_options timed = {.deadline_ns = 60000000000u};
    assert_int_equal(copied_timed(",memory=map", &w, &x, &y, &timed), x_bytes + y_bytes);
    assert_memory_equal(y.data, expected.data, y_bytes);
    free(x.data);
    free(y.data);
    free(expected.data);
    yoke_matrix_free(&w);
}

static void one_row_and_several_take_different_kernels_unless_pinned(void **state)
{
    (void)state;
    yoke_engine *engine = open_with("");
    yoke_matrix w = random_matrix(YOKE_F32, 40, 64, 7), x = random_matrix(YOKE_F32, 2, 64, 8);
    float results[2 * 40], pinned[40];
    yoke_matrix y = matrix_f32(results, 2, 40), one = matrix_f32(pinned, 1, 40);
    const yoke_matrix row = yoke_matrix_rows(&x, 0, 1);
    const yoke_multiply_options pin = {.pin_path = true};
    yoke_timing timing = {0};
    multiply_on(engine, &w, &row, &one, NULL, &timing);
    assert_string_equal(timing.path, "opencl row");
    multiply_on(engine, &w, &x, &y, NULL, &timing);
    assert_string_equal(timing.path, "opencl tiles");
    assert_true(timing.device_clock && timing.device_end_ns > timing.device_begin_ns);
    multiply_on(engine, &w, &row, &one, &pin, &timing);
    assert_string_equal(timing.path, "opencl tiles");
    assert_memory_equal(pinned, results, sizeof pinned);
    yoke_engine_free(engine);
    yoke_matrix_free(&w);
    yoke_matrix_free(&x);
}

static void a_part_of_the_device_computes_the_same(void **state)
{
    (void)state;
    yoke_engine *whole = open_with(""), *part;
    yoke_error err = {0};
    if (yoke_engine_open(context, "opencl:0,units=1", &part, &err) != YOKE_OK) {
        print_message("skipped: %s\n", err.text);
        yoke_engine_free(whole);
        skip();
    }
    yoke_matrix w = random_matrix(YOKE_Q8_0, 200, 256, 11), x = random_matrix(YOKE_F16, 7, 256, 12);
    static float results[7 * 200], parts[7 * 200];
    yoke_matrix y = matrix_f32(results, 7, 200), z = matrix_f32(parts, 7, 200);
    multiply_on(whole, &w, &x, &y, NULL, NULL);
    multiply_on(part, &w, &x, &z, NULL, NULL);
    assert_memory_equal(parts, results, sizeof parts);
    yoke_engine_free(part);
    yoke_engine_free(whole);
    yoke_matrix_free(&w);
    yoke_matrix_free(&x);
    assert_int_equal(yoke_engine_open(context, "opencl:0,units=1,part=100000", &part, &err),
                     YOKE_ERR_NOT_FOUND);
    assert_says(&err, "part=100000");
}

static void limits_are_measured(void **state)
{
    (void)state;
    yoke_engine *engine = open_with("");
    yoke_matrix bytes = random_matrix(YOKE_F32, 256, 1024, 13);
    yoke_limit_request request = {
        .size = sizeof request,
        .limit = YOKE_LIMIT_READ,
        .bytes = bytes.data,
        .byte_count = 256 * 1024 * sizeof(float),
        .format = YOKE_F32,
        .x_format = YOKE_F32,
        .duration_ns = 1000000,
    };
    yoke_error err = {0};
    double read = 0, compute = 0;
    assert_ok(yoke_engine_limit(engine, &request, &read, &err), &err);
    request.limit = YOKE_LIMIT_COMPUTE;
    assert_ok(yoke_engine_limit(engine, &request, &compute, &err), &err);
    assert_true(read > 1e6 && compute > 1e6);
    yoke_matrix_free(&bytes);
    yoke_engine_free(engine);
}

/* Weights in a file are aligned to 16 or 32 bytes, the widest vectors of OpenCL C to 64. */
static void reading_is_measured_from_any_16_bytes_on(void **state)
{
    (void)state;
    enum { BYTES = 65536 };
    yoke_engine *engine = open_with("");
    char *memory = aligned_alloc(64, BYTES + 64);
    assert_non_null(memory);
    memset(memory, 1, BYTES + 64);
    for (size_t at = 16; at < 64; at += 16) {
        const yoke_limit_request request = {.size = sizeof request,
                                            .limit = YOKE_LIMIT_READ,
                                            .bytes = memory + at,
                                            .byte_count = BYTES};
        yoke_error err = {0};
        double read = 0;
        assert_ok(yoke_engine_limit(engine, &request, &read, &err), &err);
        assert_true(read > 0);
    }
    free(memory);
    yoke_engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_beyond_the_largest_buffer_is_kept_in_several),
        cmocka_unit_test(pages_are_used_in_place_and_what_is_copied_is_counted),
        cmocka_unit_test(one_row_and_several_take_different_kernels_unless_pinned),
        cmocka_unit_test(a_part_of_the_device_computes_the_same),
        cmocka_unit_test(limits_are_measured),
        cmocka_unit_test(reading_is_measured_from_any_16_bytes_on),
    };
    yoke_error err = {0};
    yoke_engine *engine;
    if (yoke_context_create(NULL, &context, &err) != YOKE_OK ||
        yoke_engine_open(context, "opencl:0", &engine, &err) != YOKE_OK) {
        printf("skipped: %s\n", err.text);
        yoke_context_free(context);
        return 77;
    }
    yoke_engine_free(engine);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    yoke_context_free(context);
    return failed;
}
