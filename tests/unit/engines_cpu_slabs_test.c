/* Products of more rows than are packed at a time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "engines/flight.h"
#include "engines_test.h"
#include "yoke/measure.h"

typedef struct inputs {
    yoke_context *context;
    yoke_engine *engine;
    yoke_weight *weight;
    yoke_matrix x, w, y;
} inputs;

static inputs open_inputs(const char *specification, size_t m, size_t n, size_t k)
{
    inputs in;
    yoke_error err = {0};
    assert_ok(yoke_context_create(NULL, &in.context, &err), &err);
    assert_ok(yoke_engine_open(in.context, specification, &in.engine, &err), &err);
    assert_ok(yoke_matrix_create(YOKE_F32, m, k, &in.x, &err), &err);
    assert_ok(yoke_matrix_create(YOKE_F32, n, k, &in.w, &err), &err);
    assert_ok(yoke_matrix_create(YOKE_F32, m, n, &in.y, &err), &err);
    assert_ok(yoke_matrix_fill_random(&in.x, 1, &err), &err);
    assert_ok(yoke_matrix_fill_random(&in.w, 2, &err), &err);
    assert_ok(yoke_weight_prepare(in.engine, &in.w, &in.weight, NULL, &err), &err);
    return in;
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

/* What split products rely on. */
static void an_engine_of_workers_computes_all_rows_before_anybody_waits(void **state)
{
    (void)state;
    yoke_error err = {0};
    inputs in = open_inputs("cpu:0", 600, 16, 4096);
    const yoke_multiply_options options = {0};
    bool done_before = false;
    for (long pause_ms = 50; pause_ms <= 12800 && !done_before; pause_ms *= 2) {
        const struct timespec pause = {pause_ms / 1000, pause_ms % 1000 * 1000000};
        flight f;
        yoke_timing timing = {0};
        assert_ok(flight_start(&f, in.weight, &in.x, &in.y, &options, &err), &err);
        nanosleep(&pause, NULL); /* longer and longer, for what else runs here */
        uint64_t waited_from = yoke_clock_ns();
        assert_ok(flight_finish(&f, YOKE_WAIT_BLOCK, 0, 0, &timing, &err), &err);
        done_before = timing.device_end_ns <= waited_from;
    }
    assert_true(done_before);
    close_inputs(&in);
}

/* y counts: it begins with ones, to which the product is added. */
static void every_row_is_added_once(const char *specification, size_t m)
{
    enum { N = 16, K = 8192 };
    yoke_error err = {0};
    inputs in = open_inputs(specification, m, N, K);
    float *y = in.y.data, *expected = malloc(m * N * sizeof *expected);
    assert_non_null(expected);
    yoke_matrix reference = matrix_f32(expected, m, N);
    for (size_t i = 0; i < m * N; i++)
        y[i] = expected[i] = 1;
    const yoke_multiply_options options = {.scaled = true, .alpha = 1, .beta = 1};
    assert_ok(yoke_weight_multiply(in.weight, &in.x, &in.y, &options, NULL, &err), &err);
    assert_ok(yoke_matrix_product(1, &in.x, &in.w, 1, &reference, &err), &err);
    for (size_t i = 0; i < m * N; i++)
        if (!(fabsf(y[i] - expected[i]) < 1e-4f)) /* one product more or less is about 0.01 */
            fail_msg("row %zu, output %zu: %g, not %g", i / N, i % N, (double)y[i],
                     (double)expected[i]);
    free(expected);
    close_inputs(&in);
}

static void every_row_of_many_slabs_is_computed_once_by_one_thread(void **state)
{
    (void)state;
    every_row_is_added_once("cpu,threads=1", 600);
}

static void every_row_of_many_slabs_is_computed_once_by_several_threads(void **state)
{
    (void)state;
    every_row_is_added_once("cpu,threads=3", 1031);
}

static void every_row_of_many_slabs_is_computed_once_by_workers_alone(void **state)
{
    (void)state;
    every_row_is_added_once("cpu:0", 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_engine_of_workers_computes_all_rows_before_anybody_waits),
        cmocka_unit_test(every_row_of_many_slabs_is_computed_once_by_one_thread),
        cmocka_unit_test(every_row_of_many_slabs_is_computed_once_by_several_threads),
        cmocka_unit_test(every_row_of_many_slabs_is_computed_once_by_workers_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
