#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/engines_bench.h"

static void fails(bench *b, const yoke_matrix *x, yoke_matrix *y,
                  const yoke_multiply_options *options, yoke_status status, const char *words)
{
    assert_int_equal(yoke_weight_multiply(b->weight, x, y, options, NULL, &b->err), status);
    assert_says(&b->err, words);
}

static void shapes_that_do_not_go_together_are_named(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "ref");
    yoke_matrix x = b.x, y = b.y;
    x.cols = 31;
    fails(&b, &x, &y, NULL, YOKE_ERR_SHAPE, "x has 31 columns, w has 32");
    x = b.x, y.rows = 2;
    fails(&b, &x, &y, NULL, YOKE_ERR_SHAPE, "y has 2 rows, x has 3");
    y = b.y, y.cols = 7;
    fails(&b, &x, &y, NULL, YOKE_ERR_SHAPE, "y has 7 columns, the window of w has 8 rows");
    y = b.y;
    fails(&b, NULL, &y, NULL, YOKE_ERR_USAGE, "x");
    fails(&b, &x, NULL, NULL, YOKE_ERR_USAGE, "y");
    x.format = YOKE_F64;
    fails(&b, &x, &y, NULL, YOKE_ERR_UNSUPPORTED, "x is f64");
    x = b.x, y.format = YOKE_Q8_0, y.cols = 32, y.rows = 1;
    fails(&b, &x, &y, NULL, YOKE_ERR_UNSUPPORTED, "y is q8_0");
    bench_close(&b);
}

static void windows_outside_the_weight_or_off_the_granule_are_refused(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,granule_n=4");
    yoke_matrix y = b.y;
    yoke_multiply_options options = {.n_begin = 9};
    fails(&b, &b.x, &y, &options, YOKE_ERR_SHAPE, "does not lie in w's 8 rows");
    options = (yoke_multiply_options){.n_begin = 4, .n_count = 5};
    fails(&b, &b.x, &y, &options, YOKE_ERR_SHAPE, "does not lie in w's 8 rows");
    options = (yoke_multiply_options){.n_begin = 4, .n_count = SIZE_MAX};
    fails(&b, &b.x, &y, &options, YOKE_ERR_SHAPE, "does not lie in w's 8 rows");
    options = (yoke_multiply_options){.n_begin = 2, .n_count = 4};
    fails(&b, &b.x, &y, &options, YOKE_ERR_SHAPE, "granule of 4");
    options = (yoke_multiply_options){.n_count = 3};
    fails(&b, &b.x, &y, &options, YOKE_ERR_SHAPE, "granule of 4");
    bench_close(&b);
}

static void options_outside_their_range_are_refused(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "ref");
    yoke_multiply_options options = {.precision = (yoke_precision)3};
    fails(&b, &b.x, &b.y, &options, YOKE_ERR_USAGE, "precision");
    options = (yoke_multiply_options){.wait = (yoke_wait_how)3};
    fails(&b, &b.x, &b.y, &options, YOKE_ERR_USAGE, "wait");
    bench_close(&b);
}

static void an_engines_limits_are_kept(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,max_m=2");
    fails(&b, &b.x, &b.y, NULL, YOKE_ERR_SHAPE, "its limit is 2");
    bench_close(&b);

    yoke_engine *engine;
    yoke_weight *weight;
    bench_open(&b, "fake");
    assert_ok(yoke_engine_open(b.context, "fake,max_n=7", &engine, &b.err), &b.err);
    assert_int_equal(yoke_weight_prepare(engine, &b.w, &weight, NULL, &b.err), YOKE_ERR_SHAPE);
    assert_says(&b.err, "w has 8 rows, its limit is 7");
    yoke_engine_free(engine);
    assert_ok(yoke_engine_open(b.context, "fake,max_k=31", &engine, &b.err), &b.err);
    assert_int_equal(yoke_weight_prepare(engine, &b.w, &weight, NULL, &b.err), YOKE_ERR_SHAPE);
    assert_says(&b.err, "w has 32 columns, its limit is 31");
    yoke_engine_free(engine);
    bench_close(&b);
}

/* The engine's first product would fail: it must not be asked for any. */
static void products_without_sums_do_not_reach_the_engine(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "fake,fail_at=1");
    yoke_matrix none = b.x, y = b.y;
    none.rows = y.rows = 0;
    assert_ok(yoke_weight_multiply(b.weight, &none, &y, NULL, NULL, &b.err), &b.err);

    const yoke_multiply_options at_the_end = {.n_begin = BENCH_N};
    y = b.y, y.cols = 0;
    assert_ok(yoke_weight_multiply(b.weight, &b.x, &y, &at_the_end, NULL, &b.err), &b.err);

    for (size_t i = 0; i < BENCH_M * BENCH_N; i++)
        b.y_data[i] = 3;
    b.x_data[0] = NAN; /* alpha 0 does not read x */
    const yoke_multiply_options scale = {.scaled = true, .alpha = 0, .beta = 2};
    yoke_timing timing = {0};
    assert_ok(bench_multiply(&b, &scale, &timing), &b.err);
    for (size_t i = 0; i < BENCH_M * BENCH_N; i++)
        assert_true(b.y_data[i] == 6);
    assert_true(timing.submit_ns > 0 && timing.done_ns >= timing.submit_ns);
    assert_string_equal(timing.path, "no product");
    bench_close(&b);
}

static void an_empty_weight_gives_beta_times_y(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "ref");
    yoke_weight *empty;
    const yoke_matrix w = {.format = YOKE_F16, .rows = BENCH_N},
                      x = {.format = YOKE_F32, .rows = BENCH_M};
    yoke_prepare_report report = {0};
    assert_ok(yoke_weight_prepare(b.engine, &w, &empty, &report, &b.err), &b.err);
    assert_int_equal(report.format, YOKE_F16);
    assert_int_equal(report.prepared_bytes, 0);
    assert_int_equal(yoke_weight_outputs(empty), BENCH_N);
    assert_int_equal(yoke_weight_inputs(empty), 0);
    for (size_t i = 0; i < BENCH_M * BENCH_N; i++)
        b.y_data[i] = NAN;
    assert_ok(yoke_weight_multiply(empty, &x, &b.y, NULL, NULL, &b.err), &b.err);
    for (size_t i = 0; i < BENCH_M * BENCH_N; i++)
        assert_true(b.y_data[i] == 0);
    yoke_weight_free(empty);
    bench_close(&b);
}

/* Prepares `values` as `format` on an engine that takes only `takes`; the format it ends up in. */
static yoke_status prepared_format(yoke_format format, const char *takes, yoke_format *kept,
                                   float *result, yoke_error *err)
{
    bench b;
    bench_open(&b, "ref");
    char specification[64] = "fake,formats=";
    strcat(specification, takes);
    yoke_engine *engine;
    yoke_weight *weight;
    assert_ok(yoke_engine_open(b.context, specification, &engine, err), err);

    /* Bytes 0x38 are 1.0 in F8 E4M3, 56 as an integer, and a normal number in every other format.
     */
    uint8_t bytes[BENCH_K * 8];
    memset(bytes, 0x38, sizeof bytes);
    const yoke_matrix w = {.format = format, .rows = 1, .cols = BENCH_K, .data = bytes};
    yoke_matrix x = b.x, y = matrix_f32(result, 1, 1);
    x.rows = 1;
    yoke_prepare_report report = {0};
    yoke_status status = yoke_weight_prepare(engine, &w, &weight, &report, err);
    if (status == YOKE_OK) {
        *kept = report.format;
        size_t stored;
        assert_ok(yoke_format_bytes(format, 1, BENCH_K, &stored, err), err);
        assert_int_equal(report.copied_bytes, stored);
        assert_ok(yoke_weight_multiply(weight, &x, &y, NULL, NULL, err), err);
        yoke_weight_free(weight);
    }
    yoke_engine_free(engine);
    bench_close(&b);
    return status;
}

static void a_refused_format_becomes_the_smallest_that_loses_nothing(void **state)
{
    (void)state;
    const struct {
        yoke_format given;
        const char *takes;
        yoke_format kept;
        float result;
    } cases[] = {
        {YOKE_F8_E4M3, "f8_e4m3+f16+f32", YOKE_F8_E4M3, 32},
        {YOKE_F8_E4M3, "f16+f32", YOKE_F16, 32},
        {YOKE_F8_E4M3, "f32", YOKE_F32, 32},
        {YOKE_U8, "f16+f32", YOKE_F16, 32 * 56},
        {YOKE_I16, "f16+f32", YOKE_F32, 32 * 0x3838},
        {YOKE_BF16, "f16+f32", YOKE_F32, 32 * 0x1.7p-15f},
        {YOKE_F16, "bf16+f32", YOKE_F32, 32 * 0.52734375f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        yoke_error err = {0};
        yoke_format kept = YOKE_FORMAT_NONE;
        float result = 0;
        assert_ok(prepared_format(cases[i].given, cases[i].takes, &kept, &result, &err), &err);
        assert_int_equal(kept, cases[i].kept);
        assert_true(result == cases[i].result);
        assert_string_equal(err.text, ""); /* what did not stop the call is no error */
    }
}

static void a_format_is_not_converted_at_a_loss(void **state)
{
    (void)state;
    yoke_error err = {0};
    yoke_format kept;
    float result;
    assert_int_equal(prepared_format(YOKE_F32, "f16+bf16", &kept, &result, &err),
                     YOKE_ERR_UNSUPPORTED);
    assert_int_equal(prepared_format(YOKE_BF16, "f16", &kept, &result, &err), YOKE_ERR_UNSUPPORTED);
    assert_int_equal(prepared_format(YOKE_C64, "f32", &kept, &result, &err), YOKE_ERR_UNSUPPORTED);
}

static void what_is_no_core_set_or_option_of_the_cpu_is_refused(void **state)
{
    (void)state;
    const char *const wrong[] = {"cpu:x",          "cpu:0-",       "cpu:0-x",  "cpu:0-+1",
                                 "cpu:1-0",        "cpu,threads=", "cpu:-0",   "cpu,threads=0",
                                 "cpu,threads=1x", "cpu,caller=2", "cpu:0-0-0"};
    bench b;
    bench_open(&b, "ref");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        yoke_engine *engine;
        assert_int_equal(yoke_engine_open(b.context, wrong[i], &engine, &b.err), YOKE_ERR_USAGE);
        assert_null(engine);
    }
    bench_close(&b);
}

static void an_unknown_engine_is_answered_with_the_known_ones(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "ref");
    yoke_engine *engine;
    assert_int_equal(yoke_engine_open(b.context, "cpux", &engine, &b.err), YOKE_ERR_NOT_FOUND);
    assert_says(&b.err, "\"cpux\"");
    assert_says(&b.err, "ref");
    assert_null(engine);
    bench_close(&b);
}

static void null_is_freed_and_refused_without_harm(void **state)
{
    (void)state;
    yoke_weight_free(NULL);
    yoke_engine_free(NULL);
    yoke_context_free(NULL);
    assert_int_equal(yoke_context_create(NULL, NULL, NULL), YOKE_ERR_USAGE);
    assert_int_equal(yoke_engine_open(NULL, "ref", NULL, NULL), YOKE_ERR_USAGE);
    assert_int_equal(yoke_weight_prepare(NULL, NULL, NULL, NULL, NULL), YOKE_ERR_USAGE);
    assert_int_equal(yoke_weight_multiply(NULL, NULL, NULL, NULL, NULL, NULL), YOKE_ERR_USAGE);
    assert_int_equal(yoke_weight_outputs(NULL), 0);
    assert_null(yoke_context_engine_info(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_that_do_not_go_together_are_named),
        cmocka_unit_test(windows_outside_the_weight_or_off_the_granule_are_refused),
        cmocka_unit_test(options_outside_their_range_are_refused),
        cmocka_unit_test(an_engines_limits_are_kept),
        cmocka_unit_test(products_without_sums_do_not_reach_the_engine),
        cmocka_unit_test(an_empty_weight_gives_beta_times_y),
        cmocka_unit_test(a_refused_format_becomes_the_smallest_that_loses_nothing),
        cmocka_unit_test(a_format_is_not_converted_at_a_loss),
        cmocka_unit_test(what_is_no_core_set_or_option_of_the_cpu_is_refused),
        cmocka_unit_test(an_unknown_engine_is_answered_with_the_known_ones),
        cmocka_unit_test(null_is_freed_and_refused_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
