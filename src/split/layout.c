#include "split/layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "split/choose.h"
#include "split/plan.h"

/* floor(log2(n)), n >= 1 */
static unsigned log2_floor(size_t n)
{
    unsigned result = 0;
    while (n >>= 1)
        result++;
    return result;
}

size_t layout_bucket(size_t m)
{
    if (m <= LAYOUT_EXACT_M)
        return m - 1;
    unsigned octave = log2_floor(m - 1); /* m is in (2^octave, 2^(octave + 1)] */
    size_t eighth = (m - 1 - ((size_t)1 << octave)) >> (octave - 3);
    return LAYOUT_EXACT_M + (octave - 6) * 8 + eighth;
}

size_t layout_bucket_top(size_t bucket)
{
    if (bucket < LAYOUT_EXACT_M)
        return bucket + 1;
    size_t octave = (bucket - LAYOUT_EXACT_M) / 8 + 6, eighth = (bucket - LAYOUT_EXACT_M) % 8;
    return ((size_t)1 << octave) + (eighth + 1) * ((size_t)1 << (octave - 3));
}

size_t layout_begin(const layout *l, size_t i, size_t m)
{
    size_t end = l->axis == YOKE_AXIS_M ? m : l->total;
    if (i == l->part_count)
        return end;
    if (end == l->total)
        return l->parts[i].begin;
    double begin = (double)l->parts[i].begin / (double)l->total * (double)end;
    return (size_t)(begin / (double)l->granule) * l->granule;
}

static size_t common_granule(const yoke_plan *plan, const yoke_solution *solution)
{
    size_t granule = 1;
    for (size_t i = 0; i < solution->window_count && solution->window_count > 1; i++) {
        const yoke_engine_facts *facts = &plan->parties[solution->windows[i].engine].info->facts;
        size_t own = solution->axis == YOKE_AXIS_N ? facts->granule_n : facts->granule_m;
        (void)size_common_multiple(granule, own, &granule); /* the solver found that it fits */
    }
    return granule;
}

/* The rows of w to prepare for a window: some more on either side, for the border to move. */
static void window_with_slack(const yoke_plan *plan, const layout *l, const yoke_window *window,
                              size_t *begin, size_t *end)
{
    size_t n = plan->w.rows, max_n = plan->parties[window->engine].info->facts.max_n;
    *begin = 0;
    *end = n;
    if (l->axis == YOKE_AXIS_M)
        return;
    size_t slack = plan->options.fixed ? 0 : (size_t)(plan->options.slack * (double)n);
    slack = size_min(size_round_up(slack, l->granule), n);
    *begin = window->begin > slack ? window->begin - slack : 0;
    *end = size_min(window->begin + window->count + slack, n);
    if (max_n > 0 && *end - *begin > max_n) {
        *begin = window->begin;
        *end = window->begin + window->count;
    }
}

static yoke_status hold(yoke_plan *plan, const layout *l, const yoke_window *window, holding **held,
                        yoke_error *err)
{
    party *p = &plan->parties[window->engine];
    bool along_n = l->axis == YOKE_AXIS_N;
    *held = holding_find(p, along_n ? window->begin : 0, along_n ? window->count : plan->w.rows);
    if (*held)
        return YOKE_OK;
    size_t begin, end;
    window_with_slack(plan, l, window, &begin, &end);
    return holding_prepare(p, &plan->w, begin, end, held, err);
}

static double alone_ns(const yoke_plan *plan, const layout *l, const yoke_window *window,
                       size_t count)
{
    bool along_n = l->axis == YOKE_AXIS_N;
    double ns = 0;
    yoke_profile_predict(plan->profile, &plan->parties[window->engine].key, along_n ? l->m : count,
                         along_n ? count : plan->w.rows, &ns, NULL);
    return ns;
}

/* From the slope between half the window and all of it. */
static double fixed_part(const yoke_plan *plan, const layout *l, const yoke_window *window)
{
    if (window->count < 2)
        return 0;
    double whole = alone_ns(plan, l, window, window->count);
    double half = alone_ns(plan, l, window, window->count / 2);
    double slope = (whole - half) / (double)(window->count - window->count / 2);
    double fixed = whole - slope * (double)window->count;
    return whole > 0 ? fmax(0, fixed) / whole * window->predicted_ns : 0;
}

static bool is_submitted_before(const yoke_plan *plan, const layout *l, size_t a, size_t b)
{
    const party *first = &plan->parties[l->parts[a].engine];
    const party *second = &plan->parties[l->parts[b].engine];
    bool first_waits = first->info->facts.computes_on_caller;
    bool second_waits = second->info->facts.computes_on_caller;
    if (first_waits != second_waits)
        return second_waits;
    return (uintptr_t)first->engine < (uintptr_t)second->engine;
}

/* Engines that work by themselves first. An engine may be ours alone from submit to wait, so that
 * all products take them in one order, whatever their plan, lest two wait for each other. */
static void put_in_order(const yoke_plan *plan, layout *l)
{
    for (size_t i = 0; i < l->part_count; i++) {
        size_t at = i;
        for (; at > 0 && is_submitted_before(plan, l, i, l->order[at - 1]); at--)
            l->order[at] = l->order[at - 1];
        l->order[at] = i;
    }
    size_t last = l->parts[l->order[l->part_count - 1]].engine;
    l->last_is_caller = plan->parties[last].info->facts.computes_on_caller;
}

static yoke_status add_part(yoke_plan *plan, layout *l, const yoke_window *window, yoke_error *err)
{
    holding *held;
    yoke_status status = hold(plan, l, window, &held, err);
    if (status != YOKE_OK)
        return status;
    layout_part *part = &l->parts[l->part_count];
    part->engine = window->engine;
    part->begin = window->begin;
    part->count = window->count;
    part->predicted_ns = window->predicted_ns;
    part->fixed_ns = fixed_part(plan, l, window);
    part->held = held;
    held->users++;
    atomic_init(&part->expected_ns, (uint64_t)fmin(window->predicted_ns, 1e18));
    atomic_init(&part->checked, false);
    return YOKE_OK;
}

yoke_status layout_make(yoke_plan *plan, size_t m, const yoke_solution *solution, layout **out,
                        size_t *failed, yoke_error *err)
{
    *failed = plan->party_count;
    layout *l = calloc(1, sizeof *l);
    if (!l)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "choosing windows: out of memory");
    l->m = m;
    l->axis = solution->axis;
    l->total = solution->axis == YOKE_AXIS_M ? m : plan->w.rows;
    l->granule = common_granule(plan, solution);
    l->predicted_ns = solution->predicted_ns;
    l->best_single_ns = solution->best_single_ns;
    l->best_single = solution->best_single;
    l->ideal_ns = solution->ideal_ns;
    size_t count = solution->window_count;
    for (l->part_count = 0; l->part_count < count; l->part_count++) {
        yoke_status status = add_part(plan, l, &solution->windows[l->part_count], err);
        if (status != YOKE_OK) {
            *failed = solution->windows[l->part_count].engine;
            layout_free(l);
            return status;
        }
    }
    put_in_order(plan, l);
    l->state = count > 1 ? LAYOUT_SPLIT : LAYOUT_ALONE;
    *out = l;
    return YOKE_OK;
}

void layout_free(layout *l)
{
    for (size_t i = 0; i < l->part_count; i++)
        l->parts[i].held->users--;
    free(l);
}

void layout_replace(yoke_plan *plan, size_t bucket, layout *old, layout *made)
{
    atomic_store(&plan->layouts[bucket], made);
    if (old) {
        old->next = plan->retired;
        plan->retired = old;
    }
}

/* Whether l serves m rows: windows of rows, scaled and rounded, may get too large for an engine. */
static bool serves(const yoke_plan *plan, const layout *l, size_t m)
{
    if (m > l->m)
        return false;
    for (size_t i = 0; i < l->part_count && l->axis == YOKE_AXIS_M && m < l->m; i++) {
        size_t max_m = plan->parties[l->parts[i].engine].info->facts.max_m;
        if (max_m > 0 && layout_begin(l, i + 1, m) - layout_begin(l, i, m) > max_m)
            return false;
    }
    return true;
}

/* An engine that cannot prepare its window is out, and the others are asked again. */
static yoke_status build_for(yoke_plan *plan, size_t m, layout **out, yoke_error *err)
{
    for (;;) {
        yoke_solution solution;
        size_t failed;
        yoke_error why = {0};
        yoke_status status = choose_windows(plan, m, &solution, err);
        if (status != YOKE_OK)
            return status;
        status = layout_make(plan, m, &solution, out, &failed, &why);
        if (status == YOKE_OK)
            return YOKE_OK;
        if (failed == plan->party_count)
            return yoke_error_set(err, status, "%s", why.text);
        plan_quarantine_locked(plan, failed, &why);
    }
}

/* For the largest M of the bucket, so that it serves them all; for m alone where that is too large.
 */
static yoke_status build(yoke_plan *plan, size_t bucket, size_t m, layout **out, yoke_error *err)
{
    yoke_error why;
    size_t top = layout_bucket_top(bucket);
    yoke_status status = build_for(plan, top, out, &why);
    if (status == YOKE_OK && serves(plan, *out, m))
        return YOKE_OK;
    if (status == YOKE_OK)
        layout_free(*out);
    else if (status != YOKE_ERR_SHAPE || top == m)
        return yoke_error_set(err, status, "%s", why.text);
    return build_for(plan, m, out, err);
}

yoke_status layout_get(yoke_plan *plan, size_t m, layout **out, yoke_error *err)
{
    size_t bucket = layout_bucket(m);
    *out = atomic_load(&plan->layouts[bucket]);
    if (*out && serves(plan, *out, m))
        return YOKE_OK;
    pthread_mutex_lock(&plan->lock);
    layout *old = atomic_load(&plan->layouts[bucket]);
    yoke_status status = YOKE_OK;
    if (old && serves(plan, old, m)) {
        *out = old; /* another thread was faster */
    } else {
        status = build(plan, bucket, m, out, err);
        if (status == YOKE_OK) {
            layout_replace(plan, bucket, old, *out);
            plan_collect(plan);
        }
    }
    pthread_mutex_unlock(&plan->lock);
    return status;
}

static void describe(const layout *l, size_t m, yoke_solution *solution)
{
    double scale = (double)m / (double)l->m;
    *solution = (yoke_solution){
        .axis = l->axis,
        .predicted_ns = l->predicted_ns * scale,
        .best_single_ns = l->best_single_ns * scale,
        .best_single = l->best_single,
        .ideal_ns = l->ideal_ns * scale,
    };
    for (size_t i = 0; i < l->part_count; i++) {
        size_t begin = layout_begin(l, i, m), end = layout_begin(l, i + 1, m);
        if (begin < end)
            solution->windows[solution->window_count++] = (yoke_window){
                .engine = l->parts[i].engine,
                .begin = begin,
                .count = end - begin,
                .predicted_ns = (double)atomic_load(&l->parts[i].expected_ns) * scale,
            };
    }
}

yoke_status layout_describe(yoke_plan *plan, size_t m, yoke_solution *solution, yoke_error *err)
{
    pthread_mutex_lock(&plan->lock);
    const layout *l = atomic_load(&plan->layouts[layout_bucket(m)]);
    yoke_status status = YOKE_OK;
    if (l && serves(plan, l, m))
        describe(l, m, solution);
    else
        status = choose_windows(plan, m, solution, err);
    pthread_mutex_unlock(&plan->lock);
    return status;
}
