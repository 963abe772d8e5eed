/* The Metal engine over stand-ins: its kernels run from their own source text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "standin/apple/standins.h"
#include "unit/engines_apple_product.h"
#include "unit/engines_bench.h"

#define F32_UNIT 0x1p-24

typedef struct opened {
    yoke_context *context;
    yoke_engine *engine;
    yoke_error err;
} opened;

static opened open_metal(const char *specification)
{
    opened o = {0};
    assert_ok(yoke_context_create(NULL, &o.context, &o.err), &o.err);
    assert_ok(yoke_engine_open(o.context, specification, &o.engine, &o.err), &o.err);
    return o;
}

static void close_metal(opened *o)
{
    yoke_engine_free(o->engine);
    yoke_context_free(o->context);
    assert_string_equal(standins_live(), "");
    standins_switch("");
}

static double y_unit(yoke_format format)
{
    return format == YOKE_F16 ? 0x1p-11 : format == YOKE_BF16 ? 0x1p-8 : F32_UNIT;
}

static void check(yoke_engine *engine, yoke_format w, yoke_format x, yoke_format y, size_t m,
                  size_t n, size_t k, const char *path)
{
    apple_product p;
    apple_product_make(&p, w, x, y, m, n, k);
    assert_ok(apple_product_run(&p, engine, NULL), &p.err);
    double error = apple_product_error(&p, F32_UNIT, y_unit(y), 1, 0);
    if (!(error <= 1))
        fail_msg("%zu x %zu x %zu, w %s: %g times the bound", m, n, k, yoke_format_get(w)->name,
                 error);
    if (path)
        assert_string_equal(p.timing.path, path);
    assert_int_equal(p.report.format, w);
    apple_product_free(&p);
}

static void every_format_is_multiplied_as_it_is_stored(void **state)
{
    (void)state;
    static const yoke_format weights[] = {YOKE_F32, YOKE_F16, YOKE_BF16, YOKE_Q8_0, YOKE_Q4_0};
    static const yoke_format floats[] = {YOKE_F32, YOKE_F16, YOKE_BF16};
    opened o = open_metal("metal");
    for (size_t w = 0; w < 5; w++)
        for (size_t i = 0; i < 9; i++) {
            check(o.engine, weights[w], floats[i / 3], floats[i % 3], 1, 33, 96, NULL);
            check(o.engine, weights[w], floats[i / 3], floats[i % 3], 19, 5, 64, NULL);
        }
    close_metal(&o);
}

static void odd_shapes_are_right(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 5, 9, 16, 17, 33, 65};
    opened o = open_metal("metal");
    for (size_t i = 0; i < 8 * 8 * 8; i++) {
        size_t m = sizes[i / 64], n = sizes[i / 8 % 8], k = sizes[i % 8];
        check(o.engine, YOKE_F32, YOKE_F32, YOKE_F32, m, n, k,
              m == 1 ? "mps vector" : "mps matrix");
        check(o.engine, YOKE_F16, YOKE_F32, YOKE_F32, m, n, k,
              m <= 8 ? "metal kernel" : "mps matrix");
        check(o.engine, YOKE_BF16, YOKE_F32, YOKE_F32, m, n, k,
              m <= 8 ? "metal kernel" : "mps, w widened to f32");
    }
    close_metal(&o);
}

/* As f32, 16 rows of w fill the largest buffer. */
static void a_weight_that_is_widened_in_slabs_is_whole(void **state)
{
    (void)state;
    standins_switch("metal_largest=65536");
    opened o = open_metal("metal");
    check(o.engine, YOKE_Q4_0, YOKE_F32, YOKE_F32, 9, 100, 1024, "mps, w widened to f32");
    close_metal(&o);
}

static void a_window_scales_and_adds_and_leaves_the_rest_alone(void **state)
{
    (void)state;
    enum { M = 3, N = 40, K = 64, BEGIN = 7, COUNT = 20 };
    static const yoke_format weights[] = {YOKE_F32, YOKE_Q4_0};
    opened o = open_metal("metal");
    for (size_t w = 0; w < 2; w++) {
        float y[M * N];
        apple_product p;
        apple_product_make(&p, weights[w], YOKE_F32, YOKE_F32, M, N, K);
        yoke_matrix_free(&p.y);
        for (size_t i = 0; i < M * N; i++)
            y[i] = 2;
        p.y = (yoke_matrix){
            .format = YOKE_F32, .rows = M, .cols = COUNT, .stride = N, .data = y + BEGIN};
        const yoke_multiply_options options = {
            .n_begin = BEGIN, .n_count = COUNT, .scaled = true, .alpha = 3, .beta = 0.5f};
        assert_ok(apple_product_run(&p, o.engine, &options), &p.err);
        for (size_t i = 0; i < M * N; i++) {
            if (i % N >= BEGIN && i % N < BEGIN + COUNT)
                y[i] -= 1;
            else
                assert_true(y[i] == 2);
        }
        assert_true(apple_product_error(&p, 2 * F32_UNIT, 0x1p-23, 3, BEGIN) <= 1);
        p.y = (yoke_matrix){0};
        apple_product_free(&p);
    }
    close_metal(&o);
}

/* What y held is not read, and what x holds goes through. */
static void nothing_is_lost_or_made_up_between_nan_and_infinity(void **state)
{
    (void)state;
    static const yoke_format weights[] = {YOKE_F32, YOKE_F16, YOKE_Q8_0};
    static const size_t heights[] = {2, 12};
    opened o = open_metal("metal");
    for (size_t i = 0; i < 6; i++) {
        apple_product p;
        apple_product_make(&p, weights[i % 3], YOKE_F32, YOKE_F32, heights[i / 3], 8, 32);
        memset(p.y.data, 0xff, p.y.rows * p.y.cols * sizeof(float));
        ((float *)p.x.data)[32 + 5] = INFINITY;
        assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
        for (size_t m = 0; m < p.y.rows; m++)
            for (size_t n = 0; n < p.y.cols; n++) {
                double value = apple_value(&p.y, m, n);
                assert_true(m == 1 ? !isfinite(value) : isfinite(value));
            }
        apple_product_free(&p);
    }
    close_metal(&o);
}

static void a_pinned_row_has_the_same_bits_alone_and_in_company(void **state)
{
    (void)state;
    enum { M = 33, N = 12, K = 64 };
    static const char *const engines[] = {"metal", "metal,kernels=0"};
    static const yoke_format weights[] = {YOKE_F32, YOKE_F16};
    const yoke_multiply_options pinned = {.pin_path = true};
    for (size_t i = 0; i < 4; i++) {
        opened o = open_metal(engines[i / 2]);
        apple_product all;
        apple_product_make(&all, weights[i % 2], YOKE_F32, YOKE_F32, M, N, K);
        assert_ok(apple_product_run(&all, o.engine, &pinned), &all.err);
        assert_true(apple_product_error(&all, F32_UNIT, F32_UNIT, 1, 0) <= 1);
        for (size_t m = 0; m < M; m++) {
            float row[N];
            apple_product one = all;
            one.x = yoke_matrix_rows(&all.x, m, 1);
            one.y = matrix_f32(row, 1, N);
            assert_ok(apple_product_run(&one, o.engine, &pinned), &one.err);
            assert_memory_equal(row, (float *)all.y.data + m * N, sizeof row);
        }
        apple_product_free(&all);
        close_metal(&o);
    }
}

/* But not by a product that may be given up. */
static void large_x_is_used_where_it_lies(void **state)
{
    (void)state;
    enum { M = 80, N = 3, K = 4096 };
    static const char *const switches[] = {"", "metal_refuses_pages", "", ""};
    static const volatile bool go_on = false;
    for (size_t i = 0; i < 4; i++) {
        const yoke_multiply_options options = {.deadline_ns = i == 2 ? 60000000000u : 0};
        standins_switch(switches[i]);
        opened o = open_metal("metal");
        yoke_engine_heed(o.engine, i == 3 ? &go_on : NULL);
        apple_product p;
        apple_product_make(&p, YOKE_F32, YOKE_F32, YOKE_F32, M, N, K);
        assert_ok(apple_product_run(&p, o.engine, &options), &p.err);
        assert_true(apple_product_error(&p, F32_UNIT, F32_UNIT, 1, 0) <= 1);
        assert_int_equal(p.timing.copied_bytes, (i ? M * K * 4 : 0) + M * N * 4);
        apple_product_free(&p);
        close_metal(&o);
    }
}

static void times_come_from_the_device(void **state)
{
    (void)state;
    bench b;
    yoke_timing timing = {0};
    bench_open(&b, "metal");
    assert_ok(bench_multiply(&b, NULL, &timing), &b.err);
    assert_int_equal(bench_wrong(&b), 0);
    assert_true(timing.device_clock && timing.device_end_ns > timing.device_begin_ns);
    assert_int_equal(timing.copied_bytes, sizeof b.x_data + sizeof b.y_data);
    bench_close(&b);
    assert_string_equal(standins_live(), "");
}

/* q8_0 rounded to f16 is off by half a unit of f16 in each element at most. */
static void kernels_that_do_not_build_leave_f16_and_say_so(void **state)
{
    (void)state;
    static const char *const switches[] = {"metal_library_fails", "metal_lanes=64"};
    for (size_t i = 0; i < 2; i++) {
        standins_switch(switches[i]);
        opened o = open_metal("metal");
        apple_product p;
        apple_product_make(&p, YOKE_Q8_0, YOKE_F32, YOKE_F32, 2, 40, 64);
        assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
        assert_int_equal(p.report.format, YOKE_F16);
        assert_non_null(strstr(p.report.layout, "did not build"));
        assert_string_equal(p.timing.path, "mps matrix");
        assert_true(apple_product_error(&p, 0x1p-12, F32_UNIT, 1, 0) <= 1);
        apple_product_free(&p);
        apple_product_make(&p, YOKE_BF16, YOKE_F32, YOKE_F32, 2, 40, 64);
        assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
        assert_int_equal(p.report.format, YOKE_F32);
        assert_true(apple_product_error(&p, F32_UNIT, F32_UNIT, 1, 0) <= 1);
        apple_product_free(&p);
        close_metal(&o);
    }
}

/* JuliaGPU/Metal.jl issue 309: compiled kernels gave zeros in a virtual machine. */
static void a_virtual_machine_is_named_and_runs_no_kernel_of_ours(void **state)
{
    (void)state;
    standins_switch("metal_virtual");
    opened o = open_metal("metal");
    assert_non_null(strstr(yoke_engine_describe(o.engine)->description, "virtual machine"));
    apple_product p;
    apple_product_make(&p, YOKE_F16, YOKE_F32, YOKE_F32, 1, 8, 32);
    assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
    assert_string_equal(p.timing.path, "mps matrix");
    apple_product_free(&p);
    close_metal(&o);
}

static void what_is_missing_is_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *switches, *specification, *words;
        yoke_status status;
    } bad[] = {
        {"metal_no_device", "metal", "MTLCreateSystemDefaultDevice", YOKE_ERR_UNSUPPORTED},
        {"mps_unsupported", "metal", "Metal Performance Shaders", YOKE_ERR_UNSUPPORTED},
        {"", "metal:1", "metal:1", YOKE_ERR_NOT_FOUND},
        {"", "metal,speed=9", "speed", YOKE_ERR_USAGE},
        {"", "metal,kernels=some", "kernels=some", YOKE_ERR_USAGE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        yoke_error err = {0};
        standins_switch(bad[i].switches);
        assert_int_equal(open_alone(bad[i].specification, &err), bad[i].status);
        assert_string_equal(standins_live(), "");
        assert_says(&err, bad[i].words);
    }
    standins_switch("");
}

/* huggingface/candle issue 3850, gfx-rs/wgpu issue 9545: zeros or stale results, and no error. */
static void a_command_buffer_that_fails_is_an_error_in_its_own_words(void **state)
{
    (void)state;
    static const struct {
        const char *switches, *words;
        bool lost;
    } faults[] = {{"metal_fails_at=2", "Caused GPU Timeout Error", false},
                  {"metal_lost_at=2", "Device Removed", true}};
    for (size_t i = 0; i < 2; i++)
        for (int how = YOKE_WAIT_BLOCK; how <= YOKE_WAIT_SLEEP_POLL; how++) {
            bench b;
            const yoke_multiply_options options = {.wait = (yoke_wait_how)how,
                                                   .deadline_ns = (uint64_t)how * 5000000000u};
            standins_switch(faults[i].switches);
            bench_open(&b, "metal");
            assert_ok(bench_multiply(&b, &options, NULL), &b.err);
            assert_int_equal(bench_multiply(&b, &options, NULL), YOKE_ERR_ENGINE);
            assert_says(&b.err, "engine metal: the command buffer");
            assert_says(&b.err, faults[i].words);
            assert_int_equal(bench_multiply(&b, &options, NULL),
                             faults[i].lost ? YOKE_ERR_ENGINE : YOKE_OK);
            bench_close(&b);
            assert_string_equal(standins_live(), "");
        }
    standins_switch("");
}

static void objects_that_are_not_made_are_named(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "metal");
    standins_switch("mps_fails");
    assert_int_equal(bench_multiply(&b, NULL, NULL), YOKE_ERR_ENGINE);
    assert_says(&b.err, "no left operand was made");
    standins_switch("metal_largest=64");
    bench_close(&b);
    opened o = open_metal("metal");
    apple_product p;
    apple_product_make(&p, YOKE_F32, YOKE_F32, YOKE_F32, 2, 4, 32);
    assert_int_equal(apple_product_run(&p, o.engine, NULL), YOKE_ERR_SHAPE);
    assert_says(&p.err, "largest buffer of 64 bytes");
    apple_product_free(&p);
    close_metal(&o);
}

static void a_product_that_never_ends_times_out_and_the_engine_is_lost(void **state)
{
    (void)state;
    for (int how = YOKE_WAIT_BLOCK; how <= YOKE_WAIT_SLEEP_POLL; how++) {
        bench b;
        const yoke_multiply_options options = {.wait = (yoke_wait_how)how, .deadline_ns = 2000000};
        standins_switch("metal_hangs_at=2");
        bench_open(&b, "metal");
        assert_ok(bench_multiply(&b, NULL, NULL), &b.err);
        assert_int_equal(bench_multiply(&b, &options, NULL), YOKE_ERR_TIMEOUT);
        assert_says(&b.err, "metal");
        assert_int_equal(bench_multiply(&b, NULL, NULL), YOKE_ERR_ENGINE);
        assert_says(&b.err, "lost");
        bench_close(&b);
        assert_string_equal(standins_live(), "");
    }
    standins_switch("");
}

static void a_raised_flag_ends_a_product_that_never_ends(void **state)
{
    (void)state;
    for (int how = YOKE_WAIT_BLOCK; how <= YOKE_WAIT_SLEEP_POLL; how++) {
        standins_switch("metal_hangs_at=2");
        bench_expect_stop("metal", (yoke_wait_how)how, "engine metal: wait: stopped on request");
        assert_string_equal(standins_live(), "");
    }
    standins_switch("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_multiplied_as_it_is_stored),
        cmocka_unit_test(odd_shapes_are_right),
        cmocka_unit_test(a_weight_that_is_widened_in_slabs_is_whole),
        cmocka_unit_test(a_window_scales_and_adds_and_leaves_the_rest_alone),
        cmocka_unit_test(nothing_is_lost_or_made_up_between_nan_and_infinity),
        cmocka_unit_test(a_pinned_row_has_the_same_bits_alone_and_in_company),
        cmocka_unit_test(large_x_is_used_where_it_lies),
        cmocka_unit_test(times_come_from_the_device),
        cmocka_unit_test(kernels_that_do_not_build_leave_f16_and_say_so),
        cmocka_unit_test(a_virtual_machine_is_named_and_runs_no_kernel_of_ours),
        cmocka_unit_test(what_is_missing_is_a_reason),
        cmocka_unit_test(a_command_buffer_that_fails_is_an_error_in_its_own_words),
        cmocka_unit_test(objects_that_are_not_made_are_named),
        cmocka_unit_test(a_product_that_never_ends_times_out_and_the_engine_is_lost),
        cmocka_unit_test(a_raised_flag_ends_a_product_that_never_ends),
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
