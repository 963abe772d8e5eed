#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/engines_bench.h"
#include "yoke/measure.h"

static void multiply_is_right(bench *b)
{
    memset(b->y_data, 0xff, sizeof b->y_data);
    assert_ok(bench_multiply(b, NULL, NULL), &b->err);
    assert_int_equal(bench_wrong(b), 0);
}

static void without_a_script_results_are_right_and_said_to_be_simulated(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake");
    multiply_is_right(&b);
    assert_non_null(strstr(yoke_engine_describe(b.engine)->description, "simulated"));
    bench_close(&b);
}

static void it_is_hidden_but_opens_by_its_name(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake");
    for (size_t i = 0; i < yoke_context_engine_count(b.context); i++)
        assert_null(strstr(yoke_context_engine_info(b.context, i)->name, "fake"));
    bench_close(&b);
}

/* 2*3*8*32 = 1536 operations at 1e-3 GFLOP/s last 1.536 ms; 1024 bytes at 1e-3 GB/s 1.024 ms. */
static void time_is_the_fixed_cost_and_the_longer_of_reading_and_computing(void **state)
{
    (void)state;
    const struct {
        const char *specification;
        uint64_t expected_ns;
    } cases[] = {
        {"fake,fixed_us=200,rate_gflops=0.001,gbps=0.001", 1736000},
        {"fake,fixed_us=200,gbps=0.001", 1224000},
        {"fake,fixed_us=200", 200000},
    };
    for (size_t i = 0; i < 3; i++)
        for (int how = YOKE_WAIT_BLOCK; how <= YOKE_WAIT_SLEEP_POLL; how++) {
            bench b;
            bench_open(&b, cases[i].specification);
            yoke_timing timing = {0};
            const yoke_multiply_options options = {.wait = (yoke_wait_how)how};
            assert_ok(bench_multiply(&b, &options, &timing), &b.err);
            assert_int_equal(timing.device_end_ns - timing.device_begin_ns, cases[i].expected_ns);
            assert_true(timing.done_ns >= timing.device_end_ns);
            assert_true(timing.device_begin_ns >= timing.submit_ns);
            assert_string_equal(timing.path, "simulated");
            bench_close(&b);
        }
}

static void limits_are_those_of_the_script(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,gbps=2.5");
    double limit = 0;
    yoke_limit_request request = {.size = sizeof request,
                                  .limit = YOKE_LIMIT_READ,
                                  .bytes = b.w_data,
                                  .byte_count = sizeof b.w_data};
    assert_ok(yoke_engine_limit(b.engine, &request, &limit, &b.err), &b.err);
    assert_true(limit == 2.5e9);
    request.limit = YOKE_LIMIT_COMPUTE;
    assert_int_equal(yoke_engine_limit(b.engine, &request, &limit, &b.err), YOKE_ERR_UNSUPPORTED);
    bench_close(&b);
}

static void the_second_submit_fails_and_the_third_works(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,fail_at=2");
    multiply_is_right(&b);
    assert_int_equal(bench_multiply(&b, NULL, NULL), YOKE_ERR_ENGINE);
    assert_says(&b.err, "submit 2 failed");
    multiply_is_right(&b);
    bench_close(&b);
}

static void the_second_wait_fails_and_the_third_works(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,fail_wait_at=2");
    multiply_is_right(&b);
    assert_int_equal(bench_multiply(&b, NULL, NULL), YOKE_ERR_ENGINE);
    assert_says(&b.err, "product 2 failed");
    multiply_is_right(&b);
    bench_close(&b);
}

static void a_device_that_died_stays_dead(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,die_at=2");
    multiply_is_right(&b);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(bench_multiply(&b, NULL, NULL), YOKE_ERR_ENGINE);
        assert_says(&b.err, "device lost");
    }
    yoke_weight *other;
    assert_int_equal(yoke_weight_prepare(b.engine, &b.w, &other, NULL, &b.err), YOKE_ERR_ENGINE);
    bench_close(&b);
}

static void a_hang_ends_at_the_deadline_and_the_engine_is_lost(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,hang_at=2");
    const yoke_multiply_options options = {.deadline_ns = 20000000};
    assert_ok(bench_multiply(&b, &options, NULL), &b.err);
    uint64_t begin = yoke_clock_ns();
    assert_int_equal(bench_multiply(&b, &options, NULL), YOKE_ERR_TIMEOUT);
    assert_true(yoke_clock_ns() - begin >= 20000000);
    assert_int_equal(bench_multiply(&b, NULL, NULL), YOKE_ERR_ENGINE);
    assert_says(&b.err, "lost");
    yoke_weight *other;
    assert_int_equal(yoke_weight_prepare(b.engine, &b.w, &other, NULL, &b.err), YOKE_ERR_ENGINE);
    assert_says(&b.err, "lost");
    bench_close(&b);
}

static void a_slow_product_misses_its_deadline(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,fixed_us=5000000");
    const yoke_multiply_options options = {.deadline_ns = 1000000, .wait = YOKE_WAIT_POLL};
    assert_int_equal(bench_multiply(&b, &options, NULL), YOKE_ERR_TIMEOUT);
    bench_close(&b);
}

static void one_row_of_the_second_product_is_wrong(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,wrong_row_at=2");
    multiply_is_right(&b);
    assert_ok(bench_multiply(&b, NULL, NULL), &b.err);
    assert_int_equal(bench_wrong(&b), BENCH_N);
    multiply_is_right(&b);
    bench_close(&b);
}

static void all_of_the_second_product_is_zero(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,zeros_at=2");
    multiply_is_right(&b);
    assert_ok(bench_multiply(&b, NULL, NULL), &b.err);
    for (size_t i = 0; i < BENCH_M * BENCH_N; i++)
        assert_true(b.y_data[i] == 0);
    multiply_is_right(&b);
    bench_close(&b);
}

static void a_k_off_32_gives_zeros_when_so_scripted(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,zeros_k32");
    multiply_is_right(&b);
    yoke_weight *narrow;
    b.w.cols = b.x.cols = 31;
    assert_ok(yoke_weight_prepare(b.engine, &b.w, &narrow, NULL, &b.err), &b.err);
    assert_ok(yoke_weight_multiply(narrow, &b.x, &b.y, NULL, NULL, &b.err), &b.err);
    for (size_t i = 0; i < BENCH_M * BENCH_N; i++)
        assert_true(b.y_data[i] == 0);
    yoke_weight_free(narrow);
    bench_close(&b);
}

static void results_beyond_the_limit_become_infinite(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,inf_above=256");
    assert_true(yoke_engine_describe(b.engine)->facts.saturation == 256);
    assert_ok(bench_multiply(&b, NULL, NULL), &b.err);
    assert_true(b.y_data[7] == 256);               /* 32 * 1 * 8 */
    assert_true(isinf(b.y_data[2 * BENCH_N + 7])); /* 32 * 3 * 8 */
    assert_true(b.y_data[2 * BENCH_N] == 96);
    bench_close(&b);
}

static void a_device_works_on_one_product_at_a_time(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,fixed_us=500");
    yoke_timing first = {0}, second = {0};
    assert_ok(bench_multiply(&b, NULL, &first), &b.err);
    assert_ok(bench_multiply(&b, NULL, &second), &b.err);
    assert_true(second.device_begin_ns >= first.device_end_ns);
    bench_close(&b);
}

static void bad_options_are_named(void **state)
{
    (void)state;
    static const char *const bad[] = {"gbps=fast",    "gbps=-1",  "gbps=inf",    "gbps=1x",
                                      "fail_at=-1",   "fail_at=", "granule_n=0", "formats=f33",
                                      "formats=f16+", "speed=9"};
    yoke_context *context;
    yoke_error err = {0};
    assert_ok(yoke_context_create(NULL, &context, &err), &err);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char specification[64] = "fake,";
        strcat(specification, bad[i]);
        yoke_engine *engine;
        assert_int_equal(yoke_engine_open(context, specification, &engine, &err), YOKE_ERR_USAGE);
        assert_null(engine);
        char key[64];
        memcpy(key, bad[i], strlen(bad[i]) + 1);
        key[strcspn(key, "=_")] = '\0';
        assert_says(&err, key);
    }
    yoke_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_script_results_are_right_and_said_to_be_simulated),
        cmocka_unit_test(it_is_hidden_but_opens_by_its_name),
        cmocka_unit_test(time_is_the_fixed_cost_and_the_longer_of_reading_and_computing),
        cmocka_unit_test(limits_are_those_of_the_script),
        cmocka_unit_test(the_second_submit_fails_and_the_third_works),
        cmocka_unit_test(the_second_wait_fails_and_the_third_works),
        cmocka_unit_test(a_device_that_died_stays_dead),
        cmocka_unit_test(a_hang_ends_at_the_deadline_and_the_engine_is_lost),
        cmocka_unit_test(a_slow_product_misses_its_deadline),
        cmocka_unit_test(one_row_of_the_second_product_is_wrong),
        cmocka_unit_test(all_of_the_second_product_is_zero),
        cmocka_unit_test(a_k_off_32_gives_zeros_when_so_scripted),
        cmocka_unit_test(results_beyond_the_limit_become_infinite),
        cmocka_unit_test(a_device_works_on_one_product_at_a_time),
        cmocka_unit_test(bad_options_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
