/* What becomes of drivers that lack something or fail: stand-ins for the OpenCL loader. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engines/opencl/api.h"
#include "unit/engines_bench.h"

/* The engine's specification with one of the stand-ins of STANDIN_FOLDER. */
#define STANDIN(name) "opencl,library=" STANDIN_FOLDER "/" name ".so"

static void what_a_driver_lacks_is_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *specification, *words;
    } lacking[] = {
        {"opencl,library=/nonexistent/libOpenCL.so", "/nonexistent/libOpenCL.so"},
        {STANDIN("no_platform"), "no driver is installed"},
        {STANDIN("no_device"), "no OpenCL platform has a device"},
        {STANDIN("no_compiler"), "no compiler for OpenCL C"},
    };
    for (size_t i = 0; i < sizeof lacking / sizeof lacking[0]; i++) {
        yoke_error err = {0};
        assert_int_equal(open_alone(lacking[i].specification, &err), YOKE_ERR_UNSUPPORTED);
        assert_says(&err, lacking[i].words);
    }
}

static void a_kernel_that_does_not_compile_is_reported_in_the_compilers_words(void **state)
{
    (void)state;
    yoke_error err = {0};
    assert_int_equal(open_alone(STANDIN("build_fails"), &err), YOKE_ERR_ENGINE);
    assert_says(&err, "clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)");
    assert_says(&err, "line 1: no such type");
}

static void bad_options_and_devices_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *options, *word;
        yoke_status status;
    } bad[] = {
        {",speed=9", "speed", YOKE_ERR_USAGE},
        {",units=few", "units=few", YOKE_ERR_USAGE},
        {",part=-1", "part=-1", YOKE_ERR_USAGE},
        {",memory=fast", "memory=fast", YOKE_ERR_USAGE},
        {",kernels=", "kernels=", YOKE_ERR_USAGE},
        {",compile_s=0", "compile_s=0", YOKE_ERR_USAGE},
        {",largest_buffer=1g", "largest_buffer=1g", YOKE_ERR_USAGE},
        {",memory=direct", "no CPU", YOKE_ERR_UNSUPPORTED},
        {",units=2", "CL_DEVICE_PARTITION_FAILED", YOKE_ERR_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char specification[512] = STANDIN("good");
        yoke_error err = {0};
        strcat(specification, bad[i].options);
        assert_int_equal(open_alone(specification, &err), bad[i].status);
        assert_says(&err, bad[i].word);
    }
    yoke_error err = {0};
    assert_int_equal(open_alone("opencl:1,library=" STANDIN_FOLDER "/good.so", &err),
                     YOKE_ERR_NOT_FOUND);
    assert_says(&err, "opencl:1");
    assert_int_equal(open_alone("opencl:gpu,library=" STANDIN_FOLDER "/good.so", &err),
                     YOKE_ERR_USAGE);
    assert_says(&err, "opencl:gpu");
}

static void times_come_from_the_device_and_copies_are_counted(void **state)
{
    (void)state;
    bench b;
    yoke_timing timing = {0};
    bench_open(&b, STANDIN("good"));
    assert_true(yoke_engine_describe(b.engine)->facts.copies);
    assert_ok(bench_multiply(&b, NULL, &timing), &b.err);
    assert_true(timing.device_clock);
    assert_int_equal(timing.device_end_ns - timing.device_begin_ns, 2000);
    assert_int_equal(timing.copied_bytes, sizeof b.x_data + sizeof b.y_data);
    assert_string_equal(timing.path, "opencl tiles");
    assert_true(timing.submit_ns <= timing.submitted_ns && timing.submitted_ns <= timing.done_ns);

    const yoke_multiply_options adding = {.scaled = true, .alpha = 1, .beta = 1};
    assert_ok(bench_multiply(&b, &adding, &timing), &b.err);
    assert_int_equal(timing.copied_bytes, sizeof b.x_data + 2 * sizeof b.y_data);
    bench_close(&b);
}

/* Whatever the way of waiting, the second product fails and says why, and the third works. */
static void check_second_product_fails(const char *specification, const char *words)
{
    for (int how = YOKE_WAIT_BLOCK; how <= YOKE_WAIT_SLEEP_POLL; how++)
        for (uint64_t deadline = 0; deadline < 2; deadline++) {
            bench b;
            const yoke_multiply_options options = {.wait = (yoke_wait_how)how,
                                                   .deadline_ns = deadline * 5000000000u};
            bench_open(&b, specification);
            assert_ok(bench_multiply(&b, &options, NULL), &b.err);
            assert_int_equal(bench_multiply(&b, &options, NULL), YOKE_ERR_ENGINE);
            assert_says(&b.err, words);
            assert_says(&b.err, "CL_OUT_OF_RESOURCES (-5)");
            assert_ok(bench_multiply(&b, &options, NULL), &b.err);
            bench_close(&b);
        }
}

static void a_product_that_is_refused_is_an_error(void **state)
{
    (void)state;
    check_second_product_fails(STANDIN("enqueue_fails"), "clEnqueueNDRangeKernel of multiply_tile");
}

/* huggingface/candle issue 3850, gfx-rs/wgpu issue 9545: zeros or stale results, and no error. */
static void a_product_that_fails_after_it_was_accepted_is_an_error(void **state)
{
    (void)state;
    check_second_product_fails(STANDIN("event_fails"), "failed after it was accepted");
}

static void a_product_that_never_ends_times_out_and_the_engine_is_lost(void **state)
{
    (void)state;
    for (int how = YOKE_WAIT_BLOCK; how <= YOKE_WAIT_SLEEP_POLL; how++) {
        bench b;
        const yoke_multiply_options options = {.wait = (yoke_wait_how)how, .deadline_ns = 2000000};
        bench_open(&b, STANDIN("never_ends"));
        assert_ok(bench_multiply(&b, NULL, NULL), &b.err);
        assert_int_equal(bench_multiply(&b, &options, NULL), YOKE_ERR_TIMEOUT);
        assert_says(&b.err, "opencl:0");
        assert_int_equal(bench_multiply(&b, NULL, NULL), YOKE_ERR_ENGINE);
        assert_says(&b.err, "lost");
        bench_close(&b);
    }
}

static void a_raised_flag_ends_a_product_that_never_ends(void **state)
{
    (void)state;
    for (int how = YOKE_WAIT_BLOCK; how <= YOKE_WAIT_SLEEP_POLL; how++)
        bench_expect_stop(STANDIN("never_ends"), (yoke_wait_how)how,
                          "engine opencl:0: the product: stopped on request");
}

static void prepare_ends(const char *specification, const volatile bool *stop, yoke_status status,
                         const char *words)
{
    float data[BENCH_N * BENCH_K] = {1};
    const yoke_matrix w = matrix_f32(data, BENCH_N, BENCH_K);
    yoke_context *context;
    yoke_engine *engine;
    yoke_weight *weight;
    yoke_error err = {0};
    assert_ok(yoke_context_create(NULL, &context, &err), &err);
    assert_ok(yoke_engine_open(context, specification, &engine, &err), &err);
    yoke_engine_heed(engine, stop);
    assert_int_equal(yoke_weight_prepare(engine, &w, &weight, NULL, &err), status);
    assert_says(&err, words);
    assert_int_equal(yoke_weight_prepare(engine, &w, &weight, NULL, &err), YOKE_ERR_ENGINE);
    assert_says(&err, "lost");
    yoke_engine_free(engine);
    yoke_context_free(context);
}

/* The one by which kernels are compiled. */
static void a_first_product_that_never_ends_is_given_up_and_the_engine_is_lost(void **state)
{
    (void)state;
    static const volatile bool stop = true;
    prepare_ends(STANDIN("hangs") ",compile_s=1", NULL, YOKE_ERR_TIMEOUT,
                 "engine opencl:0: the product: did not end before its deadline");
    prepare_ends(STANDIN("hangs"), &stop, YOKE_ERR_INTERRUPTED, "stopped on request");
}

static void an_upload_that_never_ends_is_given_up_and_the_engine_is_lost(void **state)
{
    (void)state;
    static const volatile bool stop = true;
    prepare_ends(STANDIN("upload_hangs") ",memory=copy,compile_s=1", NULL, YOKE_ERR_TIMEOUT,
                 "engine opencl:0: clEnqueueWriteBuffer: did not end before its deadline");
    prepare_ends(STANDIN("upload_hangs") ",memory=map", &stop, YOKE_ERR_INTERRUPTED,
                 "engine opencl:0: clEnqueueMapBuffer: stopped on request");
}

static void a_raised_flag_ends_a_limit_that_is_never_reached(void **state)
{
    (void)state;
    static const volatile bool stop = true;
    static const char bytes[64] __attribute__((aligned(16)));
    for (int limit = YOKE_LIMIT_READ; limit <= YOKE_LIMIT_COMPUTE; limit++) {
        const yoke_limit_request request = {.size = sizeof request,
                                            .limit = (yoke_limit)limit,
                                            .bytes = bytes,
                                            .byte_count = sizeof bytes,
                                            .duration_ns = 1000};
        yoke_context *context;
        yoke_engine *engine;
        yoke_error err = {0};
        double per_second;
        assert_ok(yoke_context_create(NULL, &context, &err), &err);
        assert_ok(yoke_engine_open(context, STANDIN("hangs"), &engine, &err), &err);
        yoke_engine_heed(engine, &stop);
        assert_int_equal(yoke_engine_limit(engine, &request, &per_second, &err),
                         YOKE_ERR_INTERRUPTED);
        assert_int_equal(yoke_engine_limit(engine, &request, &per_second, &err), YOKE_ERR_ENGINE);
        assert_says(&err, "lost");
        yoke_engine_free(engine);
        yoke_context_free(context);
    }
}

/* Calls a function of a stand-in that is loaded. */
static size_t ask(const char *library, const char *function)
{
    size_t (*call)(void);
    void *driver = dlopen(library, RTLD_NOW);
    assert_non_null(driver);
    void *symbol = dlsym(driver, function);
    assert_non_null(symbol);
    memcpy(&call, &symbol, sizeof call);
    const size_t answer = call();
    dlclose(driver);
    return answer;
}

/* Whole pages without gaps, which are used in place when there is no deadline and no flag. */
static void a_product_that_was_given_up_no_longer_touches_x_and_y(void **state)
{
    (void)state;
    enum { BYTES = 65536, K = BENCH_K, M = BYTES / (K * sizeof(float)), N = BENCH_N };
    static const char *const memories[] = {",memory=copy", ",memory=map"};
    for (size_t i = 0; i < 4; i++) {
        char specification[512] = STANDIN("never_ends");
        const bool timed = i % 2 == 0;
        const yoke_multiply_options options = {
            .deadline_ns = timed ? 2000000 : 0, .scaled = true, .alpha = 1, .beta = 1};
        volatile bool stop = false;
        bench b;
        float *x_data = aligned_alloc(BYTES, BYTES), *y_data = aligned_alloc(BYTES, BYTES);
        assert_true(x_data && y_data);
        bench_open(&b, strcat(specification, memories[i / 2]));
        yoke_engine_heed(b.engine, timed ? NULL : &stop);
        b.x = matrix_f32(x_data, M, K);
        b.y = matrix_f32(y_data, M, N);
        memset(x_data, 1, BYTES);
        memset(y_data, 2, BYTES);
        assert_ok(bench_multiply(&b, &options, NULL), &b.err);
        memset(y_data, 2, BYTES);
        stop = true;
        assert_int_equal(bench_multiply(&b, &options, NULL),
                         timed ? YOKE_ERR_TIMEOUT : YOKE_ERR_INTERRUPTED);
        assert_true(ask(STANDIN_FOLDER "/never_ends.so", "standin_end_late") > 0);
        for (size_t at = 0; at < BYTES; at++) {
            assert_int_equal(((char *)x_data)[at], 1);
            assert_int_equal(((char *)y_data)[at], 2);
        }
        bench_close(&b);
        free(x_data);
        free(y_data);
    }
}

/* How often a part of a device is released when its engine is closed, and how often too early. */
static void close_engine_of_a_part(const char *specification, const char *library, size_t *released,
                                   size_t *early)
{
    bench b;
    void *driver = dlopen(library, RTLD_NOW); /* stays when the engine is closed */
    assert_non_null(driver);
    bench_open(&b, specification);
    assert_ok(bench_multiply(&b, NULL, NULL), &b.err);
    bench_close(&b);
    *released = ask(library, "standin_released");
    *early = ask(library, "standin_released_early");
    dlclose(driver);
}

/* PoCL 3.1 reads the memory of a part when it lets go of the part's last command. */
static void a_part_of_a_device_is_released_when_the_driver_has_let_go_of_it(void **state)
{
    (void)state;
    size_t released, early;
    close_engine_of_a_part(STANDIN("lets_go_late") ",units=8", STANDIN_FOLDER "/lets_go_late.so",
                           &released, &early);
    assert_int_equal(released, 1);
    assert_int_equal(early, 0);
    close_engine_of_a_part(STANDIN("never_lets_go") ",units=8", STANDIN_FOLDER "/never_lets_go.so",
                           &released, &early);
    assert_int_equal(released, 0);
}

static void what_exceeds_the_largest_buffer_is_said(void **state)
{
    (void)state;
    static float values[64 * 1024];
    bench b;
    bench_open(&b, STANDIN("little_memory"));
    const yoke_matrix wide = matrix_f32(values, 16, 1024), tall = matrix_f32(values, 2048, BENCH_K);
    yoke_weight *weight;
    assert_int_equal(yoke_weight_prepare(b.engine, &wide, &weight, NULL, &b.err), YOKE_ERR_SHAPE);
    assert_says(&b.err, "65536 bytes");
    yoke_matrix y = matrix_f32(values, 2048, BENCH_N);
    assert_int_equal(yoke_weight_multiply(b.weight, &tall, &y, NULL, NULL, &b.err),
                     YOKE_ERR_UNSUPPORTED);
    assert_says(&b.err, "x of 262144 bytes");
    bench_close(&b);
}

/* The values are those of the OpenCL 1.2 specification: the ends of both runs, and some between. */
static void codes_have_their_names(void **state)
{
    (void)state;
    assert_string_equal(api_error_name(0), "CL_SUCCESS");
    assert_string_equal(api_error_name(-5), "CL_OUT_OF_RESOURCES");
    assert_string_equal(api_error_name(-14), "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST");
    assert_string_equal(api_error_name(-19), "CL_KERNEL_ARG_INFO_NOT_AVAILABLE");
    assert_string_equal(api_error_name(-20), "OpenCL error");
    assert_string_equal(api_error_name(-30), "CL_INVALID_VALUE");
    assert_string_equal(api_error_name(-54), "CL_INVALID_WORK_GROUP_SIZE");
    assert_string_equal(api_error_name(-61), "CL_INVALID_BUFFER_SIZE");
    assert_string_equal(api_error_name(-68), "CL_INVALID_DEVICE_PARTITION_COUNT");
    assert_string_equal(api_error_name(-69), "OpenCL error");
    assert_string_equal(api_error_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
    assert_string_equal(api_error_name(7), "OpenCL error");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_driver_lacks_is_a_reason),
        cmocka_unit_test(a_kernel_that_does_not_compile_is_reported_in_the_compilers_words),
        cmocka_unit_test(bad_options_and_devices_are_named),
        cmocka_unit_test(times_come_from_the_device_and_copies_are_counted),
        cmocka_unit_test(a_product_that_is_refused_is_an_error),
        cmocka_unit_test(a_product_that_fails_after_it_was_accepted_is_an_error),
        cmocka_unit_test(a_product_that_never_ends_times_out_and_the_engine_is_lost),
        cmocka_unit_test(a_raised_flag_ends_a_product_that_never_ends),
        cmocka_unit_test(a_first_product_that_never_ends_is_given_up_and_the_engine_is_lost),
        cmocka_unit_test(an_upload_that_never_ends_is_given_up_and_the_engine_is_lost),
        cmocka_unit_test(a_raised_flag_ends_a_limit_that_is_never_reached),
        cmocka_unit_test(a_product_that_was_given_up_no_longer_touches_x_and_y),
        cmocka_unit_test(a_part_of_a_device_is_released_when_the_driver_has_let_go_of_it),
        cmocka_unit_test(what_exceeds_the_largest_buffer_is_said),
        cmocka_unit_test(codes_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
