#include "split/choose.h"

#include <math.h>

#include "split/plan.h"

#define NO_CALLER SIZE_MAX

/* The contenders of one call of the solver, and which parties they are. */
typedef struct field {
    yoke_contender contenders[YOKE_SPLIT_MAX_ENGINES];
    size_t party[YOKE_SPLIT_MAX_ENGINES];
    size_t count;
} field;

static bool computes_on_caller(const yoke_plan *plan, size_t i)
{
    return plan->parties[i].info->facts.computes_on_caller;
}

static void enter(const yoke_plan *plan, size_t i, bool as_held, field *f)
{
    const party *p = &plan->parties[i];
    const yoke_engine_facts *facts = &p->info->facts;
    yoke_contender contender = {
        .key = p->key,
        .granule_m = facts->granule_m,
        .granule_n = facts->granule_n,
        .max_m = facts->max_m,
        .max_n = facts->max_n,
    };
    if (as_held) {
        const holding *widest = holding_widest(p);
        if (!widest)
            return;
        contender.begin_min = widest->begin;
        contender.end_max = widest->end;
    }
    f->party[f->count] = i;
    f->contenders[f->count++] = contender;
}

/* The solver's answer with one engine that computes on the caller, or none of them. */
static yoke_status solve_with(const yoke_plan *plan, size_t caller, size_t m, bool as_held,
                              yoke_solution *solution, yoke_error *err)
{
    field f = {.count = 0};
    for (size_t i = 0; i < plan->party_count; i++)
        if (plan_may_use(plan, i) && (i == caller || !computes_on_caller(plan, i)))
            enter(plan, i, as_held, &f);
    if (f.count == 0)
        return yoke_error_set(err, YOKE_ERR_ENGINE, "no engine is left");
    yoke_status status = yoke_solve(plan->profile, f.contenders, f.count, m, plan->w.rows,
                                    &plan->options.solve, solution, err);
    if (status != YOKE_OK)
        return status;
    for (size_t i = 0; i < solution->window_count; i++)
        solution->windows[i].engine = f.party[solution->windows[i].engine];
    solution->best_single = f.party[solution->best_single];
    return YOKE_OK;
}

static void keep_better(yoke_solution *best, const yoke_solution *other)
{
    double single_ns = best->best_single_ns;
    size_t single = best->best_single;
    if (other->best_single_ns < single_ns) {
        single_ns = other->best_single_ns;
        single = other->best_single;
    }
    if (other->predicted_ns < best->predicted_ns)
        *best = *other;
    best->best_single_ns = single_ns;
    best->best_single = single;
}

/* Of the engines that compute on the caller one at most can take part: each has its try. */
static yoke_status solve(const yoke_plan *plan, size_t m, bool as_held, yoke_solution *best,
                         yoke_error *err)
{
    *best = (yoke_solution){.predicted_ns = INFINITY, .best_single_ns = INFINITY};
    bool solved = false, any_caller = false;
    yoke_status status = YOKE_OK;
    yoke_error why = {0};
    for (size_t i = 0; i <= plan->party_count; i++) {
        bool last = i == plan->party_count;
        if (last ? any_caller : !plan_may_use(plan, i) || !computes_on_caller(plan, i))
            continue;
        any_caller = true;
        yoke_solution tried;
        yoke_status found = solve_with(plan, last ? NO_CALLER : i, m, as_held, &tried, &why);
        if (found == YOKE_OK)
            keep_better(best, &tried);
        else
            status = found;
        solved = solved || found == YOKE_OK;
    }
    return solved ? YOKE_OK : yoke_error_set(err, status, "%s", why.text);
}

yoke_status choose_windows(yoke_plan *plan, size_t m, yoke_solution *solution, yoke_error *err)
{
    yoke_status status = solve(plan, m, false, solution, err);
    yoke_solution held;
    if (status != YOKE_OK || solve(plan, m, true, &held, NULL) != YOKE_OK)
        return status;
    if (held.predicted_ns * (1 - CHOOSE_PREPARE_GAIN) <= solution->predicted_ns) {
        held.best_single_ns = solution->best_single_ns;
        held.best_single = solution->best_single;
        *solution = held;
    }
    return YOKE_OK;
}
