#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/split_bench.h"

#define N        96
#define K        40
#define M        6
#define DEADLINE 30000000u /* 30 ms */

static const yoke_axis axes[] = {YOKE_AXIS_N, YOKE_AXIS_M};

/* Three engines alike, but for what the middle one's script says. */
static void open_three(bench *b, const char *script, yoke_axis axis, bool check_every)
{
    char middle[128];
    snprintf(middle, sizeof middle, "fake,%s", script);
    const bench_engine engines[] = {
        {"fake,max_k=1000", 100}, {middle, 100}, {"fake,max_k=1001", 100}};
    const yoke_plan_options options = {.m = M,
                                       .check_every = check_every,
                                       .deadline_ns = DEADLINE,
                                       .solve = {.axis = axis, .join_ns = -1}};
    bench_open(b, engines, 3, N, K);
    bench_plan(b, &options);
}

static const yoke_run_part *part_of(const bench *b, size_t engine)
{
    for (size_t i = 0; i < b->run.part_count; i++)
        if (b->run.parts[i].engine == engine)
            return &b->run.parts[i];
    return NULL;
}

static size_t total_along(yoke_axis axis)
{
    return axis == YOKE_AXIS_N ? N : M;
}

/* The middle engine fails in product `at`: y is right all the same, the run says who did what, and
 * the engine is not used again. */
static void middle_fails(const char *script, int at, bool check_every, yoke_status status,
                         const char *says)
{
    for (int a = 0; a < 2; a++) {
        bench b;
        open_three(&b, script, axes[a], check_every);
        for (int i = 1; i < at; i++) {
            bench_multiply_right(&b, M);
            assert_int_equal(b.run.part_count, 3);
            assert_int_equal(b.run.quarantined, 0);
            assert_string_equal(b.run.note, "");
        }
        bench_multiply_right(&b, M);
        bench_parts_cover(&b, total_along(axes[a]));
        assert_int_equal(b.run.axis, axes[a]);
        assert_int_equal(part_of(&b, 0)->failed, YOKE_OK);
        assert_int_equal(part_of(&b, 1)->failed, status);
        assert_int_equal(part_of(&b, 2)->failed, YOKE_OK);
        assert_int_not_equal(part_of(&b, 1)->redone_by, 1);
        assert_int_equal(b.run.quarantined, 1u << 1);
        if (!strstr(b.run.note, says))
            fail_msg("\"%s\" does not say \"%s\"", b.run.note, says);

        bench_multiply_right(&b, M);
        bench_parts_cover(&b, total_along(axes[a]));
        assert_int_equal(b.run.part_count, 2);
        assert_null(part_of(&b, 1));
        assert_int_equal(b.run.quarantined, 1u << 1);
        assert_string_equal(b.run.note, "");
        bench_close(&b);
    }
}

static void a_failed_submit_is_made_good(void **state)
{
    (void)state;
    middle_fails("fail_at=2", 2, false, YOKE_ERR_ENGINE, "submit 2 failed");
}

static void a_failed_wait_is_made_good(void **state)
{
    (void)state;
    middle_fails("fail_wait_at=2", 2, false, YOKE_ERR_ENGINE, "product 2 failed");
}

static void death_between_submit_and_wait_is_made_good(void **state)
{
    (void)state;
    middle_fails("die_at=3", 3, false, YOKE_ERR_ENGINE, "device lost");
}

static void a_hang_ends_at_the_deadline_and_is_made_good(void **state)
{
    (void)state;
    middle_fails("hang_at=2", 2, false, YOKE_ERR_TIMEOUT, "did not end");
}

static void a_wrong_row_is_found_on_first_use(void **state)
{
    (void)state;
    middle_fails("wrong_row_at=1", 1, false, YOKE_ERR_CHECK, "wrong");
}

static void a_wrong_row_is_found_later_when_every_product_is_checked(void **state)
{
    (void)state;
    middle_fails("wrong_row_at=3", 3, true, YOKE_ERR_CHECK, "wrong");
}

static void zeros_from_other_input_are_found_and_named(void **state)
{
    (void)state;
    middle_fails("zeros_at=1", 1, false, YOKE_ERR_CHECK, "all zero");
}

/* K is 40. */
static void an_engine_that_needs_k_in_steps_of_32_is_found_out(void **state)
{
    (void)state;
    middle_fails("zeros_k32", 1, false, YOKE_ERR_CHECK, "all zero");
}

static void results_beyond_an_engines_limit_are_found_and_named(void **state)
{
    (void)state;
    middle_fails("inf_above=0.01", 1, false, YOKE_ERR_CHECK, "saturated");
}

static void nan_from_finite_input_is_found_and_named(void **state)
{
    (void)state;
    middle_fails("nan_at=1", 1, false, YOKE_ERR_CHECK, "not finite");
}

static void verdicts_are_in_the_report(void **state)
{
    (void)state;
    bench b;
    open_three(&b, "zeros_at=1", YOKE_AXIS_N, false);
    bench_multiply_right(&b, M);
    assert_int_equal(part_of(&b, 0)->verdict, YOKE_VERDICT_RIGHT);
    assert_int_equal(part_of(&b, 1)->verdict, YOKE_VERDICT_ALL_ZERO);
    assert_int_equal(part_of(&b, 2)->verdict, YOKE_VERDICT_RIGHT);
    bench_close(&b);
}

static void the_second_product_is_checked_on_request_only(void **state)
{
    (void)state;
    bench b;
    open_three(&b, "max_k=999", YOKE_AXIS_N, false);
    bench_multiply_right(&b, M);
    bench_multiply_right(&b, M);
    assert_int_equal(b.run.parts[0].verdict, YOKE_VERDICT_UNCHECKED);
    bench_operands(&b, M);
    assert_ok(bench_multiply(&b, &(yoke_matmul_options){.check = true}), &b.err);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(b.run.parts[i].verdict, YOKE_VERDICT_RIGHT);
    bench_close(&b);
}

static void two_failures_in_one_product_are_made_good(void **state)
{
    (void)state;
    for (int a = 0; a < 2; a++) {
        bench b;
        const bench_engine engines[] = {
            {"fake,die_at=2", 100}, {"fake,hang_at=2", 100}, {"fake", 100}};
        const yoke_plan_options options = {
            .m = M, .deadline_ns = DEADLINE, .solve = {.axis = axes[a], .join_ns = -1}};
        bench_open(&b, engines, 3, N, K);
        bench_plan(&b, &options);
        bench_multiply_right(&b, M);
        bench_multiply_right(&b, M);
        assert_int_equal(b.run.part_count, 3);
        assert_int_equal(b.run.quarantined, 3);
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(part_of(&b, i)->redone_by, 2);
        bench_multiply_right(&b, M);
        assert_int_equal(b.run.part_count, 1);
        assert_int_equal(b.run.parts[0].engine, 2);
        bench_close(&b);
    }
}

/* The second engine's stand-in is the first, the faster, and gives wrong results just then. */
static void a_stand_in_is_checked_and_replaced_too(void **state)
{
    (void)state;
    bench b;
    const bench_engine engines[] = {
        {"fake,wrong_row_at=3", 50}, {"fake,die_at=2", 100}, {"fake", 100}};
    const yoke_plan_options options = {.m = M, .solve = {.axis = YOKE_AXIS_N, .join_ns = -1}};
    bench_open(&b, engines, 3, N, K);
    bench_plan(&b, &options);
    bench_multiply_right(&b, M);
    bench_multiply_right(&b, M);
    assert_int_equal(part_of(&b, 0)->failed, YOKE_OK);
    assert_int_equal(part_of(&b, 1)->redone_by, 2);
    assert_int_equal(b.run.quarantined, 3);
    bench_close(&b);
}

/* An engine with granule 16 and small limits stands in for one whose windows begin anywhere. */
static void a_stand_in_works_within_its_limits(void **state)
{
    (void)state;
    bench b;
    const bench_engine engines[] = {{"fake,fail_wait_at=1", 10},
                                    {"fake,granule_n=16,max_n=16,max_m=4", 1000}};
    const yoke_plan_options options = {.m = M};
    bench_open(&b, engines, 2, 91, K);
    bench_plan(&b, &options);
    bench_multiply_right(&b, M);
    assert_int_equal(b.run.part_count, 1);
    assert_int_equal(b.run.parts[0].redone_by, 1);
    bench_close(&b);
}

/* y = 2 x w^T - 3 y, elementwise in double. */
static void with_beta_the_lost_window_starts_from_the_old_y(void **state)
{
    (void)state;
    const char *scripts[] = {"fake,die_at=2", "fake,hang_at=2", "fake,fail_at=2"};
    for (int a = 0; a < 2; a++)
        for (int s = 0; s < 3; s++) {
            bench b;
            const bench_engine engines[] = {{"fake,max_k=1000", 100}, {scripts[s], 100}};
            const yoke_plan_options options = {
                .m = M, .deadline_ns = DEADLINE, .solve = {.axis = axes[a], .join_ns = -1}};
            bench_open(&b, engines, 2, N, K);
            bench_plan(&b, &options);
            bench_multiply_right(&b, M);
            float *y = b.y.data;
            const float *product = b.right.data;
            for (size_t i = 0; i < M * N; i++)
                y[i] = (float)i;
            const yoke_matmul_options scaled = {.scaled = true, .alpha = 2, .beta = -3};
            assert_ok(bench_multiply(&b, &scaled), &b.err);
            assert_int_equal(b.run.quarantined, 2);
            for (size_t i = 0; i < M * N; i++)
                assert_true(fabs((double)y[i] - (2 * (double)product[i] - 3 * (double)i)) <
                            1e-6 * (double)(1 + i));
            bench_close(&b);
        }
}

/* A first product with alpha is checked by one without. */
static void a_wrong_engine_is_found_with_alpha_and_beta_too(void **state)
{
    (void)state;
    bench b;
    open_three(&b, "zeros_k32", YOKE_AXIS_N, false);
    bench_operands(&b, M);
    memset(b.y.data, 0, M * N * sizeof(float));
    const yoke_matmul_options scaled = {.scaled = true, .alpha = 2, .beta = 1};
    assert_ok(bench_multiply(&b, &scaled), &b.err);
    assert_int_equal(b.run.quarantined, 2);
    for (size_t i = 0; i < M * N; i++)
        assert_true(((float *)b.y.data)[i] == 2 * ((float *)b.right.data)[i]);
    bench_close(&b);
}

/* With alpha, the check is a product of its own: the engine's second. */
static void a_hang_in_the_check_of_a_scaled_product_ends_too(void **state)
{
    (void)state;
    bench b;
    const bench_engine engines[] = {{"fake,hang_at=2", 100}, {"fake,max_k=32", 100}};
    const yoke_plan_options options = {
        .m = M, .deadline_ns = 50000000, .solve = {.axis = YOKE_AXIS_N, .join_ns = -1}};
    bench_open(&b, engines, 2, N, 32);
    bench_plan(&b, &options);
    bench_operands(&b, M);
    const yoke_matmul_options scaled = {.scaled = true, .alpha = 2};
    assert_ok(bench_multiply(&b, &scaled), &b.err);
    assert_int_equal(b.run.quarantined, 1);
    assert_int_equal(b.run.parts[0].failed, YOKE_ERR_TIMEOUT);
    assert_true(b.run.end_ns - b.run.begin_ns < 10000000000u); /* a hang without a deadline */
    assert_int_equal(b.run.parts[0].timing.done_ns, 0);
    for (size_t i = 0; i < M * N; i++)
        assert_true(((float *)b.y.data)[i] == 2 * ((float *)b.right.data)[i]);
    bench_close(&b);
}

static void without_an_engine_left_the_product_fails_and_says_why(void **state)
{
    (void)state;
    bench b;
    const bench_engine engines[] = {{"fake,die_at=1", 100}, {"fake,fail_at=1", 100}};
    const yoke_plan_options options = {.m = M, .solve = {.axis = YOKE_AXIS_N, .join_ns = -1}};
    bench_open(&b, engines, 2, N, K);
    bench_plan(&b, &options);
    bench_operands(&b, M);
    assert_int_equal(bench_multiply(&b, NULL), YOKE_ERR_ENGINE);
    assert_says(&b.err, "no engine is left");
    assert_says(&b.err, "device lost");
    assert_int_equal(b.run.quarantined, 3);
    assert_int_equal(bench_multiply(&b, NULL), YOKE_ERR_ENGINE);
    assert_says(&b.err, "no engine is left");
    bench_close(&b);
}

static void an_engine_that_cannot_prepare_is_left_out(void **state)
{
    (void)state;
    bench b;
    const bench_engine engines[] = {{"fake,formats=q8_0", 1}, {"fake", 100}};
    const yoke_plan_options options = {.m = M};
    bench_open(&b, engines, 2, N, K);
    bench_plan(&b, &options);
    bench_multiply_right(&b, M);
    assert_int_equal(b.run.quarantined, 1);
    assert_int_equal(b.run.part_count, 1);
    assert_int_equal(b.run.parts[0].engine, 1);
    bench_close(&b);
}

static void a_plan_that_no_engine_can_prepare_is_refused_with_the_reason(void **state)
{
    (void)state;
    bench b;
    const bench_engine engines[] = {{"fake,formats=q8_0", 1}};
    bench_open(&b, engines, 1, N, K);
    assert_int_equal(yoke_plan_create(b.engines, 1, &b.w, b.profile, NULL, &b.plan, &b.err),
                     YOKE_ERR_ENGINE);
    assert_null(b.plan);
    assert_says(&b.err, "w is f32, not taken");
    bench_close(&b);
}

/* ---- Several threads on one plan, an engine dying under them. ---- */

typedef struct client {
    bench *bench;
    yoke_matrix y;
    bool right;
} client;

static void *multiply_often(void *arg)
{
    client *c = arg;
    size_t bytes = c->y.rows * c->y.cols * sizeof(float);
    c->right = true;
    for (int i = 0; i < 25; i++) {
        yoke_run report;
        memset(c->y.data, 0xff, bytes);
        c->right =
            yoke_matmul(c->bench->plan, &c->bench->x, &c->y, NULL, &report, NULL) == YOKE_OK &&
            memcmp(c->y.data, c->bench->right.data, bytes) == 0 && c->right;
    }
    return NULL;
}

static void threads_share_a_plan_while_an_engine_dies(void **state)
{
    (void)state;
    for (int a = 0; a < 2; a++) {
        bench b;
        client clients[4];
        pthread_t threads[4];
        open_three(&b, "die_at=20", axes[a], false);
        bench_operands(&b, M);
        for (int i = 0; i < 4; i++) {
            clients[i].bench = &b;
            assert_ok(yoke_matrix_create(YOKE_F32, M, N, &clients[i].y, &b.err), &b.err);
            assert_int_equal(pthread_create(&threads[i], NULL, multiply_often, &clients[i]), 0);
        }
        for (int i = 0; i < 4; i++) {
            pthread_join(threads[i], NULL);
            assert_true(clients[i].right);
            yoke_matrix_free(&clients[i].y);
        }
        bench_multiply_right(&b, M);
        assert_int_equal(b.run.quarantined, 2);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_submit_is_made_good),
        cmocka_unit_test(a_failed_wait_is_made_good),
        cmocka_unit_test(death_between_submit_and_wait_is_made_good),
        cmocka_unit_test(a_hang_ends_at_the_deadline_and_is_made_good),
        cmocka_unit_test(a_wrong_row_is_found_on_first_use),
        cmocka_unit_test(a_wrong_row_is_found_later_when_every_product_is_checked),
        cmocka_unit_test(zeros_from_other_input_are_found_and_named),
        cmocka_unit_test(an_engine_that_needs_k_in_steps_of_32_is_found_out),
        cmocka_unit_test(results_beyond_an_engines_limit_are_found_and_named),
        cmocka_unit_test(nan_from_finite_input_is_found_and_named),
        cmocka_unit_test(verdicts_are_in_the_report),
        cmocka_unit_test(the_second_product_is_checked_on_request_only),
        cmocka_unit_test(two_failures_in_one_product_are_made_good),
        cmocka_unit_test(a_stand_in_is_checked_and_replaced_too),
        cmocka_unit_test(a_stand_in_works_within_its_limits),
        cmocka_unit_test(with_beta_the_lost_window_starts_from_the_old_y),
        cmocka_unit_test(a_wrong_engine_is_found_with_alpha_and_beta_too),
        cmocka_unit_test(a_hang_in_the_check_of_a_scaled_product_ends_too),
        cmocka_unit_test(without_an_engine_left_the_product_fails_and_says_why),
        cmocka_unit_test(an_engine_that_cannot_prepare_is_left_out),
        cmocka_unit_test(a_plan_that_no_engine_can_prepare_is_refused_with_the_reason),
        cmocka_unit_test(threads_share_a_plan_while_an_engine_dies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
