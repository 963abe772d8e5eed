/* The Core ML engine over a stand-in that compiles its packages and runs them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "standin/apple/standins.h"
#include "unit/engines_apple_product.h"
#include "unit/engines_bench.h"

#define ON_ANE "coreml, by its plan on the ANE"

typedef struct opened {
    yoke_context *context;
    yoke_engine *engine;
    yoke_error err;
} opened;

static opened open_coreml(const char *specification)
{
    opened o = {0};
    assert_ok(yoke_context_create(NULL, &o.context, &o.err), &o.err);
    assert_ok(yoke_engine_open(o.context, specification, &o.engine, &o.err), &o.err);
    return o;
}

static void check_nothing_is_left(void)
{
    assert_string_equal(standins_left_behind(), "");
    assert_string_equal(standins_live(), "");
    standins_switch("");
}

static void close_coreml(opened *o)
{
    yoke_engine_free(o->engine);
    yoke_context_free(o->context);
    check_nothing_is_left();
}

/* What f16 explains: half a unit of its last place in x, in a weight's value and in y. */
static double f16_error(const apple_product *p, double alpha, size_t n_begin)
{
    return apple_product_error(p, 0x1p-10 / ((double)p->x.cols + 4), 0x1p-10, alpha, n_begin);
}

static void round_scales(yoke_matrix *w)
{
    for (size_t row = 0; w->format == YOKE_INT8 && row < w->rows; row++) {
        float affine[2] = {0x1p-7f * (float)(1 + row % 5), (float)(row % 7) - 3};
        memcpy((char *)w->table + row * sizeof affine, affine, sizeof affine);
    }
}

static void check(yoke_engine *engine, yoke_format w, yoke_format x, yoke_format y, size_t m,
                  size_t n, size_t k)
{
    apple_product p;
    apple_product_make(&p, w, x, y, m, n, k);
    round_scales(&p.w);
    assert_ok(apple_product_run(&p, engine, NULL), &p.err);
    double error = w == YOKE_F32 ? apple_product_error(&p, 0x1p-24, 0x1p-8, 1, 0)
                   : y == YOKE_BF16
                       ? apple_product_error(&p, 0x1p-10 / ((double)k + 4), 0x1p-7, 1, 0)
                       : f16_error(&p, 1, 0);
    if (!(error <= 1))
        fail_msg("%zu x %zu x %zu, w %s: %g times the bound", m, n, k, yoke_format_get(w)->name,
                 error);
    assert_string_equal(p.timing.path, w == YOKE_F32 ? "coreml, by its plan on the CPU" : ON_ANE);
    assert_int_equal(p.report.format, w);
    apple_product_free(&p);
}

static void every_format_is_multiplied_as_it_is_stored(void **state)
{
    (void)state;
    static const yoke_format weights[] = {YOKE_F32,  YOKE_F16,  YOKE_INT8, YOKE_LUT1, YOKE_LUT2,
                                          YOKE_LUT3, YOKE_LUT4, YOKE_LUT6, YOKE_LUT8};
    static const yoke_format floats[] = {YOKE_F32, YOKE_F16, YOKE_BF16};
    opened o = open_coreml("coreml,rows=8");
    for (size_t w = 0; w < 9; w++)
        for (size_t i = 0; i < 3; i++) {
            check(o.engine, weights[w], floats[i], floats[2 - i], 1, 24, 64);
            check(o.engine, weights[w], floats[i], floats[i], 19, 8, 32);
        }
    close_coreml(&o);
}

static void odd_shapes_are_right(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 7, 31, 33, 65};
    opened o = open_coreml("coreml,rows=16");
    for (size_t i = 0; i < 6 * 6 * 6; i++)
        check(o.engine, YOKE_F16, YOKE_F32, YOKE_F32, sizes[i / 36], sizes[i / 6 % 6],
              sizes[i % 6]);
    close_coreml(&o);
}

/* One row at a time where there is no program for more. */
static void a_program_for_one_row_does_for_all(void **state)
{
    (void)state;
    opened o = open_coreml("coreml,rows=1");
    check(o.engine, YOKE_F16, YOKE_F32, YOKE_F32, 5, 7, 33);
    close_coreml(&o);
}

/* A program computes parts of 16384 outputs; the window takes the end of one and the begin of the
 * next. */
static void a_window_over_two_parts_scales_and_adds_and_leaves_the_rest_alone(void **state)
{
    (void)state;
    enum { M = 3, N = 64, K = 32, ROWS = 16384 + 48, BEGIN = 16384 - 16, COUNT = 48 };
    static float y[M * N];
    opened o = open_coreml("coreml,rows=4");
    apple_product p;
    apple_product_make(&p, YOKE_F16, YOKE_F16, YOKE_F32, M, 1, K);
    yoke_matrix_free(&p.w);
    yoke_matrix_free(&p.y);
    assert_ok(yoke_matrix_create(YOKE_F16, ROWS, K, &p.w, &p.err), &p.err);
    assert_ok(yoke_matrix_fill_random(&p.w, 1, &p.err), &p.err);
    for (size_t i = 0; i < M * N; i++)
        y[i] = 2;
    p.y = (yoke_matrix){.format = YOKE_F32, .rows = M, .cols = COUNT, .stride = N, .data = y + 8};
    const yoke_multiply_options options = {
        .n_begin = BEGIN, .n_count = COUNT, .scaled = true, .alpha = 3, .beta = 0.5f};
    assert_ok(apple_product_run(&p, o.engine, &options), &p.err);
    for (size_t i = 0; i < M * N; i++) {
        if (i % N >= 8 && i % N < 8 + COUNT)
            y[i] -= 1;
        else
            assert_true(y[i] == 2);
    }
    assert_true(f16_error(&p, 3, BEGIN) <= 1);
    p.y = (yoke_matrix){0};
    apple_product_free(&p);
    close_coreml(&o);
}

/* vx-lang/Vx issue 436: the Neural Engine was named for a product that the CPU computed. */
static void the_device_of_the_plan_is_named_not_the_one_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *switches, *specification, *path, *layout;
    } places[] = {
        {"", "coreml", ON_ANE, "on: ANE"},
        {"coreml_cpu", "coreml", "coreml, by its plan on the CPU", "on: CPU"},
        {"coreml_gpu", "coreml", "coreml, by its plan on the GPU", "on: GPU"},
        {"", "coreml,units=cpu", "coreml, by its plan on the CPU", "on: CPU"},
        {"", "coreml,units=gpu", "coreml, by its plan on the GPU", "on: GPU"},
        {"coreml_plan_fails", "coreml", "coreml, placement not known", "not known"},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        standins_switch(places[i].switches);
        opened o = open_coreml(places[i].specification);
        apple_product p;
        apple_product_make(&p, YOKE_F16, YOKE_F32, YOKE_F32, 1, 16, 32);
        assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
        assert_string_equal(p.timing.path, places[i].path);
        assert_non_null(strstr(p.report.layout, places[i].layout));
        apple_product_free(&p);
        close_coreml(&o);
    }
}

static void parts_on_different_devices_are_said_to_be(void **state)
{
    (void)state;
    standins_switch("coreml_several");
    opened o = open_coreml("coreml,rows=1");
    apple_product p;
    apple_product_make(&p, YOKE_F16, YOKE_F32, YOKE_F32, 1, 16384 + 16, 8);
    assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
    assert_string_equal(p.timing.path, "coreml, by its plan on several devices");
    apple_product_free(&p);
    close_coreml(&o);
}

/* Exactly as stored means f32 here, which Core ML keeps from the Neural Engine. */
static void what_f16_does_not_hold_is_f32_or_on_request_rounded(void **state)
{
    (void)state;
    static const char *const engines[] = {"coreml", "coreml,round=1"};
    static const yoke_format weights[] = {YOKE_Q8_0, YOKE_BF16, YOKE_F32};
    for (size_t i = 0; i < 6; i++) {
        opened o = open_coreml(engines[i / 3]);
        apple_product p;
        apple_product_make(&p, weights[i % 3], YOKE_F32, YOKE_F32, 2, 16, 32);
        assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
        assert_int_equal(p.report.format, i / 3 ? YOKE_F16 : YOKE_F32);
        assert_string_equal(p.timing.path, i / 3 ? ON_ANE : "coreml, by its plan on the CPU");
        assert_true(f16_error(&p, 1, 0) <= 1);
        apple_product_free(&p);
        close_coreml(&o);
    }
}

/* But not by a product that may be given up. */
static void whole_slabs_of_f16_are_read_where_they_lie(void **state)
{
    (void)state;
    enum { M = 12, N = 16, K = 32, PLAIN = 0, TIMED, HEEDING, CASES };
    static const volatile bool go_on = false;
    for (int i = 0; i < CASES; i++) {
        const yoke_multiply_options options = {.deadline_ns = i == TIMED ? 60000000000u : 0};
        opened o = open_coreml("coreml,rows=4");
        yoke_engine_heed(o.engine, i == HEEDING ? &go_on : NULL);
        apple_product p;
        apple_product_make(&p, YOKE_F16, YOKE_F16, YOKE_F32, M, N, K);
        assert_ok(apple_product_run(&p, o.engine, &options), &p.err);
        assert_int_equal(p.timing.copied_bytes, (i == PLAIN ? 0 : M * K * 2) + M * N * 4);
        assert_true(f16_error(&p, 1, 0) <= 1);
        apple_product_free(&p);
        close_coreml(&o);
    }
}

static void results_outside_the_given_memory_are_fetched_by_their_strides(void **state)
{
    (void)state;
    standins_switch("coreml_own_memory");
    opened o = open_coreml("coreml,rows=4");
    check(o.engine, YOKE_F16, YOKE_F32, YOKE_F32, 1, 9, 33);
    check(o.engine, YOKE_F32, YOKE_F32, YOKE_F32, 6, 9, 33);
    close_coreml(&o);
}

static void what_goes_wrong_is_named_with_the_call_and_leaves_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *switches, *words;
    } faults[] = {
        {"coreml_compile_fails", "compileModelAtURL:error: failed"},
        {"coreml_load_fails", "modelWithContentsOfURL:configuration:error: failed"},
        {"coreml_array_fails", "initWithDataPointer"},
        {"coreml_fails_at=1", "predictionFromFeatures:options:error: failed: Unable to compute"},
        {"coreml_other_shape", "not of the shape [1, 16, 1, 1]"},
        {"coreml_other_type", "a result is not f16"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        standins_switch(faults[i].switches);
        opened o = open_coreml("coreml");
        apple_product p;
        apple_product_make(&p, YOKE_F16, YOKE_F32, YOKE_F32, 1, 16, 32);
        assert_int_equal(apple_product_run(&p, o.engine, NULL), YOKE_ERR_ENGINE);
        assert_says(&p.err, "engine coreml");
        assert_says(&p.err, faults[i].words);
        standins_switch("");
        assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
        apple_product_free(&p);
        close_coreml(&o);
    }
}

static void bad_options_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *specification, *words;
        yoke_status status;
    } bad[] = {
        {"coreml,speed=9", "speed", YOKE_ERR_USAGE},
        {"coreml,units=npu", "units=npu", YOKE_ERR_USAGE},
        {"coreml,rows=0", "rows", YOKE_ERR_USAGE},
        {"coreml,compile_s=never", "compile_s=never", YOKE_ERR_USAGE},
        {"coreml:0", "coreml:0", YOKE_ERR_NOT_FOUND},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        yoke_error err = {0};
        assert_int_equal(open_alone(bad[i].specification, &err), bad[i].status);
        assert_says(&err, bad[i].words);
    }
}

static void without_frameworks_the_engines_say_what_they_need(void **state)
{
    (void)state;
    static const char *const engines[] = {"coreml", "metal"};
    setenv("YOKE_APPLE_STANDINS", "", 1);
    for (size_t i = 0; i < 2; i++) {
        yoke_error err = {0};
        assert_int_equal(open_alone(engines[i], &err), YOKE_ERR_UNSUPPORTED);
        assert_says(&err, "needs macOS");
    }
    setenv("YOKE_APPLE_STANDINS", YOKE_APPLE_STANDINS, 1);
}

/* apple/coremltools issues 2660 and 2367: it compiles for ever. */
static void a_compilation_that_does_not_end_is_given_up(void **state)
{
    (void)state;
    standins_switch("coreml_compile_hangs");
    opened o = open_coreml("coreml,compile_s=1");
    apple_product p;
    apple_product_make(&p, YOKE_F16, YOKE_F32, YOKE_F32, 1, 16, 32);
    assert_int_equal(apple_product_run(&p, o.engine, NULL), YOKE_ERR_TIMEOUT);
    assert_says(&p.err, "compileModelAtURL:error:: did not end before its deadline");
    assert_int_equal(apple_product_run(&p, o.engine, NULL), YOKE_ERR_ENGINE);
    assert_says(&p.err, "lost"); /* nothing else would end on its thread */
    apple_product_free(&p);
    yoke_engine_free(o.engine);
    yoke_context_free(o.context);
    assert_string_equal(standins_left_behind(), "");
    standins_switch("");
    assert_string_equal(standins_live_at_last(), "");
    assert_string_equal(standins_left_behind(), "");
}

static void a_product_that_never_ends_times_out_and_the_engine_is_lost(void **state)
{
    (void)state;
    for (int how = YOKE_WAIT_BLOCK; how <= YOKE_WAIT_SLEEP_POLL; how++) {
        bench b;
        const yoke_multiply_options options = {.wait = (yoke_wait_how)how, .deadline_ns = 2000000};
        standins_switch("coreml_hangs_at=2");
        bench_open(&b, "coreml,round=1,rows=4");
        assert_ok(bench_multiply(&b, NULL, NULL), &b.err);
        assert_int_equal(bench_wrong(&b), 0);
        memset(b.y_data, 0, sizeof b.y_data);
        assert_int_equal(bench_multiply(&b, &options, NULL), YOKE_ERR_TIMEOUT);
        assert_says(&b.err, "engine coreml: predictionFromFeatures");
        assert_int_equal(bench_multiply(&b, NULL, NULL), YOKE_ERR_ENGINE);
        assert_says(&b.err, "lost");
        bench_close(&b);
        assert_string_equal(standins_left_behind(), "");
        standins_switch("");
        assert_string_equal(standins_live_at_last(), "");
        assert_int_equal(bench_wrong(&b), BENCH_M * BENCH_N); /* y is the caller's again */
    }
}

static void a_raised_flag_ends_a_product_that_never_ends(void **state)
{
    (void)state;
    for (int how = YOKE_WAIT_BLOCK; how <= YOKE_WAIT_SLEEP_POLL; how++) {
        standins_switch("coreml_hangs_at=2");
        bench_expect_stop("coreml,round=1,rows=4", (yoke_wait_how)how,
                          "engine coreml: predictionFromFeatures:options:error:: stopped on");
        assert_string_equal(standins_left_behind(), "");
        standins_switch("");
        assert_string_equal(standins_live_at_last(), "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_multiplied_as_it_is_stored),
        cmocka_unit_test(odd_shapes_are_right),
        cmocka_unit_test(a_program_for_one_row_does_for_all),
        cmocka_unit_test(a_window_over_two_parts_scales_and_adds_and_leaves_the_rest_alone),
        cmocka_unit_test(the_device_of_the_plan_is_named_not_the_one_asked_for),
        cmocka_unit_test(parts_on_different_devices_are_said_to_be),
        cmocka_unit_test(what_f16_does_not_hold_is_f32_or_on_request_rounded),
        cmocka_unit_test(whole_slabs_of_f16_are_read_where_they_lie),
        cmocka_unit_test(results_outside_the_given_memory_are_fetched_by_their_strides),
        cmocka_unit_test(what_goes_wrong_is_named_with_the_call_and_leaves_nothing),
        cmocka_unit_test(bad_options_are_named),
        cmocka_unit_test(without_frameworks_the_engines_say_what_they_need),
        cmocka_unit_test(a_compilation_that_does_not_end_is_given_up),
        cmocka_unit_test(a_product_that_never_ends_times_out_and_the_engine_is_lost),
        cmocka_unit_test(a_raised_flag_ends_a_product_that_never_ends),
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
