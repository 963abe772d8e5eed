#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "split/profile.h"
#include "split/subset.h"
#include "unit/measure_near.h"
#include "unit/split_random.h"

static const yoke_solve_options only_n = {.axis = YOKE_AXIS_N, .join_ns = -1, .noise = -1};
static const yoke_solve_options only_m = {.axis = YOKE_AXIS_M, .join_ns = -1, .noise = -1};

static const char *const names[YOKE_SPLIT_MAX_ENGINES] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static yoke_curve_key key_of(size_t engine)
{
    return (yoke_curve_key){.engine = names[engine], .format = YOKE_F16, .k = 64};
}

static yoke_contender contender_of(size_t engine)
{
    return (yoke_contender){.key = key_of(engine), .granule_m = 1, .granule_n = 1};
}

static void add(yoke_profile *profile, size_t engine, size_t m, size_t n, double ns)
{
    yoke_curve_key key = key_of(engine);
    yoke_curve_point point = {.m = m, .n = n, .median_ns = ns, .count = 10};
    assert_int_equal(yoke_profile_add(profile, &key, &point, NULL), YOKE_OK);
}

/* fixed + each * n ns at one row, in proportion to m beyond. */
static void add_straight(yoke_profile *profile, size_t engine, double fixed, double each)
{
    add(profile, engine, 1, 100, fixed + 100 * each);
    add(profile, engine, 1, 200, fixed + 200 * each);
}

static void slow_down(yoke_profile *profile, size_t engine, size_t other, double slowdown)
{
    yoke_curve_key key = key_of(engine);
    assert_int_equal(yoke_profile_add_contention(profile, &key, 1, names[other], slowdown, NULL),
                     YOKE_OK);
}

/* Of no machine: to read this one takes too long for thousands of profiles. */
static yoke_profile *new_profile(void)
{
    yoke_profile *profile = calloc(1, sizeof *profile);
    assert_non_null(profile);
    return profile;
}

static yoke_solution solve(const yoke_profile *profile, const yoke_contender *contenders,
                           size_t count, size_t m, size_t n, const yoke_solve_options *options)
{
    yoke_solution solution;
    yoke_error err = {0};
    if (yoke_solve(profile, contenders, count, m, n, options, &solution, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return solution;
}

static void engines_three_to_one_share_three_to_one(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 0, 10);
    add_straight(profile, 1, 0, 30);
    yoke_contender both[] = {contender_of(0), contender_of(1)};
    both[0].granule_n = both[1].granule_n = 16;
    yoke_solution s = solve(profile, both, 2, 1, 1024, &only_n);
    assert_int_equal(s.axis, YOKE_AXIS_N);
    assert_int_equal(s.window_count, 2);
    assert_int_equal(s.windows[0].engine, 0);
    assert_int_equal(s.windows[0].begin, 0);
    assert_int_equal(s.windows[0].count, 768);
    assert_int_equal(s.windows[1].engine, 1);
    assert_int_equal(s.windows[1].begin, 768);
    assert_int_equal(s.windows[1].count, 256);
    assert_near(s.windows[0].predicted_ns, 7680, 1e-6);
    assert_near(s.windows[1].predicted_ns, 7680, 1e-6);
    assert_near(s.predicted_ns, 7680, 1e-6);
    assert_near(s.best_single_ns, 10240, 1e-6);
    assert_int_equal(s.best_single, 0);
    yoke_profile_free(profile);
}

static void prediction_counts_the_joining_and_ideal_counts_no_fixed_cost(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 1000, 10);
    add_straight(profile, 1, 3000, 10);
    yoke_contender both[] = {contender_of(0), contender_of(1)};
    yoke_solution s = solve(profile, both, 2, 1, 10000, NULL);
    /* 1000 + 10 a = 3000 + 10 b, a + b = 10000; join 3000 by default */
    assert_int_equal(s.windows[0].count, 5100);
    assert_near(s.predicted_ns, 52000 + 3000, 1e-6);
    assert_near(s.ideal_ns, 50000, 1e-6);
    assert_near(s.best_single_ns, 101000, 1e-6);
    yoke_profile_free(profile);
}

static void last_window_takes_the_ragged_end(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 0, 10);
    add_straight(profile, 1, 0, 10);
    yoke_contender both[] = {contender_of(0), contender_of(1)};
    both[0].granule_n = 16;
    both[1].granule_n = 24; /* common: 48 */
    yoke_solution s = solve(profile, both, 2, 1, 257, &only_n);
    assert_int_equal(s.windows[0].count, 144);
    assert_int_equal(s.windows[1].begin, 144);
    assert_int_equal(s.windows[1].count, 113);
    yoke_profile_free(profile);
}

static void two_engines_that_share_one_ceiling_are_not_split(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 0, 10);
    add_straight(profile, 1, 0, 10);
    slow_down(profile, 0, 1, 2);
    slow_down(profile, 1, 0, 2);
    yoke_contender both[] = {contender_of(0), contender_of(1)};
    yoke_solution s = solve(profile, both, 2, 1, 100000, NULL);
    assert_int_equal(s.window_count, 1);
    assert_int_equal(s.windows[0].count, 100000);
    assert_near(s.predicted_ns, 1e6, 1e-6);
    assert_near(s.predicted_ns, s.best_single_ns, 0);
    yoke_profile_free(profile);
}

static void slowdowns_of_three_engines_multiply(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    for (size_t i = 0; i < 3; i++)
        add_straight(profile, i, 0, 10);
    slow_down(profile, 0, 1, 1.2);
    slow_down(profile, 0, 2, 1.5);
    yoke_contender all[] = {contender_of(0), contender_of(1), contender_of(2)};
    yoke_solution s = solve(profile, all, 3, 1, 23000, &only_n);
    assert_int_equal(s.window_count, 3);
    /* rates 1/18, 1/10, 1/10 */
    assert_near((double)s.windows[0].count, 5000, 1);
    assert_near((double)s.windows[1].count, 9000, 1);
    assert_near(s.windows[0].predicted_ns, (double)s.windows[0].count * 18, 1e-6);
    assert_near(s.ideal_ns, 90000, 1e-6);
    yoke_profile_free(profile);
}

static void split_that_wins_by_less_than_the_noise_is_not_taken(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 0, 10);
    add_straight(profile, 1, 0, 390); /* 1/40 of all the work: wins 2.5 % */
    yoke_contender both[] = {contender_of(0), contender_of(1)};
    yoke_solve_options options = {.axis = YOKE_AXIS_N, .join_ns = -1, .noise = 0.03};
    assert_int_equal(solve(profile, both, 2, 1, 40000, &options).window_count, 1);
    options.noise = 0.02;
    assert_int_equal(solve(profile, both, 2, 1, 40000, &options).window_count, 2);
    yoke_profile_free(profile);
}

static void joining_that_costs_more_than_is_won_is_not_done(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 0, 10);
    add_straight(profile, 1, 0, 10);
    yoke_contender both[] = {contender_of(0), contender_of(1)};
    yoke_solve_options options = {.join_ns = 2500};
    assert_int_equal(solve(profile, both, 2, 1, 480, &options).window_count, 1);
    options.join_ns = 2000; /* 2400 + 2000 < 4800 */
    assert_int_equal(solve(profile, both, 2, 1, 480, &options).window_count, 2);
    yoke_profile_free(profile);
}

static void ideal_takes_off_the_fixed_cost_as_slowed_down(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 1000, 10);
    add_straight(profile, 1, 1000, 10);
    slow_down(profile, 0, 1, 1.5);
    slow_down(profile, 1, 0, 1.5);
    yoke_contender both[] = {contender_of(0), contender_of(1)};
    yoke_solution s = solve(profile, both, 2, 1, 20000, &only_n);
    assert_near(s.predicted_ns, 1.5 * (1000 + 10 * 10000), 1e-6);
    assert_near(s.ideal_ns, 150000, 1e-6);
    yoke_profile_free(profile);
}

static void every_member_of_a_subset_gets_a_window(void **state)
{
    (void)state;
    subset s = {.total = 10, .count = 2};
    for (size_t i = 0; i < 2; i++)
        s.entrants[i] = (entrant){.engine = i, .granule = 1};
    s.entrants[0].line = (line){.count = 1, .time = {90}, .slope = 10};
    s.entrants[1].line = (line){.count = 1, .slope = 1};
    size_t counts[YOKE_SPLIT_MAX_ENGINES];
    double slowest;
    assert_true(subset_share(&s, 1e9, counts, &slowest));
    assert_int_equal(counts[0], 1);
    assert_int_equal(counts[1], 9);
    assert_near(slowest, 100, 0);
    assert_false(subset_share(&s, 99, counts, &slowest));
    /* It holds less than one granule. */
    s.entrants[0].granule = 2;
    s.entrants[0].end_max = 1;
    assert_false(subset_share(&s, 1e9, counts, &slowest));
}

static void fixed_cost_above_the_product_gets_no_share(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 0, 10);
    add_straight(profile, 1, 20000, 1);
    yoke_contender both[] = {contender_of(0), contender_of(1)};
    assert_int_equal(solve(profile, both, 2, 1, 1000, NULL).window_count, 1);
    assert_int_equal(solve(profile, both, 2, 1, 1000, NULL).windows[0].engine, 0);
    assert_int_equal(solve(profile, both, 2, 1, 100000, NULL).window_count, 2);
    yoke_profile_free(profile);
}

static void one_row_over_three_engines_stays_whole(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    for (size_t i = 0; i < 3; i++)
        add_straight(profile, i, 0, 10);
    yoke_contender all[] = {contender_of(0), contender_of(1), contender_of(2)};
    yoke_solution s = solve(profile, all, 3, 1, 1000, &only_m);
    assert_int_equal(s.axis, YOKE_AXIS_M);
    assert_int_equal(s.window_count, 1);
    assert_int_equal(s.windows[0].count, 1);
    yoke_profile_free(profile);
}

static void auto_takes_the_better_axis(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    for (size_t i = 0; i < 2; i++)
        for (size_t m = 1; m <= 256; m *= 2) {
            add(profile, i, m, 100, 10000 + (double)m * 100);
            add(profile, i, m, 200, 10000 + (double)m * 200);
        }
    yoke_contender both[] = {contender_of(0), contender_of(1)};
    /* Outputs in whole windows of 128, rows one by one: 256 rows split evenly, 200 outputs do not.
     */
    both[0].granule_n = both[1].granule_n = 128;
    yoke_solution s = solve(profile, both, 2, 256, 200, NULL);
    assert_int_equal(s.axis, YOKE_AXIS_M);
    assert_int_equal(s.windows[1].begin, 128);
    /* One row cannot be split, 256 outputs can. */
    s = solve(profile, both, 2, 1, 25600, NULL);
    assert_int_equal(s.axis, YOKE_AXIS_N);
    assert_int_equal(s.windows[1].begin, 12800);
    yoke_profile_free(profile);
}

static void largest_windows_and_held_parts_are_kept_to(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 0, 10);
    add_straight(profile, 1, 0, 10);
    yoke_contender both[] = {contender_of(0), contender_of(1)};
    both[0].max_n = 300;
    yoke_solution s = solve(profile, both, 2, 1, 1000, &only_n);
    assert_int_equal(s.windows[0].count, 300);
    both[0].max_n = 0;
    both[0].end_max = 400;
    both[1].begin_min = 350;
    s = solve(profile, both, 2, 1, 1000, &only_n);
    assert_int_equal(s.windows[0].count, 400);
    assert_near(s.predicted_ns, 6000, 1e-6);
    /* What neither holds alone is still told. */
    assert_near(s.best_single_ns, 10000, 1e-6);
    yoke_profile_free(profile);
}

static void a_product_that_no_engines_may_take_is_an_error(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 0, 10);
    add_straight(profile, 1, 0, 10);
    yoke_contender both[] = {contender_of(0), contender_of(1)};
    both[0].max_n = both[1].max_n = 400;
    yoke_solution solution;
    yoke_error err;
    assert_int_equal(yoke_solve(profile, both, 2, 1, 1000, NULL, &solution, &err), YOKE_ERR_SHAPE);
    assert_non_null(strstr(err.text, "n = 1000"));
    /* A gap between what they hold. */
    both[0].max_n = both[1].max_n = 0;
    both[0].end_max = 400;
    both[1].begin_min = 401;
    assert_int_equal(yoke_solve(profile, both, 2, 1, 1000, NULL, &solution, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_solve(profile, both, 2, 0, 1000, NULL, &solution, &err), YOKE_ERR_SHAPE);
    yoke_profile_free(profile);
}

static void a_contender_without_a_curve_is_named(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 0, 10);
    yoke_contender both[] = {contender_of(0), contender_of(7)};
    yoke_solution solution;
    yoke_error err;
    assert_int_equal(yoke_solve(profile, both, 2, 1, 100, NULL, &solution, &err),
                     YOKE_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "h: "));
    assert_non_null(strstr(err.text, "f16"));
    yoke_profile_free(profile);
}

static void nonsense_is_a_usage_error(void **state)
{
    (void)state;
    yoke_profile *profile = new_profile();
    add_straight(profile, 0, 0, 10);
    yoke_contender one = contender_of(0);
    yoke_solution solution;
    yoke_solve_options options = {.axis = (yoke_axis)3};
    assert_int_equal(yoke_solve(profile, &one, 0, 1, 1, NULL, &solution, NULL), YOKE_ERR_USAGE);
    assert_int_equal(yoke_solve(profile, &one, 9, 1, 1, NULL, &solution, NULL), YOKE_ERR_USAGE);
    assert_int_equal(yoke_solve(NULL, &one, 1, 1, 1, NULL, &solution, NULL), YOKE_ERR_USAGE);
    assert_int_equal(yoke_solve(profile, &one, 1, 1, 1, &options, &solution, NULL), YOKE_ERR_USAGE);
    options = (yoke_solve_options){.noise = NAN};
    assert_int_equal(yoke_solve(profile, &one, 1, 1, 1, &options, &solution, NULL), YOKE_ERR_USAGE);
    yoke_profile_free(profile);
}

/* ---- Properties that hold for any curves ---- */

#define MEASURED_M 3
static const size_t measured_m[MEASURED_M] = {1, 6, 20};

typedef struct scene {
    yoke_profile *profile;
    size_t count, m, n;
    yoke_contender contenders[YOKE_SPLIT_MAX_ENGINES];
    double slowdown[YOKE_SPLIT_MAX_ENGINES][YOKE_SPLIT_MAX_ENGINES];
} scene;

/* Curves with fixed costs, bends and measuring errors, some of which fall; `speed` divides the
 * times of one engine. */
static void scene_curves(scene *s, uint64_t seed, size_t largest, size_t faster, double speed)
{
    s->profile = new_profile();
    for (size_t i = 0; i < s->count; i++) {
        double fixed = random_real(&seed, 0, 2000), each = random_real(&seed, 5, 100);
        for (size_t row = 0; row < MEASURED_M; row++) {
            size_t points = random_size(&seed, 1, 5);
            double rows = 1 + (double)measured_m[row] * random_real(&seed, 0, 1);
            for (size_t j = 0; j < points; j++) {
                size_t n = random_size(&seed, 1, largest);
                double ns = (fixed + each * (double)n * rows) * random_real(&seed, 0.8, 1.2);
                add(s->profile, i, measured_m[row], n, i == faster ? ns / speed : ns);
            }
        }
    }
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->count; j++) {
            s->slowdown[i][j] = i == j ? 1 : random_real(&seed, 1, 1.6);
            if (i != j)
                slow_down(s->profile, i, j, s->slowdown[i][j]);
        }
}

static scene scene_make(uint64_t seed, size_t count, size_t largest_m, size_t largest_n)
{
    scene s = {.count = count};
    s.m = random_size(&seed, 1, largest_m);
    s.n = random_size(&seed, 1, largest_n);
    bool limits = random_size(&seed, 0, 2) == 0, held = random_size(&seed, 0, 2) == 0;
    for (size_t i = 0; i < count; i++) {
        yoke_contender *c = &s.contenders[i];
        *c = contender_of(i);
        c->granule_m = random_size(&seed, 1, 3);
        c->granule_n = random_size(&seed, 1, 3);
        if (limits && random_size(&seed, 0, 1)) {
            c->max_n = random_size(&seed, 1, s.n + 2);
            c->max_m = random_size(&seed, 1, s.m + 2);
        }
        if (held) {
            c->begin_min = random_size(&seed, 0, s.n * i / count);
            c->end_max = random_size(&seed, s.n * (i + 1) / count, s.n);
        }
    }
    scene_curves(&s, seed, largest_n, count, 1);
    return s;
}

/* A window's time alone, by the rules that split.h states. */
static double alone(const scene *s, size_t i, yoke_axis axis, size_t size)
{
    yoke_curve_key key = key_of(i);
    double ns, slowest = 0, before;
    if (axis == YOKE_AXIS_N) {
        assert_int_equal(yoke_profile_predict(s->profile, &key, s->m, size, &ns, NULL), YOKE_OK);
        return ns;
    }
    for (size_t row = 0; row < MEASURED_M; row++) {
        before = slowest;
        yoke_profile_predict(s->profile, &key, measured_m[row], s->n, &ns, NULL);
        slowest = fmax(slowest, ns);
        if (size <= measured_m[row] && row == 0)
            return slowest;
        if (size <= measured_m[row])
            return before + (slowest - before) * (double)(size - measured_m[row - 1]) /
                                (double)(measured_m[row] - measured_m[row - 1]);
    }
    return slowest * (double)size / (double)measured_m[MEASURED_M - 1];
}

static bool fits(size_t size, size_t max)
{
    return max == 0 || size <= max;
}

static bool may_take(const scene *s, size_t i, yoke_axis axis, size_t begin, size_t end)
{
    const yoke_contender *c = &s->contenders[i];
    size_t first = axis == YOKE_AXIS_N ? begin : 0, last = axis == YOKE_AXIS_N ? end : s->n;
    return fits(axis == YOKE_AXIS_N ? s->m : end - begin, c->max_m) &&
           fits(last - first, c->max_n) && first >= c->begin_min &&
           (c->end_max == 0 || last <= c->end_max);
}

static size_t common_granule(const scene *s, yoke_axis axis, unsigned members)
{
    for (size_t granule = 1;; granule++) {
        bool common = true;
        for (size_t i = 0; i < s->count; i++)
            if (members >> i & 1)
                common = common && granule % (axis == YOKE_AXIS_N ? s->contenders[i].granule_n
                                                                  : s->contenders[i].granule_m) ==
                                       0;
        if (common)
            return granule;
    }
}

/* The best over every way to place the borders of engines `i` and up, from `begin` on. */
static double best_from(const scene *s, yoke_axis axis, unsigned members, size_t i, size_t begin)
{
    size_t total = axis == YOKE_AXIS_N ? s->n : s->m;
    while (i < s->count && !(members >> i & 1))
        i++;
    if (i == s->count)
        return begin == total ? 0 : INFINITY;
    double best = INFINITY, slowdown = 1;
    for (size_t j = 0; j < s->count; j++)
        if (members >> j & 1)
            slowdown *= s->slowdown[i][j];
    bool is_single = (members & (members - 1)) == 0;
    size_t granule = is_single ? total : common_granule(s, axis, members);
    for (size_t end = begin; end < total;) {
        end = end + granule < total ? end + granule : total;
        if (!may_take(s, i, axis, begin, end))
            continue;
        double own = slowdown * alone(s, i, axis, end - begin);
        if (own < best)
            best = fmin(best, fmax(own, best_from(s, axis, members, i + 1, end)));
    }
    return best;
}

/* Along M a single engine takes what it takes for all of n at m, in truth. */
static double brute_force(const scene *s, yoke_axis axis)
{
    double best = INFINITY;
    for (unsigned members = 1; members < 1u << s->count; members++) {
        bool is_single = (members & (members - 1)) == 0;
        best = fmin(best, best_from(s, is_single ? YOKE_AXIS_N : axis, members, 0, 0));
    }
    return best;
}

static void hold_against_brute_force(const scene *s, const yoke_solve_options *options)
{
    yoke_solution solution;
    double best = brute_force(s, options->axis);
    yoke_status status =
        yoke_solve(s->profile, s->contenders, s->count, s->m, s->n, options, &solution, NULL);
    if (!isfinite(best)) {
        assert_int_equal(status, YOKE_ERR_SHAPE);
        return;
    }
    assert_int_equal(status, YOKE_OK);
    assert_near(solution.predicted_ns, best, 1e-9 * best);
}

static void split_along_n_equals_every_border_tried(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        scene s = scene_make(seed, 2 + seed % 2, 24, 40);
        hold_against_brute_force(&s, &only_n);
        yoke_profile_free(s.profile);
    }
}

static void split_along_m_equals_every_border_tried(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        scene s = scene_make(seed, 2 + seed % 2, 40, 24);
        hold_against_brute_force(&s, &only_m);
        yoke_profile_free(s.profile);
    }
}

/* Whole, in order, on the granule, within limits, and told with its own times. */
static void hold_windows(const scene *s, const yoke_solution *solution)
{
    size_t total = solution->axis == YOKE_AXIS_N ? s->n : s->m, next = 0;
    unsigned members = 0;
    double slowest = 0;
    for (size_t i = 0; i < solution->window_count; i++)
        members |= 1u << solution->windows[i].engine;
    size_t granule = common_granule(s, solution->axis, members);
    for (size_t i = 0; i < solution->window_count; i++) {
        const yoke_window *window = &solution->windows[i];
        assert_int_equal(window->begin, next);
        assert_true(window->count > 0);
        assert_int_equal(window->begin % granule, 0);
        assert_true(i == 0 || window->engine > solution->windows[i - 1].engine);
        next += window->count;
        assert_true(may_take(s, window->engine, solution->axis, window->begin, next));
        slowest = fmax(slowest, window->predicted_ns);
    }
    assert_int_equal(next, total);
    assert_near(solution->predicted_ns, slowest, 1e-9 * slowest);
    assert_true(solution->ideal_ns <= solution->predicted_ns * (1 + 1e-9));
}

static void windows_make_up_the_whole_on_the_granule_and_never_lose_to_the_best_alone(void **state)
{
    (void)state;
    const yoke_solve_options options = {.join_ns = -1, .noise = -1};
    for (uint64_t seed = 0; seed < 3000; seed++) {
        scene s = scene_make(seed, 1 + seed % 5, 600, 5000);
        yoke_solution solution;
        if (yoke_solve(s.profile, s.contenders, s.count, s.m, s.n, &options, &solution, NULL) ==
            YOKE_OK) {
            hold_windows(&s, &solution);
            const yoke_contender *best = &s.contenders[solution.best_single];
            if (best->begin_min == 0 && (best->end_max == 0 || best->end_max >= s.n))
                assert_true(solution.predicted_ns <= solution.best_single_ns);
        }
        yoke_profile_free(s.profile);
    }
}

static void a_faster_engine_never_makes_the_prediction_worse(void **state)
{
    (void)state;
    const yoke_solve_options exact = {.join_ns = 500, .noise = -1}, usual = {0};
    for (uint64_t seed = 0; seed < 1500; seed++) {
        scene s = scene_make(seed, 1 + seed % 4, 300, 5000);
        yoke_profile_free(s.profile);
        yoke_solution before, after;
        for (int noisy = 0; noisy < 2; noisy++) {
            const yoke_solve_options *options = noisy ? &usual : &exact;
            scene_curves(&s, seed, 5000, s.count, 1);
            yoke_status status =
                yoke_solve(s.profile, s.contenders, s.count, s.m, s.n, options, &before, NULL);
            yoke_profile_free(s.profile);
            scene_curves(&s, seed, 5000, seed % s.count, 1.3);
            assert_int_equal(
                yoke_solve(s.profile, s.contenders, s.count, s.m, s.n, options, &after, NULL),
                status);
            yoke_profile_free(s.profile);
            /* A single engine may stand in for a split that has stopped to win by the noise. */
            double allowed = before.predicted_ns / (noisy ? 1 - 0.02 : 1) * (1 + 1e-9);
            if (status == YOKE_OK && after.predicted_ns > allowed)
                fail_msg("seed %d: %.17g after %.17g", (int)seed, after.predicted_ns,
                         before.predicted_ns);
        }
    }
}

static void eight_engines_are_solved_as_well_as_the_best_few_of_them(void **state)
{
    (void)state;
    const yoke_solve_options options = {.join_ns = -1, .noise = -1};
    for (uint64_t seed = 0; seed < 20; seed++) {
        scene s = scene_make(3 * seed + 1, 8, 64, 5000);
        for (size_t i = 0; i < 8; i++)
            s.contenders[i] = contender_of(i);
        yoke_solution all = solve(s.profile, s.contenders, 8, s.m, s.n, &options);
        hold_windows(&s, &all);
        yoke_solution few = solve(s.profile, s.contenders, 5, s.m, s.n, &options);
        assert_true(all.predicted_ns <= few.predicted_ns);
        yoke_profile_free(s.profile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_three_to_one_share_three_to_one),
        cmocka_unit_test(prediction_counts_the_joining_and_ideal_counts_no_fixed_cost),
        cmocka_unit_test(last_window_takes_the_ragged_end),
        cmocka_unit_test(two_engines_that_share_one_ceiling_are_not_split),
        cmocka_unit_test(slowdowns_of_three_engines_multiply),
        cmocka_unit_test(split_that_wins_by_less_than_the_noise_is_not_taken),
        cmocka_unit_test(joining_that_costs_more_than_is_won_is_not_done),
        cmocka_unit_test(ideal_takes_off_the_fixed_cost_as_slowed_down),
        cmocka_unit_test(every_member_of_a_subset_gets_a_window),
        cmocka_unit_test(fixed_cost_above_the_product_gets_no_share),
        cmocka_unit_test(one_row_over_three_engines_stays_whole),
        cmocka_unit_test(auto_takes_the_better_axis),
        cmocka_unit_test(largest_windows_and_held_parts_are_kept_to),
        cmocka_unit_test(a_product_that_no_engines_may_take_is_an_error),
        cmocka_unit_test(a_contender_without_a_curve_is_named),
        cmocka_unit_test(nonsense_is_a_usage_error),
        cmocka_unit_test(split_along_n_equals_every_border_tried),
        cmocka_unit_test(split_along_m_equals_every_border_tried),
        cmocka_unit_test(windows_make_up_the_whole_on_the_granule_and_never_lose_to_the_best_alone),
        cmocka_unit_test(a_faster_engine_never_makes_the_prediction_worse),
        cmocka_unit_test(eight_engines_are_solved_as_well_as_the_best_few_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
