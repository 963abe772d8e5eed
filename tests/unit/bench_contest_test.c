/* The rule by which the bench of the CPU's peers finds bad spells, with limits that follow a
 * script, and who may take part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/cpu/contest.h"

/* In place of gauge.c: the readings, in the order they are taken; the last one stays. */
static const reading *script;
static size_t script_left;

yoke_status gauge_read(const gauge *g, const problem *p, reading *out, yoke_error *err)
{
    (void)g, (void)p, (void)err;
    *out = *script;
    if (script_left > 1)
        script_left--, script++;
    return YOKE_OK;
}

void gauge_rest(void)
{
}

static void *take(const problem *p)
{
    return (void *)(uintptr_t)p;
}

static void *refuse(const problem *p)
{
    (void)p;
    return NULL;
}

static void multiply(void *prepared)
{
    const problem *p = prepared;
    assert_int_equal(yoke_matrix_product(1, p->x, p->w, 0, p->y, NULL), YOKE_OK);
}

static void do_nothing(void *prepared)
{
    (void)prepared;
}

static const peer honest = {"honest", NULL, take, multiply, do_nothing};
static const peer idle = {"idle", NULL, take, do_nothing, do_nothing};
static const peer unable = {"unable", NULL, refuse, multiply, do_nothing};

static outcome run(const reading *readings, size_t count, const peer *const *peers,
                   size_t peer_count)
{
    const bench_case c = {YOKE_F32, 2, 32, 64};
    outcome o;
    script = readings;
    script_left = count;
    assert_int_equal(contest_run(NULL, &c, peers, peer_count, 1e-9, &o, NULL), YOKE_OK);
    return o;
}

static standing run_alone(const reading *readings, size_t count)
{
    const peer *const one[] = {&honest};
    return run(readings, count, one, 1).standings[0];
}

static const reading good = {820, 82};
#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static void all_batches_of_a_steady_machine_count(void **state)
{
    (void)state;
    const reading readings[] = {good, {900, 90}, good};
    standing s = run_alone(readings, COUNT_OF(readings));
    assert_true(s.has_figure);
    assert_int_equal(s.batches, 5);
    assert_int_equal(s.counted, 5);
    assert_int_equal(s.time.count, 5);
}

static void the_batches_on_both_sides_of_a_slow_peak_are_taken_again(void **state)
{
    (void)state;
    const reading readings[] = {good, good, {820, 164}, good};
    standing s = run_alone(readings, COUNT_OF(readings));
    assert_int_equal(s.batches, 7);
    assert_int_equal(s.counted, 5);
}

static void slow_memory_is_a_bad_spell_too(void **state)
{
    (void)state;
    const reading readings[] = {good, good, {920, 82}, good};
    assert_int_equal(run_alone(readings, COUNT_OF(readings)).batches, 7);
}

static void a_batch_no_longer_counts_when_the_machine_shows_more_later(void **state)
{
    (void)state;
    const reading readings[] = {{820, 100}, {820, 100}, {820, 100}, good};
    standing s = run_alone(readings, COUNT_OF(readings));
    assert_int_equal(s.batches, 8);
    assert_int_equal(s.counted, 5);
}

static void without_enough_batches_that_count_there_is_no_figure(void **state)
{
    (void)state;
    const reading readings[] = {good, good, good, {820, 164}};
    standing s = run_alone(readings, COUNT_OF(readings));
    assert_int_equal(s.batches, 15);
    assert_int_equal(s.counted, 2);
    assert_false(s.has_figure);
}

static void who_leaves_y_as_another_left_it_is_not_timed(void **state)
{
    (void)state;
    const reading readings[] = {good};
    const peer *const both[] = {&honest, &idle};
    outcome o = run(readings, 1, both, 2);
    assert_int_equal(o.standings[0].verdict, YOKE_VERDICT_RIGHT);
    assert_int_equal(o.standings[1].verdict, YOKE_VERDICT_NOT_FINITE);
    assert_int_equal(o.standings[1].batches, 0);
    assert_false(o.standings[1].has_figure);
}

static void who_cannot_multiply_that_does_not_enter(void **state)
{
    (void)state;
    const reading readings[] = {good};
    const peer *const both[] = {&unable, &honest};
    outcome o = run(readings, 1, both, 2);
    assert_false(o.standings[0].entered);
    assert_true(o.standings[1].has_figure);
}

static void memory_does_not_matter_to_what_computes_for_longer(void **state)
{
    (void)state;
    const reading readings[] = {{80, 800}, {80, 800}, {400, 800}, {80, 800}};
    assert_int_equal(run_alone(readings, COUNT_OF(readings)).batches, 5);
}

static void the_limit_is_the_longer_of_the_best_of_both(void **state)
{
    (void)state;
    const reading readings[] = {{820, 90}, {900, 82}, {850, 85}};
    const peer *const one[] = {&honest};
    outcome o = run(readings, COUNT_OF(readings), one, 1);
    assert_true(o.best.read_ns == 820 && o.best.compute_ns == 82);
    assert_true(spell_limit_ns(o.best) == 820);
}

static void cases_are_named_by_format_and_sizes(void **state)
{
    (void)state;
    bench_case c;
    assert_true(case_parse("q8_0:8", &c));
    assert_int_equal(c.format, YOKE_Q8_0);
    assert_true(c.m == 8 && c.n == 4096 && c.k == 4096);
    assert_true(case_parse("bf16:512x14336x320", &c));
    assert_true(c.m == 512 && c.n == 14336 && c.k == 320);
    assert_false(case_parse("bf16", &c));
    assert_false(case_parse("bf17:1", &c));
    assert_false(case_parse("bf16:0", &c));
    assert_false(case_parse("bf16:1x2x3x4", &c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_batches_of_a_steady_machine_count),
        cmocka_unit_test(the_batches_on_both_sides_of_a_slow_peak_are_taken_again),
        cmocka_unit_test(slow_memory_is_a_bad_spell_too),
        cmocka_unit_test(a_batch_no_longer_counts_when_the_machine_shows_more_later),
        cmocka_unit_test(without_enough_batches_that_count_there_is_no_figure),
        cmocka_unit_test(who_leaves_y_as_another_left_it_is_not_timed),
        cmocka_unit_test(who_cannot_multiply_that_does_not_enter),
        cmocka_unit_test(memory_does_not_matter_to_what_computes_for_longer),
        cmocka_unit_test(the_limit_is_the_longer_of_the_best_of_both),
        cmocka_unit_test(cases_are_named_by_format_and_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
