/* Curves of one product for the solver: made from figures, or from the curves of this machine. */
#include "planner/share.h"

#include <math.h>
#include <stdlib.h>

#include "split/profile.h"

/* Points of a curve; measured ones bend. */
#define POINTS 8

/* Borders between engines, in outputs: multiples that no engine minds. */
#define GRANULE 64

typedef struct sharing {
    const yoke_planner_machine *machine;
    const yoke_planner_product *product;
    size_t m;
    yoke_profile *profile;
    yoke_contender contenders[YOKE_PLANNER_MAX_ENGINES];
    cost costs[YOKE_PLANNER_MAX_ENGINES];
    size_t count;
} sharing;

static yoke_status add_curve(sharing *s, size_t index, yoke_error *err)
{
    const cost *c = &s->costs[index];
    yoke_contender *contender = &s->contenders[index];
    contender->key = (yoke_curve_key){.engine = s->machine->engines[c->engine].name,
                                      .format = s->product->format,
                                      .k = s->product->k};
    contender->granule_n = GRANULE;
    size_t last = 0;
    for (size_t i = 1; i <= POINTS; i++) {
        size_t n = i * (s->product->n / POINTS) + (i == POINTS ? s->product->n % POINTS : 0);
        if (n == last)
            continue;
        last = n;
        yoke_curve_point point = {
            .m = s->m, .n = n, .median_ns = cost_ns(c, s->product, s->m, n), .count = 1};
        yoke_status status = yoke_profile_add(s->profile, &contender->key, &point, err);
        if (status != YOKE_OK)
            return status;
    }
    return YOKE_OK;
}

static yoke_status add_slowdowns(sharing *s, size_t index, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < s->count && status == YOKE_OK; i++) {
        if (i == index)
            continue;
        double slowdown = cost_slowdown(&s->costs[index], &s->costs[i], s->product, s->m);
        status = yoke_profile_add_contention(s->profile, &s->contenders[index].key, s->m,
                                             s->machine->engines[s->costs[i].engine].name, slowdown,
                                             err);
    }
    return status;
}

static yoke_status fill(sharing *s, const corner *at, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t e = 0; e < s->machine->count && status == YOKE_OK; e++) {
        cost c = {.machine = s->machine, .engine = e, .better = at->better[e]};
        if (!cost_known(s->machine, e) || isnan(cost_ns(&c, s->product, s->m, s->product->n)))
            continue;
        s->costs[s->count] = c;
        status = add_curve(s, s->count++, err);
    }
    for (size_t i = 0; i < s->count && status == YOKE_OK; i++)
        status = add_slowdowns(s, i, err);
    return status;
}

yoke_status share_solve(const yoke_planner_machine *machine, const corner *at,
                        const yoke_planner_product *product, size_t m, yoke_solution *solution,
                        yoke_error *err)
{
    sharing s = {.machine = machine, .product = product, .m = m};
    s.profile = calloc(1, sizeof *s.profile); /* of no machine: it is never kept */
    if (!s.profile)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory to share it", product->role);
    yoke_solve_options options = {.axis = YOKE_AXIS_N};
    yoke_status status = fill(&s, at, err);
    if (status == YOKE_OK)
        status =
            yoke_solve(s.profile, s.contenders, s.count, m, product->n, &options, solution, err);
    yoke_profile_free(s.profile);
    if (status != YOKE_OK)
        return status;
    for (size_t w = 0; w < solution->window_count; w++)
        solution->windows[w].engine = s.costs[solution->windows[w].engine].engine;
    solution->best_single = s.costs[solution->best_single].engine;
    return YOKE_OK;
}
