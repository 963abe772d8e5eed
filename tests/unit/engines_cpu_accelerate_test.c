/* The CPU engine over a cblas_sgemm, that of the stand-in for Accelerate. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "standin/apple/standins.h"
#include "unit/engines_test.h"

enum { M = 150, N = 77, K = 65 };

typedef struct inputs {
    yoke_context *context;
    yoke_engine *engine;
    yoke_weight *weight;
    yoke_matrix x, w, y;
    yoke_timing timing;
} inputs;

static inputs open_inputs(const char *specification, yoke_format x_format, size_t m)
{
    inputs in = {.context = NULL};
    yoke_error err = {0};
    assert_ok(yoke_context_create(NULL, &in.context, &err), &err);
    assert_ok(yoke_engine_open(in.context, specification, &in.engine, &err), &err);
    assert_ok(yoke_matrix_create(x_format, m, K, &in.x, &err), &err);
    assert_ok(yoke_matrix_create(YOKE_F32, N, K, &in.w, &err), &err);
    assert_ok(yoke_matrix_create(YOKE_F32, m, N, &in.y, &err), &err);
    assert_ok(yoke_matrix_fill_random(&in.x, 1, &err), &err);
    assert_ok(yoke_matrix_fill_random(&in.w, 2, &err), &err);
    memset(in.y.data, 0, m * N * sizeof(float));
    assert_ok(yoke_weight_prepare(in.engine, &in.w, &in.weight, NULL, &err), &err);
    return in;
}

static void multiply(inputs *in, const yoke_multiply_options *options)
{
    yoke_error err = {0};
    assert_ok(yoke_weight_multiply(in->weight, &in->x, &in->y, options, &in->timing, &err), &err);
}

static void close_inputs(inputs *in)
{
    yoke_weight_free(in->weight);
    yoke_engine_free(in->engine);
    yoke_context_free(in->context);
    yoke_matrix_free(&in->x);
    yoke_matrix_free(&in->w);
    yoke_matrix_free(&in->y);
}

static float x_at(const inputs *in, size_t row, size_t k)
{
    float value;
    assert_int_equal(yoke_matrix_read(&in->x, row, k, 1, &value, NULL), YOKE_OK);
    return value;
}

/* The sum over K in double precision. */
static double exact(const inputs *in, size_t row, size_t output)
{
    double sum = 0;
    const float *w = in->w.data;
    for (size_t k = 0; k < K; k++)
        sum += (double)x_at(in, row, k) * (double)w[output * K + k];
    return sum;
}

/* Outputs [begin, begin + count) stand in y's first columns as factor times the sums. The stand-in
 * rounds once; alpha rounds again. */
static void assert_right(const inputs *in, size_t begin, size_t count, double factor, double added)
{
    const float *y = in->y.data;
    for (size_t row = 0; row < in->x.rows; row++)
        for (size_t n = 0; n < count; n++) {
            double want = factor * exact(in, row, begin + n) + added;
            if (!(fabs((double)y[row * N + n] - want) <= 3e-7 * (fabs(want) + fabs(added)) + 1e-12))
                fail_msg("row %zu, output %zu: %g is not %g", row, begin + n,
                         (double)y[row * N + n], want);
        }
}

static void product_is_that_of_the_library(void **state)
{
    (void)state;
    const yoke_format formats[] = {YOKE_F32, YOKE_F16, YOKE_BF16};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        inputs in = open_inputs("cpu,accelerate=1", formats[f], M);
        multiply(&in, NULL);
        assert_string_equal(in.timing.path, "accelerate sgemm");
        assert_right(&in, 0, N, 1, 0);
        close_inputs(&in);
    }
}

static void more_rows_than_are_computed_at_a_time_are_right(void **state)
{
    (void)state;
    inputs in = open_inputs("cpu,accelerate=1", YOKE_F32, 9000);
    multiply(&in, NULL);
    assert_string_equal(in.timing.path, "accelerate sgemm");
    const float *y = in.y.data;
    for (size_t row = 0; row < 9000; row += 71)
        for (size_t n = 0; n < N; n++)
            assert_true(fabs((double)y[row * N + n] - exact(&in, row, n)) <
                        3e-7 * fabs(exact(&in, row, n)) + 1e-12);
    close_inputs(&in);
}

static void window_holds_its_outputs(void **state)
{
    (void)state;
    inputs in = open_inputs("cpu,accelerate=1", YOKE_F32, M);
    in.y.stride = N;
    in.y.cols = 32;
    multiply(&in, &(yoke_multiply_options){.n_begin = 16, .n_count = 32});
    assert_string_equal(in.timing.path, "accelerate sgemm");
    assert_right(&in, 16, 32, 1, 0);
    assert_true(((const float *)in.y.data)[32] == 0);
    close_inputs(&in);
}

static void result_is_scaled_and_added(void **state)
{
    (void)state;
    inputs in = open_inputs("cpu,accelerate=1", YOKE_F32, M);
    for (size_t i = 0; i < (size_t)M * N; i++)
        ((float *)in.y.data)[i] = 3;
    multiply(&in, &(yoke_multiply_options){.scaled = true, .alpha = 2, .beta = 1});
    assert_right(&in, 0, N, 2, 3);
    close_inputs(&in);
}

static void few_rows_and_pinned_rows_do_without_it(void **state)
{
    (void)state;
    inputs few = open_inputs("cpu,accelerate=1", YOKE_F32, 8);
    multiply(&few, NULL);
    assert_string_not_equal(few.timing.path, "accelerate sgemm");
    close_inputs(&few);

    inputs with = open_inputs("cpu,accelerate=1", YOKE_F32, M);
    inputs without = open_inputs("cpu,accelerate=0", YOKE_F32, M);
    multiply(&with, &(yoke_multiply_options){.pin_path = true});
    multiply(&without, &(yoke_multiply_options){.pin_path = true});
    assert_string_equal(with.timing.path, without.timing.path);
    assert_memory_equal(with.y.data, without.y.data, (size_t)M * N * sizeof(float));
    close_inputs(&with);
    close_inputs(&without);
}

static void library_that_is_slower_is_not_used_unasked(void **state)
{
    (void)state;
    inputs in = open_inputs("cpu", YOKE_F32, M);
    multiply(&in, NULL);
    assert_string_not_equal(in.timing.path, "accelerate sgemm");
    close_inputs(&in);
}

static void option_is_0_or_1(void **state)
{
    (void)state;
    yoke_error err = {0};
    assert_int_equal(open_alone("cpu,accelerate=yes", &err), YOKE_ERR_USAGE);
    assert_says(&err, "accelerate=yes: 0 or 1");
}

/* In a process of its own, before the library is loaded in this one. */
static void machine_without_it_says_so(void **state)
{
    (void)state;
    int ended;
    pid_t child = fork();
    if (child == 0) {
        yoke_error err = {0};
        unsetenv("YOKE_APPLE_STANDINS");
        bool right = open_alone("cpu,accelerate=1", &err) == YOKE_ERR_UNSUPPORTED &&
                     strstr(err.text, "accelerate=1: needs macOS");
        _exit(right ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

int main(void)
{
    standins_use();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machine_without_it_says_so),
        cmocka_unit_test(product_is_that_of_the_library),
        cmocka_unit_test(more_rows_than_are_computed_at_a_time_are_right),
        cmocka_unit_test(window_holds_its_outputs),
        cmocka_unit_test(result_is_scaled_and_added),
        cmocka_unit_test(few_rows_and_pinned_rows_do_without_it),
        cmocka_unit_test(library_that_is_slower_is_not_used_unasked),
        cmocka_unit_test(option_is_0_or_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
