/* An engine of workers needs no caller: what split products rely on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "engines/flight.h"
#include "yoke/measure.h"

/* More than one slab of x, for an engine whose caller drives the slabs. */
enum { M = 600, N = 16, K = 4096 };

static void all_rows_are_computed_before_anybody_waits(void **state)
{
    (void)state;
    yoke_error err = {0};
    yoke_context *context;
    yoke_engine *engine;
    yoke_weight *weight;
    yoke_matrix x, w, y;
    assert_int_equal(yoke_context_create(NULL, &context, &err), YOKE_OK);
    if (yoke_engine_open(context, "cpu:0", &engine, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    assert_int_equal(yoke_matrix_create(YOKE_F32, M, K, &x, &err), YOKE_OK);
    assert_int_equal(yoke_matrix_create(YOKE_F32, N, K, &w, &err), YOKE_OK);
    assert_int_equal(yoke_matrix_create(YOKE_F32, M, N, &y, &err), YOKE_OK);
    assert_int_equal(yoke_matrix_fill_random(&x, 1, &err), YOKE_OK);
    assert_int_equal(yoke_matrix_fill_random(&w, 2, &err), YOKE_OK);
    assert_int_equal(yoke_weight_prepare(engine, &w, &weight, NULL, &err), YOKE_OK);

    const yoke_multiply_options options = {0};
    bool done_before = false;
    for (long pause_ms = 50; pause_ms <= 12800 && !done_before; pause_ms *= 2) {
        const struct timespec pause = {pause_ms / 1000, pause_ms % 1000 * 1000000};
        flight f;
        yoke_timing timing = {0};
        assert_int_equal(flight_start(&f, weight, &x, &y, &options, &err), YOKE_OK);
        nanosleep(&pause, NULL); /* longer and longer, for what else runs here */
        uint64_t waited_from = yoke_clock_ns();
        assert_int_equal(flight_finish(&f, YOKE_WAIT_BLOCK, 0, 0, &timing, &err), YOKE_OK);
        done_before = timing.device_end_ns <= waited_from;
    }
    assert_true(done_before);

    yoke_weight_free(weight);
    yoke_engine_free(engine);
    yoke_context_free(context);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
    yoke_matrix_free(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_are_computed_before_anybody_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
