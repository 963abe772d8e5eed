#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "split/layout.h"
#include "split/verify.h"
#include "unit/split_bench.h"

/* Two engines of one kind: one core's worth each, the first on the calling thread. */
#define CPU_CALLER  "cpu,threads=1"
#define CPU_WORKER  "cpu,threads=1,caller=0"
#define NO_JOIN     .join_ns = -1, .noise = -1
#define ALONG(AXIS) .solve = {.axis = YOKE_AXIS_##AXIS, NO_JOIN}

/* ---- Allocations, counted where the linker can put us in between ---- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
static size_t allocations;

#ifdef COUNT_ALLOCATIONS
void *__wrap_malloc(size_t bytes)
{
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    return __real_calloc(count, bytes);
}
#endif

/* ---- Every row once, and the same bits ---- */

/* The whole product by one engine that has it for itself. */
static void multiply_unsplit(bench *b, const char *specification, yoke_matrix *y)
{
    yoke_engine *engine;
    yoke_weight *weight;
    const yoke_multiply_options options = {.pin_path = true};
    assert_ok(yoke_matrix_create(YOKE_F32, b->x.rows, b->w.rows, y, &b->err), &b->err);
    assert_ok(yoke_engine_open(b->context, specification, &engine, &b->err), &b->err);
    assert_ok(yoke_weight_prepare(engine, &b->w, &weight, NULL, &b->err), &b->err);
    assert_ok(yoke_weight_multiply(weight, &b->x, y, &options, NULL, &b->err), &b->err);
    yoke_weight_free(weight);
    yoke_engine_free(engine);
}

/* 0.62 : 0.38, as in the report of a split that dropped the remainder. */
static void bits_are_those_of_one_engine(size_t m, size_t n, yoke_plan_options options)
{
    bench b;
    yoke_matrix unsplit;
    bench_open(&b, (bench_engine[]){{CPU_CALLER, 38}, {CPU_WORKER, 62}}, 2, n, 48);
    bench_plan(&b, &options);
    bench_operands(&b, m);
    multiply_unsplit(&b, CPU_CALLER, &unsplit);
    assert_ok(bench_multiply(&b, &(yoke_matmul_options){.pin_path = true}), &b.err);
    assert_int_equal(b.run.part_count, 2);
    bench_parts_cover(&b, options.solve.axis == YOKE_AXIS_M ? m : n);
    assert_memory_equal(b.y.data, unsplit.data, m * n * sizeof(float));
    yoke_matrix_free(&unsplit);
    bench_close(&b);
}

static void rows_257_split_unevenly_are_bit_equal_to_unsplit(void **state)
{
    (void)state;
    bits_are_those_of_one_engine(257, 64, (yoke_plan_options){.m = 257, ALONG(M)});
}

static void outputs_257_split_unevenly_are_bit_equal_to_unsplit(void **state)
{
    (void)state;
    bits_are_those_of_one_engine(5, 257, (yoke_plan_options){.m = 5, ALONG(N)});
    bits_are_those_of_one_engine(1, 257, (yoke_plan_options){.m = 1, ALONG(N)});
}

static const bench_engine three[] = {
    {"fake,max_k=1000", 30}, {"fake,max_k=1001", 20}, {"fake", 10}};

static void one_row_over_three_engines_is_computed_once(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, three, 3, 64, 32);
    bench_plan(&b, &(yoke_plan_options){.m = 256, ALONG(M)});
    bench_multiply_right(&b, 1);
    assert_int_equal(b.run.part_count, 1);
    bench_parts_cover(&b, 1);
    bench_close(&b);
    bench_open(&b, three, 3, 1, 32);
    bench_plan(&b, &(yoke_plan_options){.m = 3, ALONG(N)});
    bench_multiply_right(&b, 3);
    assert_int_equal(b.run.part_count, 1);
    bench_parts_cover(&b, 1);
    bench_close(&b);
}

static void every_row_is_there_for_any_m_along_both_axes(void **state)
{
    (void)state;
    const yoke_plan_options options[] = {{.m = 300, ALONG(M)}, {.m = 1, ALONG(N)}, {.m = 100}};
    for (int o = 0; o < 3; o++) {
        bench b;
        bench_open(&b, three, 3, 53, 16);
        bench_plan(&b, &options[o]);
        for (size_t m = 0; m <= 300; m += m < 6 ? 1 : m < 64 ? 13 : 37) {
            bench_multiply_right(&b, m);
            if (m > 0)
                bench_parts_cover(&b, b.run.axis == YOKE_AXIS_M ? m : 53);
        }
        bench_close(&b);
    }
}

/* 72 rows are 64 and 8; 71 of them would be 71 and 0 by scaling and rounding to granules. */
static void no_window_of_rows_exceeds_what_an_engine_takes(void **state)
{
    (void)state;
    bench b;
    const bench_engine engines[] = {{"fake,granule_m=8", 100000}, {"fake,granule_m=8,max_m=64", 1}};
    bench_open(&b, engines, 2, 16, 16);
    bench_plan(&b, &(yoke_plan_options){.m = 72, ALONG(M)});
    for (size_t m = 65; m <= 72; m++) {
        bench_multiply_right(&b, m);
        bench_parts_cover(&b, m);
        assert_int_equal(b.run.quarantined, 0);
    }
    bench_multiply_right(&b, 66);
    assert_int_equal(b.run.quarantined, 0);
    bench_close(&b);
}

static void buckets_hold_every_m_and_rise(void **state)
{
    (void)state;
    size_t last = 0;
    for (size_t m = 1; m < 100000; m += m < 3000 ? 1 : 97) {
        size_t bucket = layout_bucket(m), top = layout_bucket_top(bucket);
        assert_true(top >= m && bucket >= last && layout_bucket(top) == bucket);
        assert_true(top <= m + m / 8);
        last = bucket;
    }
    assert_true(layout_bucket(SIZE_MAX) < LAYOUT_BUCKETS);
}

/* ---- Results land in the caller's y ---- */

static void rows_with_gaps_are_read_and_written_in_place(void **state)
{
    (void)state;
    bench b;
    float x[5 * 40], y[5 * 70];
    bench_open(&b, three, 3, 53, 32);
    bench_plan(&b, &(yoke_plan_options){.m = 5, ALONG(N)});
    bench_operands(&b, 5);
    for (size_t i = 0; i < 5; i++)
        memcpy(x + 40 * i, (float *)b.x.data + 32 * i, 32 * sizeof *x);
    for (size_t i = 0; i < 5 * 70; i++)
        y[i] = 77;
    const yoke_matrix wide_x = {.format = YOKE_F32, .rows = 5, .cols = 32, .stride = 40, .data = x};
    yoke_matrix wide_y = {.format = YOKE_F32, .rows = 5, .cols = 53, .stride = 70, .data = y};
    assert_ok(yoke_matmul(b.plan, &wide_x, &wide_y, NULL, NULL, &b.err), &b.err);
    for (size_t i = 0; i < 5; i++) {
        assert_memory_equal(y + 70 * i, (float *)b.right.data + 53 * i, 53 * sizeof *y);
        for (size_t j = 53; j < 70; j++)
            assert_true(y[70 * i + j] == 77);
    }
    bench_close(&b);
}

static void half_precision_x_and_y_are_taken(void **state)
{
    (void)state;
    bench b;
    yoke_matrix x, y, right;
    bench_open(&b, three, 3, 53, 32);
    bench_plan(&b, NULL);
    bench_operands(&b, 4);
    assert_ok(yoke_matrix_create(YOKE_F16, 4, 32, &x, &b.err), &b.err);
    assert_ok(yoke_matrix_create(YOKE_BF16, 4, 53, &y, &b.err), &b.err);
    assert_ok(yoke_matrix_create(YOKE_BF16, 4, 53, &right, &b.err), &b.err);
    assert_ok(yoke_matrix_convert(&b.x, &x, &b.err), &b.err);
    assert_ok(yoke_matrix_product(1, &x, &b.w, 0, &right, &b.err), &b.err);
    assert_ok(yoke_matmul(b.plan, &x, &y, NULL, NULL, &b.err), &b.err);
    assert_memory_equal(y.data, right.data, 4 * 53 * 2);
    yoke_matrix_free(&x);
    yoke_matrix_free(&y);
    yoke_matrix_free(&right);
    bench_close(&b);
}

static void alpha_and_beta_scale_and_beta_zero_reads_nothing(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, three, 3, 53, 32);
    bench_plan(&b, &(yoke_plan_options){.m = 4, ALONG(N)});
    bench_operands(&b, 4); /* y is NaN */
    float *y = b.y.data;
    const float *unscaled = b.right.data;
    assert_ok(bench_multiply(&b, &(yoke_matmul_options){.scaled = true, .alpha = 2}), &b.err);
    for (size_t i = 0; i < 4 * 53; i++)
        assert_true(y[i] == 2 * unscaled[i]);
    assert_ok(bench_multiply(&b, &(yoke_matmul_options){.scaled = true, .beta = 0.5f}), &b.err);
    for (size_t i = 0; i < 4 * 53; i++)
        assert_true(y[i] == unscaled[i]);
    bench_close(&b);
}

static void what_does_not_fit_is_refused_and_no_engine_blamed(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, three, 3, 53, 32);
    bench_plan(&b, NULL);
    bench_operands(&b, 4);
    yoke_matrix x = b.x, y = b.y;
    x.cols = 31;
    assert_int_equal(yoke_matmul(b.plan, &x, &y, NULL, NULL, &b.err), YOKE_ERR_SHAPE);
    assert_says(&b.err, "x has 31 columns, w has 32");
    y.rows = 3;
    assert_int_equal(yoke_matmul(b.plan, &b.x, &y, NULL, NULL, &b.err), YOKE_ERR_SHAPE);
    y = b.y;
    y.cols = 52;
    assert_int_equal(yoke_matmul(b.plan, &b.x, &y, NULL, NULL, &b.err), YOKE_ERR_SHAPE);
    y = b.y;
    y.format = YOKE_I32;
    assert_int_equal(yoke_matmul(b.plan, &b.x, &y, NULL, NULL, &b.err), YOKE_ERR_UNSUPPORTED);
    assert_int_equal(yoke_matmul(NULL, &b.x, &b.y, NULL, NULL, &b.err), YOKE_ERR_USAGE);
    bench_multiply_right(&b, 4);
    assert_int_equal(b.run.quarantined, 0);
    bench_close(&b);
}

static void an_empty_weight_gives_zeros_or_nothing(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, (bench_engine[]){{"fake", 0}}, 1, 8, 0);
    bench_plan(&b, NULL);
    bench_multiply_right(&b, 3);
    bench_close(&b);
}

/* ---- Who takes part ---- */

static void windows_follow_the_curves(void **state)
{
    (void)state;
    bench b;
    yoke_solution solution;
    bench_open(&b, three, 3, 1100, 16); /* rates 2 : 3 : 6 */
    bench_plan(&b, &(yoke_plan_options){ALONG(N)});
    assert_ok(yoke_plan_describe(b.plan, 1, &solution, &b.err), &b.err);
    assert_int_equal(solution.window_count, 3);
    const size_t right[] = {200, 300, 600};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(solution.windows[i].engine, i);
        assert_int_equal(solution.windows[i].count, right[i]);
    }
    assert_true(fabs(solution.ideal_ns - 6000) < 1e-6);
    assert_true(solution.best_single_ns == 11000);
    assert_int_equal(solution.best_single, 2);
    bench_multiply_right(&b, 1);
    assert_true(b.run.best_single_ns == 11000);
    assert_true(fabs(b.run.ideal_ns - 6000) < 1e-6);
    assert_true(b.run.end_ns > b.run.begin_ns);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(b.run.parts[i].count, right[i]);
        assert_true(b.run.parts[i].timing.submit_ns >= b.run.begin_ns);
        assert_true(b.run.parts[i].timing.done_ns <= b.run.end_ns);
        assert_string_equal(b.run.parts[i].timing.path, "simulated");
    }
    bench_close(&b);
}

static void a_split_that_does_not_pay_is_not_taken(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, (bench_engine[]){{"fake,granule_n=64", 2000}, {"fake", 100}}, 2, 640, 16);
    bench_plan(&b, NULL);
    bench_multiply_right(&b, 1);
    assert_int_equal(b.run.part_count, 1);
    assert_int_equal(b.run.parts[0].engine, 1);
    bench_close(&b);
}

/* Both would compute on the calling thread, one after the other: the faster one does. */
static void of_engines_that_compute_on_the_caller_one_takes_part(void **state)
{
    (void)state;
    bench b;
    const bench_engine engines[] = {
        {"fake,caller,max_k=1000", 100}, {"fake,caller", 90}, {"fake", 100}};
    bench_open(&b, engines, 3, 640, 16);
    bench_plan(&b, &(yoke_plan_options){ALONG(N)});
    bench_multiply_right(&b, 1);
    assert_int_equal(b.run.part_count, 2);
    assert_int_equal(b.run.parts[0].engine, 1);
    assert_int_equal(b.run.parts[1].engine, 2);
    bench_close(&b);
}

/* Whatever place it has among the engines. */
static void the_callers_engine_is_submitted_last_and_waited_for_first(void **state)
{
    (void)state;
    static const bench_engine orders[3][3] = {
        {{"fake,caller", 100}, {"fake,fixed_us=200", 100}, {"fake,fixed_us=201", 100}},
        {{"fake,fixed_us=200", 100}, {"fake,caller", 100}, {"fake,fixed_us=201", 100}},
        {{"fake,fixed_us=200", 100}, {"fake,fixed_us=201", 100}, {"fake,caller", 100}}};
    for (size_t at = 0; at < 3; at++) {
        bench b;
        bench_open(&b, orders[at], 3, 640, 16);
        bench_plan(&b, &(yoke_plan_options){ALONG(N)});
        bench_multiply_right(&b, 1);
        const yoke_timing *caller = &b.run.parts[at].timing;
        for (size_t i = 0; i < 3; i++) {
            const yoke_timing *other = &b.run.parts[i].timing;
            assert_true(i == at || other->submitted_ns <= caller->submit_ns);
            assert_true(other->done_ns >= caller->done_ns);
        }
        bench_close(&b);
    }
}

static void a_prepared_window_serves_others_on_its_granule(void **state)
{
    (void)state;
    const holding h = {.begin = 5, .end = 30};
    assert_true(holding_covers(&h, 8, 5, 25));
    assert_true(holding_covers(&h, 8, 13, 8));
    assert_true(holding_covers(&h, 8, 13, 17)); /* to its end */
    assert_false(holding_covers(&h, 8, 14, 8));
    assert_false(holding_covers(&h, 8, 13, 9));
    assert_false(holding_covers(&h, 1, 4, 10));
    assert_false(holding_covers(&h, 1, 5, 26));
    assert_false(holding_covers(&h, 1, 31, 0));
}

static void an_engine_that_cannot_promise_the_tolerance_gets_no_share(void **state)
{
    (void)state;
    bench b;
    const bench_engine engines[] = {{"fake,inf_above=30000", 10}, {"fake", 100}};
    bench_open(&b, engines, 2, 640, 16);
    bench_plan(&b, &(yoke_plan_options){.tolerance = 1e-3, ALONG(N)});
    bench_multiply_right(&b, 1);
    assert_int_equal(b.run.part_count, 1);
    assert_int_equal(b.run.parts[0].engine, 1);
    assert_int_equal(b.run.quarantined, 0);
    yoke_plan_free(b.plan);
    assert_int_equal(yoke_plan_create(b.engines, 1, &b.w, b.profile,
                                      &(yoke_plan_options){.tolerance = 1e-3}, &b.plan, &b.err),
                     YOKE_ERR_UNSUPPORTED);
    assert_says(&b.err, "no engine can promise");
    bench_close(&b);
}

/* (k + 2) roundings of 2^-24, 2^-11, 2^-53; bf16 has 2^-8 as unit. */
static void promises_follow_from_facts(void **state)
{
    (void)state;
    const yoke_engine_facts f32 = {.accumulate = YOKE_F32}, f16 = {.accumulate = YOKE_F16},
                            f64 = {.accumulate = YOKE_F64},
                            clips = {.accumulate = YOKE_F32, .saturation = 32752};
    assert_true(verify_promises(&f16, YOKE_PRECISION_INT8_X, 4096, 0));
    assert_true(verify_promises(&f32, YOKE_PRECISION_FULL, 4094, 0x1p-12));
    assert_false(verify_promises(&f32, YOKE_PRECISION_FULL, 4094, 0x1p-13));
    assert_true(verify_promises(&f64, YOKE_PRECISION_FULL, 4094, 1e-12));
    assert_false(verify_promises(&f16, YOKE_PRECISION_FULL, 4094, 0.5));
    assert_true(verify_promises(&f16, YOKE_PRECISION_FULL, 62, 0x1p-5));
    assert_false(verify_promises(&clips, YOKE_PRECISION_FULL, 64, 0.5));
    assert_true(verify_promises(&f32, YOKE_PRECISION_BF16_X, 64, 0.005));
    assert_false(verify_promises(&f32, YOKE_PRECISION_BF16_X, 64, 0.003));
    assert_false(verify_promises(&f32, YOKE_PRECISION_INT8_X, 64, 0.5));
}

/* One of them takes 0.1 s whatever it does. */
static void engines_without_a_curve_are_measured_in_brief(void **state)
{
    (void)state;
    bench b;
    yoke_solution solution;
    const bench_engine engines[] = {{"fake,fixed_us=100000,granule_n=16", 0}, {"ref", 0}};
    bench_open(&b, engines, 2, 16, 64);
    assert_ok(yoke_plan_create(b.engines, 2, &b.w, NULL, NULL, &b.plan, &b.err), &b.err);
    assert_ok(yoke_plan_describe(b.plan, 1, &solution, &b.err), &b.err);
    assert_int_equal(solution.window_count, 1);
    assert_int_equal(solution.windows[0].engine, 1);
    assert_true(solution.best_single_ns > 0 && solution.best_single_ns < 1e8);
    bench_multiply_right(&b, 1);
    assert_int_equal(b.run.quarantined, 0);
    bench_close(&b);
}

static void an_engine_that_answers_wrong_while_measured_is_out(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, (bench_engine[]){{"fake,zeros_at=1", 0}, {"fake", 100}}, 2, 64, 16);
    bench_plan(&b, NULL);
    bench_multiply_right(&b, 1);
    assert_int_equal(b.run.quarantined, 1);
    bench_close(&b);
}

static void wrong_plans_are_refused(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, three, 3, 64, 16);
    yoke_engine *twice[] = {b.engines[0], b.engines[1], b.engines[0]};
    yoke_matrix w = b.w;
    assert_int_equal(yoke_plan_create(twice, 3, &b.w, NULL, NULL, &b.plan, &b.err), YOKE_ERR_USAGE);
    assert_says(&b.err, "twice");
    assert_int_equal(yoke_plan_create(twice, 0, &b.w, NULL, NULL, &b.plan, &b.err), YOKE_ERR_USAGE);
    w.stride = 3;
    assert_int_equal(yoke_plan_create(b.engines, 3, &w, NULL, NULL, &b.plan, &b.err),
                     YOKE_ERR_SHAPE);
    assert_int_equal(yoke_plan_create(b.engines, 3, &b.w, NULL,
                                      &(yoke_plan_options){.tolerance = NAN}, &b.plan, &b.err),
                     YOKE_ERR_USAGE);
    assert_null(b.plan);
    bench_close(&b);
}

/* Windows for 64 rows would go by the second engine's rate there; at 1 row it is of no use. */
static void another_m_gets_the_windows_that_suit_it(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, (bench_engine[]){{"fake,max_k=1000", 100}, {"fake", 1}}, 2, 640, 16);
    const yoke_curve_key key = {.engine = "fake",
                                .description = yoke_engine_describe(b.engines[1])->description,
                                .format = YOKE_F32,
                                .k = 16,
                                .x_format = YOKE_F32};
    yoke_profile_drop(b.profile, &key);
    for (size_t m = 1; m <= 64; m += 63)
        for (size_t n = 1; n <= 640; n += 639) {
            const yoke_curve_point point = {.m = m, .n = n, .median_ns = 6400 * (double)n};
            assert_ok(yoke_profile_add(b.profile, &key, &point, &b.err), &b.err);
        }
    bench_plan(&b, &(yoke_plan_options){.m = 64, ALONG(N)});
    bench_multiply_right(&b, 64);
    assert_int_equal(b.run.part_count, 2);
    assert_int_equal(b.run.parts[0].count, 320);
    bench_multiply_right(&b, 1);
    assert_int_equal(b.run.parts[0].count, 631); /* 631 * 100 ns against 9 * 6400 ns */
    bench_multiply_right(&b, 64);
    assert_int_equal(b.run.parts[0].count, 320);
    bench_close(&b);
}

/* ---- The hot path, threads ---- */

static void a_product_allocates_nothing_once_it_has_been_run(void **state)
{
    (void)state;
#ifndef COUNT_ALLOCATIONS
    print_message("allocations cannot be counted with this linker\n");
    skip();
#endif
    bench b;
    const yoke_matmul_options plain = {0}, scaled = {.scaled = true, .alpha = 1, .beta = 1};
    bench_open(&b, (bench_engine[]){{CPU_CALLER, 100}, {CPU_WORKER, 100}}, 2, 256, 64);
    bench_plan(&b, &(yoke_plan_options){.m = 4, .fixed = true, ALONG(N)});
    bench_operands(&b, 4);
    assert_ok(bench_multiply(&b, &plain), &b.err);
    memset(b.y.data, 0, 4 * 256 * sizeof(float));
    assert_ok(bench_multiply(&b, &scaled), &b.err);
    size_t before = __atomic_load_n(&allocations, __ATOMIC_RELAXED);
    for (int i = 0; i < 20; i++)
        assert_ok(bench_multiply(&b, i % 2 ? &plain : &scaled), &b.err);
    assert_int_equal(__atomic_load_n(&allocations, __ATOMIC_RELAXED), before);
    assert_int_equal(b.run.part_count, 2);
    bench_close(&b);
}

typedef struct client {
    yoke_plan *plan;
    const yoke_matrix *x;
    yoke_matrix y;
    bool done;
} client;

static void *multiply_often(void *arg)
{
    client *c = arg;
    const yoke_matmul_options options = {.pin_path = true};
    c->done = true;
    for (int i = 0; i < 50; i++) {
        yoke_matrix x = yoke_matrix_rows(c->x, 0, 1 + (size_t)i % c->x->rows);
        yoke_matrix y = yoke_matrix_rows(&c->y, 0, x.rows);
        c->done = c->done && yoke_matmul(c->plan, &x, &y, &options, NULL, NULL) == YOKE_OK;
    }
    return NULL;
}

/* The same two engines, in either order: neither plan's threads wait for the other's. */
static void threads_on_two_plans_over_the_same_engines_get_through(void **state)
{
    (void)state;
    bench b;
    client clients[4];
    pthread_t threads[4];
    yoke_plan *other;
    const yoke_plan_options options = {.m = 4, ALONG(N)};
    bench_open(&b,
               (bench_engine[]){{CPU_WORKER, 100}, {"cpu,threads=1,caller=0,isa=portable", 100}}, 2,
               256, 64);
    bench_plan(&b, &options);
    yoke_engine *reversed[] = {b.engines[1], b.engines[0]};
    assert_ok(yoke_plan_create(reversed, 2, &b.w, b.profile, &options, &other, &b.err), &b.err);
    bench_operands(&b, 5);
    for (int i = 0; i < 4; i++) {
        clients[i].plan = i % 2 ? other : b.plan;
        clients[i].x = &b.x;
        assert_ok(yoke_matrix_create(YOKE_F32, 5, 256, &clients[i].y, &b.err), &b.err);
        assert_int_equal(pthread_create(&threads[i], NULL, multiply_often, &clients[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_true(clients[i].done);
        for (size_t j = 0; j < (size_t)5 * 256; j++)
            assert_true(fabsf(((float *)clients[i].y.data)[j] - ((float *)b.right.data)[j]) <
                        1e-5f);
        yoke_matrix_free(&clients[i].y);
    }
    yoke_plan_free(other);
    bench_close(&b);
}

static void borders_move_while_other_threads_multiply(void **state)
{
    (void)state;
    bench b;
    client clients[3];
    pthread_t threads[3];
    bench_open(&b,
               (bench_engine[]){{"fake,rate_gflops=0.5,slow_after=5,slow_factor=3", 128},
                                {"fake,rate_gflops=0.5", 128}},
               2, 128, 32);
    bench_plan(&b, &(yoke_plan_options){.m = 4, ALONG(N)});
    bench_operands(&b, 4);
    for (int i = 0; i < 3; i++) {
        clients[i].plan = b.plan;
        clients[i].x = &b.x;
        assert_ok(yoke_matrix_create(YOKE_F32, 4, 128, &clients[i].y, &b.err), &b.err);
        assert_int_equal(pthread_create(&threads[i], NULL, multiply_often, &clients[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_true(clients[i].done);
        assert_memory_equal(clients[i].y.data, b.right.data, 4 * 128 * sizeof(float));
        yoke_matrix_free(&clients[i].y);
    }
    for (int i = 0; i < 10; i++)
        bench_multiply_right(&b, 4);
    assert_int_equal(b.run.parts[0].count, 32);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_257_split_unevenly_are_bit_equal_to_unsplit),
        cmocka_unit_test(outputs_257_split_unevenly_are_bit_equal_to_unsplit),
        cmocka_unit_test(one_row_over_three_engines_is_computed_once),
        cmocka_unit_test(every_row_is_there_for_any_m_along_both_axes),
        cmocka_unit_test(no_window_of_rows_exceeds_what_an_engine_takes),
        cmocka_unit_test(buckets_hold_every_m_and_rise),
        cmocka_unit_test(rows_with_gaps_are_read_and_written_in_place),
        cmocka_unit_test(half_precision_x_and_y_are_taken),
        cmocka_unit_test(alpha_and_beta_scale_and_beta_zero_reads_nothing),
        cmocka_unit_test(what_does_not_fit_is_refused_and_no_engine_blamed),
        cmocka_unit_test(an_empty_weight_gives_zeros_or_nothing),
        cmocka_unit_test(windows_follow_the_curves),
        cmocka_unit_test(a_split_that_does_not_pay_is_not_taken),
        cmocka_unit_test(of_engines_that_compute_on_the_caller_one_takes_part),
        cmocka_unit_test(the_callers_engine_is_submitted_last_and_waited_for_first),
        cmocka_unit_test(a_prepared_window_serves_others_on_its_granule),
        cmocka_unit_test(an_engine_that_cannot_promise_the_tolerance_gets_no_share),
        cmocka_unit_test(promises_follow_from_facts),
        cmocka_unit_test(engines_without_a_curve_are_measured_in_brief),
        cmocka_unit_test(an_engine_that_answers_wrong_while_measured_is_out),
        cmocka_unit_test(wrong_plans_are_refused),
        cmocka_unit_test(another_m_gets_the_windows_that_suit_it),
        cmocka_unit_test(a_product_allocates_nothing_once_it_has_been_run),
        cmocka_unit_test(threads_on_two_plans_over_the_same_engines_get_through),
        cmocka_unit_test(borders_move_while_other_threads_multiply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
