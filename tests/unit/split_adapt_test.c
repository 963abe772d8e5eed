/* The states of a layout, walked through by told times: see the table in split/layout.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "split/adapt.h"
#include "split/plan.h"
#include "unit/split_bench.h"

#define FIRST  "fake"
#define SECOND "fake,fixed_us=1" /* another specification: an engine is in a plan once */
#define N      512
#define M      4
#define NS     ((double)M * 640) /* of an output, as predicted for both engines */

/* So many products in which an output takes the first and the second engine so long, and where that
 * leads to: the state, the outputs of the first engine, and its patience. */
typedef struct step {
    double first_ns, second_ns;
    size_t products;
    layout_state state;
    size_t first_count, patience;
} step;

static layout *current(const bench *b)
{
    return atomic_load(&b->plan->layouts[layout_bucket(M)]);
}

static void take(bench *b, const step *s)
{
    const double ns[] = {s->first_ns, s->second_ns};
    for (size_t product = 0; product < s->products; product++) {
        layout *l = current(b);
        double taken[YOKE_SPLIT_MAX_ENGINES];
        for (size_t i = 0; i < l->part_count; i++)
            taken[i] = ns[l->parts[i].engine] * (double)l->parts[i].count;
        adapt_note(b->plan, l, M, taken);
    }
}

static size_t count_of_first(const layout *l)
{
    size_t count = 0;
    for (size_t i = 0; i < l->part_count; i++)
        count += l->parts[i].engine == 0 ? l->parts[i].count : 0;
    return count;
}

static void open_walk(bench *b, const char *first, const char *second)
{
    static const yoke_plan_options options = {.m = M, .solve = {.axis = YOKE_AXIS_N}};
    layout *l;
    bench_open(b, (bench_engine[]){{first, 640}, {second, 640}}, 2, N, 32);
    bench_plan(b, &options);
    assert_ok(layout_get(b->plan, M, &l, &b->err), &b->err);
    assert_int_equal(l->state, LAYOUT_SPLIT);
    assert_int_equal(count_of_first(l), N / 2);
}

static void check_step(bench *b, const step *s)
{
    take(b, s);
    assert_int_equal(current(b)->state, s->state);
    assert_int_equal(count_of_first(current(b)), s->first_count);
    assert_int_equal(current(b)->patience, s->patience);
}

static void walk(const char *first, const char *second, const step *steps, size_t count)
{
    bench b;
    open_walk(&b, first, second);
    for (size_t i = 0; i < count; i++) {
        print_message("step %zu\n", i + 1);
        check_step(&b, &steps[i]);
    }
    bench_close(&b);
}

#define WALK(first, second, ...)                                                                   \
    walk(first, second, (const step[]){__VA_ARGS__},                                               \
         sizeof((const step[]){__VA_ARGS__}) / sizeof(step))

static void a_split_as_predicted_stays(void **state)
{
    (void)state;
    WALK(FIRST, SECOND, {NS, NS, 50, LAYOUT_SPLIT, 256, 0});
}

/* 1 : 2 is 170.7 : 341.3. */
static void a_better_border_makes_another_split(void **state)
{
    (void)state;
    WALK(FIRST, SECOND, {2 * NS, NS, 5, LAYOUT_SPLIT, 171, 0}, {NS, NS, 5, LAYOUT_SPLIT, 256, 0});
}

static void an_engine_that_gets_everything_is_alone_for_good(void **state)
{
    (void)state;
    WALK(FIRST ",granule_n=16", SECOND, {500 * NS, NS, 5, LAYOUT_ALONE, 0, 0},
         {NS, 9 * NS, 50, LAYOUT_ALONE, 0, 0});
}

/* No engine takes more than 288 outputs, which it holds from the start: its window and the slack.
 */
static void what_cannot_be_prepared_settles_a_split_within_what_is(void **state)
{
    (void)state;
    WALK(FIRST, SECOND ",max_n=288", {4 * NS, NS, 5, LAYOUT_SETTLED, 256, 0},
         {4 * NS, NS, 1, LAYOUT_SPLIT, 224, 0}, {4 * NS, NS, 5, LAYOUT_SETTLED, 224, 0},
         {4 * NS, 3 * NS, 20, LAYOUT_SETTLED, 224, 0});
}

static void one_engine_stands_in_and_the_split_returns_when_it_is_no_faster(void **state)
{
    (void)state;
    WALK(FIRST, SECOND, {3 * NS, 3 * NS, 5, LAYOUT_STANDS_IN, 512, 16},
         {3 * NS, 3 * NS, 5, LAYOUT_SPLIT, 256, 16});
}

/* The second time it stands in for twice as long. */
static void one_engine_stands_in_and_the_split_returns_when_patience_is_over(void **state)
{
    (void)state;
    WALK(FIRST, SECOND, {3 * NS, 3 * NS, 5, LAYOUT_STANDS_IN, 512, 16},
         {NS, NS, 15, LAYOUT_STANDS_IN, 512, 16}, {NS, NS, 1, LAYOUT_SPLIT, 256, 16},
         {3 * NS, 3 * NS, 5, LAYOUT_STANDS_IN, 512, 32}, {NS, NS, 31, LAYOUT_STANDS_IN, 512, 32},
         {NS, NS, 1, LAYOUT_SPLIT, 256, 32});
}

static void without_a_split_to_return_to_the_engine_that_stands_in_is_alone(void **state)
{
    (void)state;
    const yoke_error why = {0};
    bench b;
    open_walk(&b, FIRST, SECOND);
    check_step(&b, &(step){3 * NS, 3 * NS, 5, LAYOUT_STANDS_IN, 512, 16});
    plan_quarantine(b.plan, 1, &why);
    check_step(&b, &(step){NS, NS, 16, LAYOUT_ALONE, 512, 16});
    check_step(&b, &(step){9 * NS, NS, 50, LAYOUT_ALONE, 512, 16});
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_split_as_predicted_stays),
        cmocka_unit_test(a_better_border_makes_another_split),
        cmocka_unit_test(an_engine_that_gets_everything_is_alone_for_good),
        cmocka_unit_test(what_cannot_be_prepared_settles_a_split_within_what_is),
        cmocka_unit_test(one_engine_stands_in_and_the_split_returns_when_it_is_no_faster),
        cmocka_unit_test(one_engine_stands_in_and_the_split_returns_when_patience_is_over),
        cmocka_unit_test(without_a_split_to_return_to_the_engine_that_stands_in_is_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
