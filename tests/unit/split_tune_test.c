/* Tuning over the fake engine, whose speed and faults are scripted and whose time never runs ahead
 * of its script. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "split/pair.h"
#include "unit/engines_test.h"
#include "yoke/tune.h"

enum { N = 256, K = 64 };
#define SECONDS 0.6

static yoke_context *context;
static yoke_matrix w; /* N by K, f32 */

static int set_up(void **state)
{
    (void)state;
    return yoke_context_create(NULL, &context, NULL) == YOKE_OK &&
                   yoke_matrix_create(YOKE_F32, N, K, &w, NULL) == YOKE_OK &&
                   yoke_matrix_fill_random(&w, 1, NULL) == YOKE_OK
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    yoke_matrix_free(&w);
    yoke_context_free(context);
    return 0;
}

/* A tuning with what came of it. */
typedef struct tuned {
    yoke_engine *engines[4];
    size_t count;
    yoke_profile *profile;
    yoke_status status;
    yoke_error err;
} tuned;

static tuned begin(const char *const *specifications, size_t count)
{
    tuned t = {.count = count};
    for (size_t i = 0; i < count; i++)
        assert_ok(yoke_engine_open(context, specifications[i], &t.engines[i], &t.err), &t.err);
    assert_ok(yoke_profile_create(&t.profile, &t.err), &t.err);
    return t;
}

static void tune(tuned *t, const yoke_tune_options *options)
{
    t->err = (yoke_error){0};
    t->status = yoke_tune(t->engines, t->count, &w, options, t->profile, &t->err);
}

static void end(tuned *t)
{
    yoke_profile_free(t->profile);
    for (size_t i = 0; i < t->count; i++)
        yoke_engine_free(t->engines[i]);
}

static yoke_curve_key key_of(const char *specification)
{
    return (yoke_curve_key){.engine = specification, .format = YOKE_F32, .k = K};
}

static size_t points_of(const tuned *t, const char *specification)
{
    yoke_curve_key key = key_of(specification);
    yoke_curve_point point;
    size_t count = 0;
    while (yoke_profile_point_at(t->profile, &key, count, &point))
        count++;
    return count;
}

static double slowdown_of(const tuned *t, const char *specification, size_t m, const char *other)
{
    yoke_curve_key key = key_of(specification);
    yoke_contention c;
    for (size_t i = 0; yoke_profile_contention_at(t->profile, &key, i, &c); i++)
        if (c.m == m && strcmp(c.other, other) == 0)
            return c.slowdown;
    return 0;
}

static void curves_recover_the_scripted_rate_and_fixed_cost(void **state)
{
    (void)state;
    const char *engine = "fake,fixed_us=2000,rate_gflops=0.01"; /* 12.8 us an output and row */
    const size_t m[] = {1, 3};
    tuned t = begin(&engine, 1);
    tune(&t, &(yoke_tune_options){.seconds = 4 * SECONDS, .m = m, .m_count = 2});
    assert_ok(t.status, &t.err);
    yoke_curve_key key = key_of(engine);
    yoke_curve_point point;
    size_t sizes[4] = {0};
    for (size_t i = 0; yoke_profile_point_at(t.profile, &key, i, &point); i++) {
        double scripted = 2e6 + 12800.0 * (double)(point.m * point.n);
        assert_true(point.m == 1 || point.m == 3);
        assert_true(point.count >= 3);
        assert_true(point.median_ns >= scripted - 1);
        assert_true(point.median_ns < 100 * scripted); /* the unit is right, whatever else runs */
        sizes[point.m]++;
    }
    assert_true(sizes[1] >= 3);
    assert_true(sizes[3] >= 3);
    end(&t);
}

static void an_engine_beside_itself_keeps_half_its_speed(void **state)
{
    (void)state;
    yoke_engine *engine;
    yoke_weight *weight;
    yoke_matrix x, y[2];
    yoke_error err = {0};
    /* One device, one product at a time: the second waits for the first. */
    assert_ok(yoke_engine_open(context, "fake,fixed_us=3000", &engine, &err), &err);
    assert_ok(yoke_weight_prepare(engine, &w, &weight, NULL, &err), &err);
    assert_ok(yoke_matrix_create(YOKE_F32, 1, K, &x, &err), &err);
    load loads[2];
    for (size_t i = 0; i < 2; i++) {
        assert_ok(yoke_matrix_create(YOKE_F32, 1, N, &y[i], &err), &err);
        loads[i] = (load){.engine = engine, .weight = weight, .x = x, .y = y[i]};
    }
    /* What else runs here disturbs a turn or two; not five measurements. */
    bool halved = false;
    for (int attempt = 0; attempt < 5 && !halved; attempt++) {
        pair_side sides[2] = {{.load = &loads[0]}, {.load = &loads[1]}};
        yoke_sampling sampling = {.min_samples = 9, .min_seconds = 0.01, .max_seconds = 1};
        assert_ok(pair_measure(sides, &sampling, &err), &err);
        halved = true;
        for (size_t i = 0; i < 2; i++) {
            yoke_statistics retained;
            assert_ok(pair_retained(&sides[i], &retained, &err), &err);
            assert_true(retained.count >= 9);
            halved = halved && retained.median > 0.3 && retained.median < 0.75;
        }
        pair_free(sides);
    }
    assert_true(halved);
    yoke_matrix_free(&y[0]);
    yoke_matrix_free(&y[1]);
    yoke_matrix_free(&x);
    yoke_weight_free(weight);
    yoke_engine_free(engine);
}

static void each_pair_gets_a_slowdown_both_ways(void **state)
{
    (void)state;
    static const char *const engines[] = {"fake,fixed_us=1000", "fake,fixed_us=1500",
                                          "fake,fixed_us=2000"};
    const size_t m = 2;
    tuned t = begin(engines, 3);
    tune(&t, &(yoke_tune_options){.seconds = SECONDS, .m = &m, .m_count = 1});
    assert_ok(t.status, &t.err);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            assert_int_equal(slowdown_of(&t, engines[i], 2, engines[j]) > 0, i != j);
    end(&t);
}

static void the_solver_splits_by_a_tuned_profile(void **state)
{
    (void)state;
    static const char *const engines[] = {"fake,rate_gflops=0.003", "fake,rate_gflops=0.001"};
    const size_t m = 1;
    tuned t = begin(engines, 2);
    tune(&t, &(yoke_tune_options){.seconds = 2, .m = &m, .m_count = 1});
    assert_ok(t.status, &t.err);
    yoke_contender contenders[2] = {{.key = key_of(engines[0])}, {.key = key_of(engines[1])}};
    yoke_solution solution;
    assert_ok(yoke_solve(t.profile, contenders, 2, 1, N, NULL, &solution, &t.err), &t.err);
    assert_int_equal(solution.window_count, 2);
    /* Three quarters, but for what else runs here. */
    assert_true(solution.windows[0].count > N / 2);
    end(&t);
}

static void a_wrong_engine_gets_no_curve_and_the_others_do(void **state)
{
    (void)state;
    static const char *const engines[] = {"fake,wrong_row_at=2", "ref"};
    const size_t m = 1;
    tuned t = begin(engines, 2);
    tune(&t, &(yoke_tune_options){.seconds = SECONDS, .m = &m, .m_count = 1});
    assert_int_equal(t.status, YOKE_ERR_CHECK);
    assert_says(&t.err, "fake,wrong_row_at=2");
    assert_says(&t.err, "wrong");
    assert_int_equal(points_of(&t, engines[0]), 0);
    assert_true(points_of(&t, engines[1]) > 0);
    end(&t);
}

static void zeros_are_named(void **state)
{
    (void)state;
    const char *engine = "fake,zeros_at=1";
    tuned t = begin(&engine, 1);
    tune(&t, &(yoke_tune_options){.seconds = SECONDS});
    assert_int_equal(t.status, YOKE_ERR_CHECK);
    assert_says(&t.err, "all zero");
    end(&t);
}

static void an_engine_that_fails_while_it_is_timed_loses_its_curve(void **state)
{
    (void)state;
    static const char *const engines[] = {"fake,fail_wait_at=20", "ref"};
    const size_t m = 1;
    tuned t = begin(engines, 2);
    /* What an earlier tuning left goes, too. */
    yoke_curve_key key = key_of(engines[0]);
    yoke_curve_point old = {.m = 1, .n = N, .median_ns = 1e6, .count = 10};
    assert_ok(yoke_profile_add(t.profile, &key, &old, &t.err), &t.err);
    tune(&t, &(yoke_tune_options){.seconds = SECONDS, .m = &m, .m_count = 1});
    assert_int_equal(t.status, YOKE_ERR_ENGINE);
    assert_says(&t.err, "scripted");
    assert_int_equal(points_of(&t, engines[0]), 0);
    assert_true(points_of(&t, engines[1]) > 0);
    end(&t);
}

static void an_engine_that_cannot_prepare_the_weight_is_left_out(void **state)
{
    (void)state;
    static const char *const engines[] = {"ref", "fake,max_k=32"};
    const size_t m = 1;
    tuned t = begin(engines, 2);
    tune(&t, &(yoke_tune_options){.seconds = SECONDS, .m = &m, .m_count = 1});
    assert_int_equal(t.status, YOKE_ERR_SHAPE);
    assert_true(points_of(&t, engines[0]) > 0);
    assert_int_equal(points_of(&t, engines[1]), 0);
    end(&t);
}

static void windows_keep_to_the_limits_of_an_engine(void **state)
{
    (void)state;
    const char *engine = "fake,max_n=100,granule_n=16,max_m=2";
    const size_t m[] = {2, 4};
    tuned t = begin(&engine, 1);
    tune(&t, &(yoke_tune_options){.seconds = 4 * SECONDS, .m = m, .m_count = 2});
    assert_ok(t.status, &t.err);
    yoke_curve_key key = key_of(engine);
    yoke_curve_point point;
    size_t largest = 0;
    for (size_t i = 0; yoke_profile_point_at(t.profile, &key, i, &point); i++) {
        assert_int_equal(point.m, 2);
        assert_int_equal(point.n % 16, 0);
        largest = point.n > largest ? point.n : largest;
    }
    assert_int_equal(largest, 96);
    end(&t);
}

typedef struct listener {
    const char *until; /* set the flag when this is said */
    volatile bool stop;
    bool said;
    double done;
} listener;

static void listen(void *arg, const char *what, double done)
{
    listener *l = arg;
    assert_true(done >= l->done && done <= 1);
    l->done = done;
    l->said = l->said || strstr(what, l->until) != NULL;
    l->stop = l->said;
}

static void check_a_raised_flag_keeps_what_was_measured(bool heeded)
{
    const char *engine = "fake,fixed_us=500";
    const size_t m[] = {1, 2};
    listener l = {.until = "M = 2"};
    tuned t = begin(&engine, 1);
    if (heeded)
        yoke_engine_heed(t.engines[0], &l.stop);
    tune(&t, &(yoke_tune_options){.seconds = SECONDS,
                                  .m = m,
                                  .m_count = 2,
                                  .progress = listen,
                                  .progress_arg = &l,
                                  .stop = &l.stop});
    assert_int_equal(t.status, YOKE_ERR_INTERRUPTED);
    yoke_curve_key key = key_of(engine);
    yoke_curve_point point;
    size_t count = 0;
    for (; yoke_profile_point_at(t.profile, &key, count, &point); count++)
        assert_int_equal(point.m, 1);
    assert_true(count > 0); /* how many windows depends on what else the machine does */
    end(&t);
}

static void a_raised_flag_keeps_what_was_measured(void **state)
{
    (void)state;
    check_a_raised_flag_keeps_what_was_measured(false);
}

static void a_flag_that_ends_a_product_keeps_what_was_measured(void **state)
{
    (void)state;
    check_a_raised_flag_keeps_what_was_measured(true);
}

static void an_m_that_takes_too_long_is_left_out(void **state)
{
    (void)state;
    const char *engine = "fake,rate_gflops=0.001"; /* 0.13 ms an output and row */
    const size_t m[] = {1, 4096};
    listener l = {.until = "left out"};
    tuned t = begin(&engine, 1);
    tune(&t, &(yoke_tune_options){
                 .seconds = SECONDS, .m = m, .m_count = 2, .progress = listen, .progress_arg = &l});
    assert_ok(t.status, &t.err);
    assert_true(l.said);
    yoke_curve_key key = key_of(engine);
    yoke_curve_point point;
    for (size_t i = 0; yoke_profile_point_at(t.profile, &key, i, &point); i++)
        assert_int_equal(point.m, 1);
    end(&t);
}

static void what_cannot_be_tuned_is_refused(void **state)
{
    (void)state;
    static const char *const engines[] = {"ref", "ref"};
    static const size_t falling[] = {8, 1}, zero[] = {0};
    tuned t = begin(engines, 2);
    tune(&t, NULL);
    assert_int_equal(t.status, YOKE_ERR_USAGE);
    assert_says(&t.err, "ref twice");
    t.count = 1;
    static const yoke_tune_options bad[] = {
        {.seconds = -1},
        {.x_format = YOKE_Q8_0},
        {.m = falling, .m_count = 2},
        {.m = zero, .m_count = 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tune(&t, &bad[i]);
        assert_int_equal(t.status, YOKE_ERR_USAGE);
    }
    const yoke_matrix empty = {.format = YOKE_F32, .rows = 0, .cols = K};
    assert_int_equal(yoke_tune(t.engines, 1, &empty, NULL, t.profile, &t.err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_tune(t.engines, 1, &w, NULL, NULL, &t.err), YOKE_ERR_USAGE);
    assert_int_equal(yoke_tune(t.engines, 9, &w, NULL, t.profile, &t.err), YOKE_ERR_USAGE);
    t.count = 2;
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_recover_the_scripted_rate_and_fixed_cost),
        cmocka_unit_test(an_engine_beside_itself_keeps_half_its_speed),
        cmocka_unit_test(each_pair_gets_a_slowdown_both_ways),
        cmocka_unit_test(the_solver_splits_by_a_tuned_profile),
        cmocka_unit_test(a_wrong_engine_gets_no_curve_and_the_others_do),
        cmocka_unit_test(zeros_are_named),
        cmocka_unit_test(an_engine_that_fails_while_it_is_timed_loses_its_curve),
        cmocka_unit_test(an_engine_that_cannot_prepare_the_weight_is_left_out),
        cmocka_unit_test(windows_keep_to_the_limits_of_an_engine),
        cmocka_unit_test(a_raised_flag_keeps_what_was_measured),
        cmocka_unit_test(a_flag_that_ends_a_product_keeps_what_was_measured),
        cmocka_unit_test(an_m_that_takes_too_long_is_left_out),
        cmocka_unit_test(what_cannot_be_tuned_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
