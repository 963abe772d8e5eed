/* The Neural Engine's products over the stand-ins, by the public API: every form of weight, every
 * way of cutting one, against plain sums in double precision. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "standin/apple/standins.h"
#include "unit/engines_apple_product.h"

/* x and each product are rounded to f16, and so is a sum. */
#define RELATIVE 0x1p-10
#define F16_UNIT 0x1p-11

#define HELPER ",helper=" YOKE_ANE_COMPILE

typedef struct opened {
    yoke_context *context;
    yoke_engine *engine;
} opened;

static void open_ane(opened *o, const char *options)
{
    char specification[512];
    yoke_error err = {0};
    snprintf(specification, sizeof specification, "ane" HELPER "%s", options);
    assert_ok(yoke_context_create(NULL, &o->context, &err), &err);
    assert_ok(yoke_engine_open(o->context, specification, &o->engine, &err), &err);
}

static void close_ane(opened *o)
{
    yoke_engine_free(o->engine);
    yoke_context_free(o->context);
    assert_string_equal(standins_live(), "");
}

/* |error| within a few roundings to f16 of the sum of magnitudes. */
static void assert_near(const apple_product *p, double alpha, size_t n_begin)
{
    float *x = apple_floats(&p->x), *w = apple_floats(&p->w);
    for (size_t m = 0; m < p->y.rows; m++)
        for (size_t n = 0; n < p->y.cols; n++) {
            double sum = 0, magnitude = 0;
            for (size_t k = 0; k < p->x.cols; k++) {
                double term =
                    (double)x[m * p->x.cols + k] * (double)w[(n_begin + n) * p->w.cols + k];
                sum += term;
                magnitude += fabs(term);
            }
            double error = fabs(apple_value(&p->y, m, n) - alpha * sum);
            if (!(error <= fabs(alpha) * (3 * F16_UNIT * magnitude + F16_UNIT * fabs(sum))))
                fail_msg("y[%zu][%zu] is %g, not %g", m, n, apple_value(&p->y, m, n), alpha * sum);
        }
    free(x);
    free(w);
}

/* One product of that shape and format of w, with the engine opened so. */
static void multiply(const char *options, yoke_format w, size_t m, size_t n, size_t k)
{
    opened o;
    apple_product p;
    open_ane(&o, options);
    apple_product_make(&p, w, YOKE_F32, YOKE_F32, m, n, k);
    assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
    assert_near(&p, 1, 0);
    assert_true(p.timing.device_end_ns >= p.timing.device_begin_ns);
    apple_product_free(&p);
    close_ane(&o);
}

static void shapes_that_are_no_multiples_of_32_are_padded(void **state)
{
    (void)state;
    const size_t shapes[][3] = {{1, 1, 1},     {1, 64, 33},     {3, 40, 31}, {64, 64, 64},
                                {65, 33, 120}, {130, 100, 257}, {2, 7, 32}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        multiply("", YOKE_F16, shapes[i][0], shapes[i][1], shapes[i][2]);
}

static void int8_weights_are_multiplied_as_stored(void **state)
{
    (void)state;
    multiply("", YOKE_INT8, 5, 70, 96);
    multiply("", YOKE_INT8, 5, 70, 50);
}

static void palettes_are_multiplied_as_stored(void **state)
{
    (void)state;
    const yoke_format formats[] = {YOKE_LUT1, YOKE_LUT2, YOKE_LUT3, YOKE_LUT4,
                                   YOKE_LUT6, YOKE_LUT8, YOKE_INT4};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        multiply("", formats[i], 4, 72, 64);
        multiply("", formats[i], 4, 64, 40);
    }
}

static void one_palette_for_all_rows_is_multiplied_as_stored(void **state)
{
    (void)state;
    opened o;
    apple_product p;
    open_ane(&o, "");
    apple_product_make(&p, YOKE_LUT4, YOKE_F16, YOKE_F32, 3, 48, 64);
    p.w.table_rows = 0;
    assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
    assert_near(&p, 1, 0);
    apple_product_free(&p);
    close_ane(&o);
}

static void large_weights_are_cut_along_both_axes(void **state)
{
    (void)state;
    multiply(",axis=64", YOKE_F16, 3, 200, 150);         /* parts of one program */
    multiply(",axis=64,parts=1", YOKE_F16, 3, 200, 150); /* a program each */
    multiply(",axis=128,parts=2", YOKE_LUT6, 70, 600, 300);
    multiply(",axis=64,parts=3", YOKE_INT8, 1, 500, 64);
}

static void programs_for_several_numbers_of_rows_share_a_weight(void **state)
{
    (void)state;
    const size_t rows[] = {1, 32, 33, 96, 97, 200};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        multiply(",rows=32/96", YOKE_F16, rows[i], 64, 64);
}

static void weights_on_a_surface_are_multiplied(void **state)
{
    (void)state;
    multiply(",weights=surface", YOKE_F16, 1, 64, 64);
    multiply(",weights=surface", YOKE_F16, 70, 100, 50);
    multiply(",weights=surface,axis=64", YOKE_F16, 40, 150, 200);
}

static void a_window_of_the_outputs_is_computed_with_alpha_and_beta(void **state)
{
    (void)state;
    opened o;
    apple_product p;
    open_ane(&o, ",axis=64,parts=2");
    apple_product_make(&p, YOKE_F16, YOKE_F16, YOKE_F32, 5, 320, 64);
    p.y.stride = 320;
    p.y.cols = 96;
    const yoke_multiply_options options = {
        .scaled = true, .alpha = -2, .n_begin = 96, .n_count = 96};
    assert_ok(apple_product_run(&p, o.engine, &options), &p.err);
    assert_near(&p, -2, 96);
    const float before = (float)apple_value(&p.y, 4, 95);
    yoke_multiply_options again = options;
    again.beta = 1;
    assert_ok(apple_product_run(&p, o.engine, &again), &p.err);
    assert_true(fabs(apple_value(&p.y, 4, 95) - 2 * (double)before) <= 1e-6);
    apple_product_free(&p);
    close_ane(&o);
}

/* Sums beyond 2^15, and elements beyond the range of f16, which alone would give infinity. */
static void rows_are_scaled_so_that_no_sum_saturates(void **state)
{
    (void)state;
    opened o;
    apple_product p;
    open_ane(&o, "");
    apple_product_make(&p, YOKE_F16, YOKE_F32, YOKE_F32, 4, 33, 66);
    float *x = p.x.data;
    const float sizes[] = {1000, 1e9f, 1e-9f, 1};
    for (size_t row = 0; row < 4; row++)
        for (size_t i = 0; i < 66; i++)
            x[row * 66 + i] = sizes[row];
    for (size_t i = 0; i < (size_t)33 * 66; i++)
        ((uint16_t *)p.w.data)[i] = 0x3c00; /* 1 */
    assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
    for (size_t row = 0; row < 4; row++)
        assert_true(fabs(apple_value(&p.y, row, 32) / (66 * (double)sizes[row]) - 1) < RELATIVE);
    apple_product_free(&p);
    close_ane(&o);
}

static void without_the_guard_sums_beyond_32768_are_named_saturation(void **state)
{
    (void)state;
    opened o;
    open_ane(&o, ",guard=0");
    assert_true(yoke_engine_describe(o.engine)->facts.saturation == 32768);
    close_ane(&o);
    open_ane(&o, "");
    assert_true(yoke_engine_describe(o.engine)->facts.saturation == 0);
    close_ane(&o);
}

static void nan_goes_through_and_infinity_is_refused(void **state)
{
    (void)state;
    opened o;
    apple_product p;
    open_ane(&o, "");
    apple_product_make(&p, YOKE_F16, YOKE_F32, YOKE_F32, 2, 40, 64);
    ((float *)p.x.data)[64 + 5] = NAN;
    assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
    assert_true(isfinite(apple_value(&p.y, 0, 39)));
    assert_true(isnan(apple_value(&p.y, 1, 0)) && isnan(apple_value(&p.y, 1, 39)));
    ((float *)p.x.data)[64 + 5] = INFINITY;
    assert_int_equal(apple_product_run(&p, o.engine, NULL), YOKE_ERR_UNSUPPORTED);
    assert_says(&p.err, "row 1 of x holds infinity");
    apple_product_free(&p);
    close_ane(&o);
}

static void weights_that_f16_does_not_hold_are_rounded_only_on_request(void **state)
{
    (void)state;
    opened o;
    apple_product p;
    open_ane(&o, "");
    apple_product_make(&p, YOKE_F32, YOKE_F32, YOKE_F32, 2, 40, 64);
    assert_int_equal(apple_product_run(&p, o.engine, NULL), YOKE_ERR_UNSUPPORTED);
    assert_says(&p.err, "round=1");
    close_ane(&o);
    open_ane(&o, ",round=1");
    assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
    assert_near(&p, 1, 0);
    assert_int_equal(p.report.format, YOKE_F16);
    apple_product_free(&p);
    close_ane(&o);
}

/* What the compiler takes stays as it is stored; what it refuses is given to it as f16. */
static void weights_keep_their_bytes_where_the_compiler_takes_them(void **state)
{
    (void)state;
    opened o;
    apple_product p;
    open_ane(&o, "");
    apple_product_make(&p, YOKE_INT8, YOKE_F32, YOKE_F32, 1, 64, 64);
    assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
    assert_int_equal(p.report.format, YOKE_INT8);
    assert_true(p.report.prepared_bytes < 2 * 64 * 64);
    apple_product_free(&p);
    apple_product_make(&p, YOKE_LUT4, YOKE_F32, YOKE_F32, 1, 64, 64);
    p.w.table_rows = 0;
    assert_ok(apple_product_run(&p, o.engine, NULL), &p.err);
    assert_int_equal(p.report.format, YOKE_LUT4);
    assert_true(p.report.prepared_bytes < 64 * 64);
    apple_product_free(&p);
    close_ane(&o);
}

static void the_arithmetics_limit_is_that_of_a_chain_whose_result_is_right(void **state)
{
    (void)state;
    const char *const depths[] = {",depth=1", ",depth=2"};
    for (size_t i = 0; i < 2; i++) {
        opened o;
        yoke_error err = {0};
        double per_second = 0;
        open_ane(&o, depths[i]);
        yoke_limit_request request = {.size = sizeof request,
                                      .limit = YOKE_LIMIT_COMPUTE,
                                      .format = YOKE_F16,
                                      .x_format = YOKE_F16,
                                      .duration_ns = 1};
        assert_ok(yoke_engine_limit(o.engine, &request, &per_second, &err), &err);
        assert_true(per_second > 0);
        close_ane(&o);
    }
}

static void a_chain_that_gives_another_result_has_no_limit(void **state)
{
    (void)state;
    opened o;
    yoke_error err = {0};
    double per_second = 0;
    open_ane(&o, ",depth=2");
    const yoke_limit_request request = {
        .size = sizeof request, .limit = YOKE_LIMIT_COMPUTE, .duration_ns = 1};
    standins_switch("evaluate_gives_zeros");
    assert_int_equal(yoke_engine_limit(o.engine, &request, &per_second, &err), YOKE_ERR_ENGINE);
    assert_says(&err, "wrong result");
    standins_switch("");
    close_ane(&o);
}

typedef struct caller {
    pthread_t thread;
    yoke_weight *weight;
    apple_product *product;
    yoke_matrix y;
    yoke_status status;
} caller;

static void *call(void *arg)
{
    caller *c = arg;
    for (int i = 0; i < 5 && c->status == YOKE_OK; i++)
        c->status = yoke_weight_multiply(c->weight, &c->product->x, &c->y, NULL, NULL, NULL);
    return NULL;
}

static void several_threads_share_a_weight(void **state)
{
    (void)state;
    opened o;
    apple_product p;
    caller callers[4] = {{.status = YOKE_OK}};
    yoke_weight *weight;
    open_ane(&o, "");
    apple_product_make(&p, YOKE_F16, YOKE_F32, YOKE_F32, 3, 40, 32);
    assert_ok(yoke_weight_prepare(o.engine, &p.w, &weight, NULL, &p.err), &p.err);
    assert_ok(yoke_weight_multiply(weight, &p.x, &p.y, NULL, NULL, &p.err), &p.err);
    for (size_t i = 0; i < 4; i++) {
        callers[i].weight = weight;
        callers[i].product = &p;
        assert_ok(yoke_matrix_create(YOKE_F32, 3, 40, &callers[i].y, &p.err), &p.err);
        assert_int_equal(pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        pthread_join(callers[i].thread, NULL);
        assert_int_equal(callers[i].status, YOKE_OK);
        assert_memory_equal(callers[i].y.data, p.y.data, sizeof(float) * 3 * 40);
        yoke_matrix_free(&callers[i].y);
    }
    yoke_weight_free(weight);
    apple_product_free(&p);
    close_ane(&o);
}

static void bad_options_are_named(void **state)
{
    (void)state;
    const char *const bad[] = {"ane,rows=33",       "ane,rows=64/32", "ane,rows=",   "ane,axis=10",
                               "ane,weights=paper", "ane,guard=2",    "ane,parts=0", "ane,speed=9"};
    yoke_context *context;
    yoke_error err = {0};
    assert_ok(yoke_context_create(NULL, &context, &err), &err);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        yoke_engine *engine;
        assert_int_equal(yoke_engine_open(context, bad[i], &engine, &err), YOKE_ERR_USAGE);
        char key[16];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(bad[i] + 4, "="), bad[i] + 4);
        assert_says(&err, key);
    }
    yoke_context_free(context);
}

int main(void)
{
    standins_use();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_that_are_no_multiples_of_32_are_padded),
        cmocka_unit_test(int8_weights_are_multiplied_as_stored),
        cmocka_unit_test(palettes_are_multiplied_as_stored),
        cmocka_unit_test(one_palette_for_all_rows_is_multiplied_as_stored),
        cmocka_unit_test(large_weights_are_cut_along_both_axes),
        cmocka_unit_test(programs_for_several_numbers_of_rows_share_a_weight),
        cmocka_unit_test(weights_on_a_surface_are_multiplied),
        cmocka_unit_test(a_window_of_the_outputs_is_computed_with_alpha_and_beta),
        cmocka_unit_test(rows_are_scaled_so_that_no_sum_saturates),
        cmocka_unit_test(without_the_guard_sums_beyond_32768_are_named_saturation),
        cmocka_unit_test(nan_goes_through_and_infinity_is_refused),
        cmocka_unit_test(weights_that_f16_does_not_hold_are_rounded_only_on_request),
        cmocka_unit_test(weights_keep_their_bytes_where_the_compiler_takes_them),
        cmocka_unit_test(the_arithmetics_limit_is_that_of_a_chain_whose_result_is_right),
        cmocka_unit_test(a_chain_that_gives_another_result_has_no_limit),
        cmocka_unit_test(several_threads_share_a_weight),
        cmocka_unit_test(bad_options_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
