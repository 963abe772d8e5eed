/* The solver: the best single engine, the best split along each axis, and the choice among them. */
#include <math.h>

#include "split/profile.h"
#include "split/subset.h"

#define JOIN_NS   3000.0 /* submitting to and waiting for a second engine on two cores */
#define NOISE     0.02   /* what medians of the same product differ by from day to day */
#define HUGE_TIME 1e300  /* beyond any prediction */

/* What is asked, with the contenders' curves. */
typedef struct question {
    const yoke_profile *profile;
    const yoke_contender *contenders;
    const profile_curve *curves[YOKE_SPLIT_MAX_ENGINES];
    double slowdown[YOKE_SPLIT_MAX_ENGINES][YOKE_SPLIT_MAX_ENGINES]; /* of [i] by [j] at m */
    size_t count, m, n;
    double join_ns, noise;
} question;

static bool within(size_t size, size_t max)
{
    return max == 0 || size <= max;
}

static bool holds_all(const yoke_contender *contender, size_t n)
{
    return contender->begin_min == 0 && (contender->end_max == 0 || contender->end_max >= n);
}

static yoke_status find_curves(question *q, yoke_error *err)
{
    yoke_status status;
    for (size_t i = 0; i < q->count; i++) {
        q->curves[i] = profile_find(q->profile, &q->contenders[i].key, &status, err);
        if (!q->curves[i])
            return status;
    }
    for (size_t i = 0; i < q->count; i++)
        for (size_t j = 0; j < q->count; j++)
            q->slowdown[i][j] = i == j ? 1
                                       : profile_contention_of(q->profile, q->curves[i], q->m,
                                                               q->contenders[j].key.engine);
    return YOKE_OK;
}

/* The engines' own times for the whole product; those that hold it all may take it. */
static void solve_singles(const question *q, yoke_solution *best)
{
    best->best_single_ns = INFINITY;
    best->predicted_ns = INFINITY;
    for (size_t i = 0; i < q->count; i++) {
        const yoke_contender *contender = &q->contenders[i];
        if (!within(q->m, contender->max_m) || !within(q->n, contender->max_n))
            continue;
        line over_n;
        curve_over_n(&q->curves[i]->curve, q->m, &over_n);
        double time = line_time(&over_n, q->n);
        if (time < best->best_single_ns) {
            best->best_single_ns = time;
            best->best_single = i;
        }
        if (holds_all(contender, q->n) && time < best->predicted_ns) {
            best->predicted_ns = time;
            best->window_count = 1;
            best->windows[0] = (yoke_window){.engine = i, .predicted_ns = time};
        }
    }
}

/* An engine's terms along an axis. False when it cannot take part. */
static bool enter(const question *q, yoke_axis axis, size_t i, entrant *e)
{
    const yoke_contender *contender = &q->contenders[i];
    const curve *c = &q->curves[i]->curve;
    *e = (entrant){.engine = i};
    size_t granule;
    if (axis == YOKE_AXIS_N) {
        granule = contender->granule_n;
        e->max = contender->max_n;
        e->begin_min = contender->begin_min;
        e->end_max = contender->end_max;
        curve_over_n(c, q->m, &e->line);
    } else {
        granule = contender->granule_m;
        e->max = contender->max_m;
        curve_over_m(c, q->n, &e->line);
    }
    e->granule = granule == 0 ? 1 : granule;
    return axis == YOKE_AXIS_N ? within(q->m, contender->max_m)
                               : within(q->n, contender->max_n) && holds_all(contender, q->n);
}

static double slowdown_by_all(const question *q, size_t i, unsigned members)
{
    double slowdown = 1;
    for (size_t j = 0; j < q->count; j++)
        if (members >> j & 1)
            slowdown *= q->slowdown[i][j];
    return slowdown;
}

/* The members of a set of contenders, each slowed down by the others. */
static void gather(const question *q, const entrant *all, unsigned members, subset *s)
{
    s->count = 0;
    for (size_t i = 0; i < q->count; i++) {
        if (!(members >> i & 1))
            continue;
        entrant *e = &s->entrants[s->count++];
        *e = (entrant){.engine = i,
                       .granule = all[i].granule,
                       .max = all[i].max,
                       .begin_min = all[i].begin_min,
                       .end_max = all[i].end_max};
        line_scale(&all[i].line, slowdown_by_all(q, i, members), &e->line);
    }
}

static void keep_split(const subset *s, yoke_axis axis, const size_t *counts, yoke_solution *split)
{
    split->axis = axis;
    split->window_count = s->count;
    for (size_t i = 0, begin = 0; i < s->count; begin += counts[i++])
        split->windows[i] =
            (yoke_window){.engine = s->entrants[i].engine,
                          .begin = begin,
                          .count = counts[i],
                          .predicted_ns = line_time(&s->entrants[i].line, counts[i])};
}

/* Improves on *split (predicted_ns without joining) where a set of two or more can. */
static void solve_axis(const question *q, yoke_axis axis, yoke_solution *split)
{
    entrant all[YOKE_SPLIT_MAX_ENGINES];
    unsigned able = 0;
    for (size_t i = 0; i < q->count; i++)
        able |= (unsigned)enter(q, axis, i, &all[i]) << i;

    subset s = {.total = axis == YOKE_AXIS_N ? q->n : q->m};
    size_t counts[YOKE_SPLIT_MAX_ENGINES];
    for (unsigned members = 3; members < 1u << q->count; members++) {
        bool several = (members & (members - 1)) != 0;
        double slowest;
        if (!several || (members & ~able) != 0)
            continue;
        gather(q, all, members, &s);
        if (subset_share(&s, split->predicted_ns, counts, &slowest) &&
            slowest < split->predicted_ns) {
            split->predicted_ns = slowest;
            keep_split(&s, axis, counts, split);
        }
    }
}

/* Work over the sum of the engines' rates once their fixed costs are taken off. */
static double ideal_time(const question *q, const yoke_solution *solution)
{
    double rate = 0, work = 0;
    unsigned members = 0;
    for (size_t i = 0; i < solution->window_count; i++)
        members |= 1u << solution->windows[i].engine;
    for (size_t i = 0; i < solution->window_count; i++) {
        const yoke_window *window = &solution->windows[i];
        line over_n;
        curve_over_n(&q->curves[window->engine]->curve,
                     solution->axis == YOKE_AXIS_M ? window->count : q->m, &over_n);
        double fixed = over_n.time[0] * slowdown_by_all(q, window->engine, members);
        bool all_fixed = fixed >= window->predicted_ns; /* a flat curve: nothing is known of it */
        rate += (double)window->count / (window->predicted_ns - (all_fixed ? 0 : fixed));
        work += (double)window->count;
    }
    return work / rate;
}

static yoke_status solve(const question *q, yoke_axis axis, yoke_solution *solution,
                         yoke_error *err)
{
    yoke_axis single_axis = axis == YOKE_AXIS_M ? YOKE_AXIS_M : YOKE_AXIS_N;
    solve_singles(q, solution);
    solution->axis = single_axis;
    solution->windows[0].count = single_axis == YOKE_AXIS_M ? q->m : q->n;

    /* What a split has to win against; without a single engine that can, any will do. */
    yoke_solution split = *solution;
    split.window_count = 0;
    split.predicted_ns = solution->window_count == 0
                             ? HUGE_TIME
                             : solution->predicted_ns * (1 - q->noise) - q->join_ns;
    if (axis != YOKE_AXIS_M)
        solve_axis(q, YOKE_AXIS_N, &split);
    if (axis != YOKE_AXIS_N)
        solve_axis(q, YOKE_AXIS_M, &split);
    if (split.window_count > 0) {
        split.predicted_ns += q->join_ns;
        *solution = split;
    }
    if (solution->window_count == 0)
        return yoke_error_set(
            err, YOKE_ERR_SHAPE,
            "no engine may take m = %zu, n = %zu, alone or together: beyond their "
            "largest windows, or the parts they hold",
            q->m, q->n);
    solution->ideal_ns = ideal_time(q, solution);
    return YOKE_OK;
}

static double or_default(double given, double otherwise)
{
    return given == 0 ? otherwise : given < 0 ? 0 : given;
}

yoke_status yoke_solve(const yoke_profile *profile, const yoke_contender *contenders, size_t count,
                       size_t m, size_t n, const yoke_solve_options *options,
                       yoke_solution *solution, yoke_error *err)
{
    yoke_solve_options chosen = options ? *options : (yoke_solve_options){0};
    if (!contenders || !solution || count == 0 || count > YOKE_SPLIT_MAX_ENGINES)
        return yoke_error_set(err, YOKE_ERR_USAGE,
                              "a product is split among 1 to %d engines, not %zu",
                              YOKE_SPLIT_MAX_ENGINES, contenders ? count : 0);
    if (chosen.axis < YOKE_AXIS_AUTO || chosen.axis > YOKE_AXIS_M || !isfinite(chosen.join_ns) ||
        !(chosen.noise < 1))
        return yoke_error_set(err, YOKE_ERR_USAGE, "axis %d, join_ns %g, noise %g: no such options",
                              (int)chosen.axis, chosen.join_ns, chosen.noise);
    if (m == 0 || n == 0 || m > PTRDIFF_MAX || n > PTRDIFF_MAX)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "m = %zu, n = %zu cannot be split", m, n);

    question q = {.profile = profile,
                  .contenders = contenders,
                  .count = count,
                  .m = m,
                  .n = n,
                  .join_ns = or_default(chosen.join_ns, JOIN_NS),
                  .noise = or_default(chosen.noise, NOISE)};
    yoke_status status = find_curves(&q, err);
    yoke_solution found = {0};
    if (status == YOKE_OK)
        status = solve(&q, chosen.axis, &found, err);
    if (status == YOKE_OK)
        *solution = found;
    return status;
}
