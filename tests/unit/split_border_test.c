#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "split/border.h"
#include "unit/split_bench.h"
#include "unit/split_random.h"

/* ---- The arithmetic ---- */

static void windows_are_in_proportion_to_rates(void **state)
{
    (void)state;
    const border_branch branches[] = {{0, 1, 0, 600}, {0, 2, 0, 600}, {0, 3, 0, 600}};
    size_t begins[4];
    border_balance(branches, 3, 600, 1, begins); /* rates 6 : 3 : 2 */
    const size_t right[] = {0, 327, 491, 600};
    assert_memory_equal(begins, right, sizeof right);
}

static void a_fixed_cost_is_paid_for_by_a_smaller_window(void **state)
{
    (void)state;
    const border_branch branches[] = {{100, 1, 0, 300}, {0, 1, 0, 300}};
    size_t begins[3];
    border_balance(branches, 2, 300, 1, begins);
    assert_int_equal(begins[1], 100);
    assert_true(border_slowest(branches, 2, begins) == 200);
}

static void a_branch_whose_fixed_cost_is_too_long_gets_nothing(void **state)
{
    (void)state;
    const border_branch branches[] = {{0, 1, 0, 300}, {1000, 1, 0, 300}, {0, 1, 0, 300}};
    size_t begins[4];
    border_balance(branches, 3, 300, 1, begins);
    assert_int_equal(begins[1], 150);
    assert_int_equal(begins[2], 150);
}

/* Against every border there is. */
static void two_windows_end_as_early_as_they_can(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 2000; trial++) {
        size_t granule = random_size(&seed, 1, 16), total = granule * random_size(&seed, 2, 40);
        const border_branch branches[] = {
            {random_real(&seed, 0, 50), random_real(&seed, 0.1, 5), 0, total},
            {random_real(&seed, 0, 50), random_real(&seed, 0.1, 5), 0, total}};
        size_t begins[3];
        border_balance(branches, 2, total, granule, begins);
        assert_int_equal(begins[1] % granule, 0);
        double best = INFINITY;
        for (size_t at = 0; at <= total; at += granule)
            best = fmin(best, border_slowest(branches, 2, (size_t[]){0, at, total}));
        double step = fmax(branches[0].unit_ns, branches[1].unit_ns) * (double)granule;
        assert_true(border_slowest(branches, 2, begins) <= best + step);
    }
}

static void borders_stay_where_both_neighbours_reach(void **state)
{
    (void)state;
    const border_branch branches[] = {{0, 1, 0, 60}, {0, 1, 40, 90}, {0, 1, 70, 100}};
    size_t begins[] = {0, 10, 99, 100};
    border_clamp(branches, 3, begins);
    const size_t right[] = {0, 40, 90, 100};
    assert_memory_equal(begins, right, sizeof right);
}

static void two_strays_of_five_do_not_count_three_do(void **state)
{
    (void)state;
    border_history history = {0};
    for (int i = 0; i < 5; i++)
        border_note(&history, (double[]){1}, 1);
    for (int i = 0; i < 2; i++)
        border_note(&history, (double[]){100}, 1);
    assert_true(border_is_known(&history));
    assert_true(border_median(&history, 0) == 1);
    border_note(&history, (double[]){100}, 1);
    assert_true(border_median(&history, 0) == 100);
}

/* ---- In products. 2 * 4 * 512 * 32 operations at 0.1 GFLOP/s: 2560 ns an output at 4 rows. The
 * simulated times are exact, whatever the machine does. ---- */

#define N 512
#define M 4

static const yoke_plan_options along_n = {.m = M, .solve = {.axis = YOKE_AXIS_N}};

static void split_moves_the_border_when_an_engine_slows_down(void **state)
{
    (void)state;
    bench b;
    bench_open(
        &b,
        (bench_engine[]){{"fake,rate_gflops=0.1,slow_after=6", 640}, {"fake,rate_gflops=0.1", 640}},
        2, N, 32);
    bench_plan(&b, &along_n);
    for (int i = 0; i < 6; i++) {
        bench_multiply_right(&b, M);
        assert_int_equal(b.run.parts[0].count, N / 2);
        assert_false(b.run.border_moved);
    }
    for (int i = 0; i < 10; i++)
        bench_multiply_right(&b, M);
    bench_multiply_right(&b, M);
    bench_parts_cover(&b, N);
    /* 1 : 2 is 170.7 : 341.3 */
    assert_int_equal(b.run.parts[0].count, 171);
    assert_int_equal(b.run.parts[1].count, 341);
    assert_int_equal(b.run.quarantined, 0);
    bench_close(&b);
}

static void along_m_the_border_moves_too(void **state)
{
    (void)state;
    bench b;
    const yoke_plan_options options = {.m = 48, .solve = {.axis = YOKE_AXIS_M}};
    bench_open(&b,
               (bench_engine[]){{"fake,rate_gflops=1,slow_after=1,slow_factor=3", 64},
                                {"fake,rate_gflops=1", 64}},
               2, N, 32);
    bench_plan(&b, &options);
    bench_multiply_right(&b, 48);
    assert_int_equal(b.run.axis, YOKE_AXIS_M);
    assert_int_equal(b.run.parts[0].count, 24);
    for (int i = 0; i < 8; i++)
        bench_multiply_right(&b, 48);
    bench_parts_cover(&b, 48);
    assert_int_equal(b.run.parts[0].count, 12);
    bench_close(&b);
}

static void within_the_slack_nothing_is_prepared_again(void **state)
{
    (void)state;
    bench b;
    const yoke_plan_options options = {.m = M, .slack = 0.25, .solve = {.axis = YOKE_AXIS_N}};
    bench_open(
        &b,
        (bench_engine[]){{"fake,rate_gflops=0.1,slow_after=1", 640}, {"fake,rate_gflops=0.1", 640}},
        2, N, 32);
    bench_plan(&b, &options);
    uint64_t bytes = yoke_plan_bytes(b.plan);
    for (int i = 0; i < 12; i++)
        bench_multiply_right(&b, M);
    assert_int_equal(b.run.parts[0].count, 171);
    assert_int_equal(yoke_plan_bytes(b.plan), bytes);
    bench_close(&b);
}

/* f32 rows of 32: every engine holds its window, and the slack on the border's side. */
static void an_engine_holds_its_window_and_the_slack_and_no_more(void **state)
{
    (void)state;
    const double slacks[] = {-1, 0.125};
    uint64_t bytes[2];
    for (size_t i = 0; i < 2; i++) {
        bench b;
        const yoke_plan_options options = {
            .m = M, .slack = slacks[i], .solve = {.axis = YOKE_AXIS_N}};
        bench_open(&b, (bench_engine[]){{"fake,max_n=400", 640}, {"fake,max_n=401", 640}}, 2, N,
                   32);
        bench_plan(&b, &options);
        bytes[i] = yoke_plan_bytes(b.plan);
        bench_multiply_right(&b, M);
        assert_int_equal(b.run.part_count, 2);
        assert_int_equal(b.run.quarantined, 0);
        bench_close(&b);
    }
    assert_int_equal(bytes[1] - bytes[0], 2 * (N / 8) * 32 * sizeof(float));
}

static void what_was_prepared_before_is_freed(void **state)
{
    (void)state;
    bench b;
    bench_open(&b,
               (bench_engine[]){{"fake,rate_gflops=0.1,slow_after=1,slow_factor=4", 640},
                                {"fake,rate_gflops=0.1", 640}},
               2, N, 32);
    bench_plan(&b, &along_n);
    uint64_t bytes = yoke_plan_bytes(b.plan);
    for (int i = 0; i < 20; i++)
        bench_multiply_right(&b, M);
    assert_int_equal(b.run.parts[0].count, 102);
    /* The first still holds 288 rows, which cover its new window; the second held 288 too, and now
     * holds 410 and the slack of 32 in their place. */
    assert_int_equal(yoke_plan_bytes(b.plan) - bytes, (410 + 32 - 288) * 32 * sizeof(float));
    bench_close(&b);
}

static void a_fixed_border_stays(void **state)
{
    (void)state;
    bench b;
    const yoke_plan_options options = {.m = M, .fixed = true, .solve = {.axis = YOKE_AXIS_N}};
    bench_open(
        &b,
        (bench_engine[]){{"fake,rate_gflops=0.1,slow_after=1", 640}, {"fake,rate_gflops=0.1", 640}},
        2, N, 32);
    bench_plan(&b, &options);
    for (int i = 0; i < 12; i++)
        bench_multiply_right(&b, M);
    assert_int_equal(b.run.parts[0].count, N / 2);
    bench_close(&b);
}

static void a_gain_of_less_than_two_percent_moves_nothing(void **state)
{
    (void)state;
    bench b;
    bench_open(&b,
               (bench_engine[]){{"fake,rate_gflops=0.1,slow_after=1,slow_factor=1.03", 640},
                                {"fake,rate_gflops=0.1", 640}},
               2, N, 32);
    bench_plan(&b, &along_n);
    for (int i = 0; i < 12; i++) {
        bench_multiply_right(&b, M);
        assert_false(b.run.border_moved);
    }
    bench_close(&b);
}

/* Both turn out three times as slow as predicted: the first alone is predicted to be faster than
 * both together. It is not, and the split is taken up again. */
static void a_split_that_disappoints_is_held_against_the_best_engine_alone(void **state)
{
    (void)state;
    bench b;
    bench_open(&b,
               (bench_engine[]){{"fake,rate_gflops=0.1,slow_after=1,slow_factor=3", 640},
                                {"fake,rate_gflops=0.1,slow_factor=3,slow_after=1", 640}},
               2, N, 32);
    bench_plan(&b, &along_n);
    bool single = false;
    for (int i = 0; i < 20; i++) {
        bench_multiply_right(&b, M);
        single = single || b.run.part_count == 1;
    }
    assert_true(single);
    assert_int_equal(b.run.part_count, 2);
    bench_close(&b);
}

/* In a bad spell of both the split looks slower than the first engine alone, which after it really
 * is as fast as predicted. The split is tried again all the same, and stays. */
static void a_split_given_up_in_a_bad_spell_is_tried_again(void **state)
{
    (void)state;
    bench b;
    bench_open(
        &b,
        (bench_engine[]){{"fake,rate_gflops=0.1,slow_after=1,slow_factor=3,slow_until=5", 640},
                         {"fake,rate_gflops=0.1,slow_factor=3,slow_after=1,slow_until=5", 640}},
        2, N, 32);
    bench_plan(&b, &along_n);
    bool single = false;
    for (int i = 0; i < 40; i++) {
        bench_multiply_right(&b, M);
        single = single || b.run.part_count == 1;
    }
    assert_true(single);
    assert_int_equal(b.run.part_count, 2);
    bench_close(&b);
}

static void an_engine_that_gets_far_too_slow_gets_no_share(void **state)
{
    (void)state;
    bench b;
    bench_open(
        &b,
        (bench_engine[]){{"fake,rate_gflops=0.1,slow_after=1,slow_factor=200,granule_n=16", 640},
                         {"fake,rate_gflops=0.1", 640}},
        2, N, 32);
    bench_plan(&b, &along_n);
    for (int i = 0; i < 8 && (i < 2 || b.run.part_count > 1); i++)
        bench_multiply_right(&b, M);
    bench_multiply_right(&b, M);
    assert_int_equal(b.run.part_count, 1);
    assert_int_equal(b.run.parts[0].engine, 1);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_in_proportion_to_rates),
        cmocka_unit_test(a_fixed_cost_is_paid_for_by_a_smaller_window),
        cmocka_unit_test(a_branch_whose_fixed_cost_is_too_long_gets_nothing),
        cmocka_unit_test(two_windows_end_as_early_as_they_can),
        cmocka_unit_test(borders_stay_where_both_neighbours_reach),
        cmocka_unit_test(two_strays_of_five_do_not_count_three_do),
        cmocka_unit_test(split_moves_the_border_when_an_engine_slows_down),
        cmocka_unit_test(along_m_the_border_moves_too),
        cmocka_unit_test(within_the_slack_nothing_is_prepared_again),
        cmocka_unit_test(an_engine_holds_its_window_and_the_slack_and_no_more),
        cmocka_unit_test(what_was_prepared_before_is_freed),
        cmocka_unit_test(a_fixed_border_stays),
        cmocka_unit_test(a_gain_of_less_than_two_percent_moves_nothing),
        cmocka_unit_test(a_split_that_disappoints_is_held_against_the_best_engine_alone),
        cmocka_unit_test(a_split_given_up_in_a_bad_spell_is_tried_again),
        cmocka_unit_test(an_engine_that_gets_far_too_slow_gets_no_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
