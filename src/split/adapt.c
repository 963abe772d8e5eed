#include "split/adapt.h"

#include <math.h>
#include <string.h>

#include "base/size.h"
#include "split/choose.h"

#define MOVE_GAIN 0.02 /* what a move must win: medians of five differ by about as much */

/* A split that was given up is tried again after so many products, the next time after twice as
 * many: what slowed it may have been a bad spell. */
#define FIRST_PATIENCE ((size_t)16)

/* What measurements say about a layout. */
typedef struct survey {
    border_branch branches[YOKE_SPLIT_MAX_ENGINES];
    size_t begins[YOKE_SPLIT_MAX_ENGINES + 1]; /* as they are */
    double slowest_ns;                         /* with these */
    double join_ns;
} survey;

static void note(layout *l, size_t m, const double *taken_ns)
{
    double unit_ns[YOKE_SPLIT_MAX_ENGINES];
    double scale = l->axis == YOKE_AXIS_N ? (double)l->m / (double)m : 1;
    for (size_t i = 0; i < l->part_count; i++) {
        size_t count = layout_begin(l, i + 1, m) - layout_begin(l, i, m);
        double taken = taken_ns[i] * scale;
        unit_ns[i] = fmax(taken - l->parts[i].fixed_ns, taken / 2) / (double)count;
    }
    border_note(&l->history, unit_ns, l->part_count);
}

/* Inverse of what `note` does. */
static double fixed_of(const layout_part *part, double unit_ns)
{
    return fmin(part->fixed_ns, unit_ns * (double)part->count);
}

static void expect_what_was_measured(layout *l)
{
    for (size_t i = 0; i < l->part_count; i++) {
        layout_part *part = &l->parts[i];
        double unit_ns = border_median(&l->history, i);
        double ns = fixed_of(part, unit_ns) + unit_ns * (double)part->count;
        atomic_store(&part->expected_ns, (uint64_t)fmin(ns, 1e18));
    }
}

static void take_survey(const layout *l, survey *s)
{
    double predicted = 0;
    for (size_t i = 0; i < l->part_count; i++) {
        const layout_part *part = &l->parts[i];
        double unit_ns = border_median(&l->history, i);
        border_branch branch = {fixed_of(part, unit_ns), unit_ns, 0, l->total};
        if (l->axis == YOKE_AXIS_N) {
            branch.least = size_round_up(part->held->begin, l->granule);
            if (part->held->end < l->total)
                branch.most = part->held->end / l->granule * l->granule;
        }
        s->branches[i] = branch;
        s->begins[i] = part->begin;
        predicted = fmax(predicted, part->predicted_ns);
    }
    s->begins[l->part_count] = l->total;
    s->slowest_ns = border_slowest(s->branches, l->part_count, s->begins);
    s->join_ns = fmax(0, l->predicted_ns - predicted);
}

static yoke_solution solution_of(const layout *l, const survey *s, const size_t *begins)
{
    yoke_solution solution = {
        .axis = l->axis, .best_single_ns = l->best_single_ns, .best_single = l->best_single};
    double rate = 0;
    for (size_t i = 0; i < l->part_count; i++) {
        size_t count = begins[i + 1] - begins[i];
        if (count == 0)
            continue;
        const border_branch *branch = &s->branches[i];
        rate += 1 / branch->unit_ns;
        solution.windows[solution.window_count++] = (yoke_window){
            .engine = l->parts[i].engine,
            .begin = begins[i],
            .count = count,
            .predicted_ns = branch->fixed_ns + branch->unit_ns * (double)count,
        };
    }
    solution.predicted_ns = border_slowest(s->branches, l->part_count, begins) + s->join_ns;
    solution.ideal_ns = (double)l->total / rate;
    return solution;
}

/* What is known of an engine stays known. */
static void carry_over(const layout *from, layout *to)
{
    for (size_t i = 0; i < to->part_count; i++)
        for (size_t j = 0; j < from->part_count; j++) {
            const layout_part *old = &from->parts[j];
            layout_part *part = &to->parts[i];
            if (old->engine != part->engine)
                continue;
            part->fixed_ns = old->fixed_ns;
            if (old->held == part->held)
                atomic_store(&part->checked, atomic_load(&old->checked));
        }
    to->patience = from->patience;
}

static layout *replacement(yoke_plan *plan, layout *l, const yoke_solution *solution)
{
    layout *made;
    size_t failed;
    if (layout_make(plan, l->m, solution, &made, &failed, NULL) != YOKE_OK) {
        l->state = l->part_count > 1 ? LAYOUT_SETTLED : LAYOUT_ALONE;
        return NULL;
    }
    carry_over(l, made);
    return made;
}

static bool within_holdings(const yoke_plan *plan, const layout *l, const size_t *begins)
{
    for (size_t i = 0; i < l->part_count && l->axis == YOKE_AXIS_N; i++) {
        const layout_part *part = &l->parts[i];
        size_t granule = plan->parties[part->engine].info->facts.granule_n;
        if (begins[i] < begins[i + 1] &&
            !holding_covers(part->held, granule, begins[i], begins[i + 1] - begins[i]))
            return false;
    }
    return true;
}

/* The layout with borders where measurements want them; NULL when it is not worth it. */
static layout *move_borders(yoke_plan *plan, layout *l, const survey *s)
{
    size_t wide[YOKE_SPLIT_MAX_ENGINES + 1], near[YOKE_SPLIT_MAX_ENGINES + 1];
    border_balance(s->branches, l->part_count, l->total, l->granule, wide);
    memcpy(near, wide, sizeof near);
    border_clamp(s->branches, l->part_count, near);
    double wide_ns = border_slowest(s->branches, l->part_count, wide);
    double near_ns = border_slowest(s->branches, l->part_count, near);
    if (!within_holdings(plan, l, near))
        near_ns = INFINITY;

    const size_t *chosen = NULL;
    if (near_ns < s->slowest_ns * (1 - MOVE_GAIN))
        chosen = near;
    if (l->state == LAYOUT_SPLIT &&
        wide_ns < fmin(s->slowest_ns, near_ns) * (1 - CHOOSE_PREPARE_GAIN))
        chosen = wide;
    if (!chosen)
        return NULL;
    const yoke_solution solution = solution_of(l, s, chosen);
    return replacement(plan, l, &solution);
}

/* The best single engine, when the split takes longer than that is known to take alone. */
static layout *give_up_split(yoke_plan *plan, layout *l, const survey *s)
{
    if (l->state != LAYOUT_SPLIT || !plan_may_use(plan, l->best_single) ||
        !(l->best_single_ns < s->slowest_ns * (1 - CHOOSE_PREPARE_GAIN)))
        return NULL;
    yoke_solution solution = {
        .axis = l->axis,
        .window_count = 1,
        .windows = {{l->best_single, 0, l->total, l->best_single_ns}},
        .predicted_ns = l->best_single_ns,
        .best_single_ns = l->best_single_ns,
        .best_single = l->best_single,
        .ideal_ns = l->best_single_ns,
    };
    layout *made = replacement(plan, l, &solution);
    if (made) {
        made->state = LAYOUT_STANDS_IN;
        made->patience = l->patience ? 2 * l->patience : FIRST_PATIENCE;
        made->instead_of_ns = s->slowest_ns;
    }
    return made;
}

/* The split again, when the single engine has not been faster after all, or has stood in for long.
 */
static layout *take_up_split(yoke_plan *plan, layout *l, const survey *s)
{
    yoke_solution solution;
    if (s->slowest_ns < l->instead_of_ns && l->history.count < l->patience)
        return NULL;
    l->state = LAYOUT_ALONE;
    if (choose_windows(plan, l->m, &solution, NULL) != YOKE_OK || solution.window_count < 2)
        return NULL;
    layout *made = replacement(plan, l, &solution);
    if (made) {
        made->best_single = l->best_single;
        made->best_single_ns = s->slowest_ns; /* measured now, not predicted */
    }
    return made;
}

static layout *reconsider(yoke_plan *plan, layout *l)
{
    survey s;
    if (l->state == LAYOUT_ALONE)
        return NULL;
    take_survey(l, &s);
    if (l->state == LAYOUT_STANDS_IN)
        return take_up_split(plan, l, &s);
    layout *made = move_borders(plan, l, &s);
    return made ? made : give_up_split(plan, l, &s);
}

bool adapt_note(yoke_plan *plan, layout *l, size_t m, const double *taken_ns)
{
    if (pthread_mutex_trylock(&plan->lock) != 0)
        return false; /* another product is being noted, or windows prepared: this one may go */
    size_t bucket = layout_bucket(m);
    bool current = atomic_load(&plan->layouts[bucket]) == l;
    layout *made = NULL;
    if (current) {
        note(l, m, taken_ns);
        if (border_is_known(&l->history)) {
            expect_what_was_measured(l);
            made = plan->options.fixed ? NULL : reconsider(plan, l);
        }
    }
    if (made) {
        layout_replace(plan, bucket, l, made);
        plan_collect(plan);
    }
    pthread_mutex_unlock(&plan->lock);
    return made != NULL;
}
