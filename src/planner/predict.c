/* A prompt and a token of the answer, through all products of a model. */
#include <math.h>
#include <string.h>

#include "planner/figure.h"
#include "planner/model.h"
#include "planner/share.h"

#define PROMPT 512

typedef struct pass {
    const yoke_planner_model *model;
    const yoke_planner_machine *machine;
    yoke_planner_phase *phase;
    size_t rows;
    yoke_planner_product cache; /* what attention reads; count 0: nothing */
} pass;

static const yoke_planner_product *product_at(const pass *p, size_t index)
{
    if (index < p->model->count)
        return &p->model->products[index];
    return index == p->model->count && p->cache.count > 0 ? &p->cache : NULL;
}

static size_t rows_of(const pass *p, const yoke_planner_product *product)
{
    return product->last_row ? 1 : p->rows;
}

static void count_work(pass *p)
{
    const yoke_planner_product *product;
    for (size_t i = 0; (product = product_at(p, i)); i++) {
        const yoke_format_info *info = yoke_format_get(product->format);
        double weights = (double)product->n * (double)product->k * (double)product->count;
        p->phase->bytes += weights * (double)info->block_bytes / (double)info->block;
        p->phase->operations += 2 * weights * (double)rows_of(p, product);
    }
}

static double alone_ns(const pass *p, size_t engine, bool better)
{
    cost c = {.machine = p->machine, .engine = engine, .better = better};
    const yoke_planner_product *product;
    double ns = 0;
    for (size_t i = 0; (product = product_at(p, i)); i++)
        ns += (double)product->count * cost_ns(&c, product, rows_of(p, product), product->n);
    return ns;
}

static yoke_planner_way run_alone(const pass *p, size_t engine)
{
    yoke_planner_way way = {0};
    if (!cost_known(p->machine, engine))
        return way;
    cost c = {.machine = p->machine, .engine = engine};
    const yoke_planner_product *product;
    for (size_t i = 0; (product = product_at(p, i)); i++)
        way.basis = figure_weaker(way.basis, cost_basis(&c, product));
    way.ns = (yoke_planner_range){alone_ns(p, engine, true), alone_ns(p, engine, false)};
    way.share[engine] = (yoke_planner_range){1, 1};
    way.possible = isfinite(way.ns.high);
    return way;
}

/* ---- The split ---- */

typedef struct tally {
    double ns, share[YOKE_PLANNER_MAX_ENGINES];
    bool shared; /* a product is */
} tally;

/* Adds one product: shared, or whole where it has no rows of its own. */
static yoke_status add_product(const pass *p, const corner *at, const yoke_planner_product *product,
                               tally *t, yoke_error *err)
{
    yoke_solution s;
    size_t m = rows_of(p, product);
    yoke_status status = share_solve(p->machine, at, product, m, &s, err);
    if (status != YOKE_OK)
        return status;
    double weights = (double)product->n * (double)product->k * (double)product->count;
    double part = 2 * weights * (double)m / p->phase->operations;
    bool whole = product->attachment || s.window_count == 1;
    t->ns += (double)product->count * (whole ? s.best_single_ns : s.predicted_ns);
    t->shared = t->shared || !whole;
    if (whole)
        t->share[s.best_single] += part;
    for (size_t w = 0; w < s.window_count && !whole; w++)
        t->share[s.windows[w].engine] += part * (double)s.windows[w].count / (double)product->n;
    return YOKE_OK;
}

static yoke_status tally_split(const pass *p, const corner *at, tally *t, yoke_error *err)
{
    const yoke_planner_product *product;
    yoke_status status = YOKE_OK;
    *t = (tally){0};
    for (size_t i = 0; status == YOKE_OK && (product = product_at(p, i)); i++)
        status = add_product(p, at, product, t, err);
    return status;
}

static void take_shares(yoke_planner_way *way, const tally *t, bool first)
{
    for (size_t e = 0; e < YOKE_PLANNER_MAX_ENGINES; e++) {
        yoke_planner_range *share = &way->share[e];
        share->low = first ? t->share[e] : fmin(share->low, t->share[e]);
        share->high = first ? t->share[e] : fmax(share->high, t->share[e]);
    }
}

static void set_split_basis(const pass *p, bool shared)
{
    yoke_planner_way *way = &p->phase->split;
    for (size_t e = 0; e < p->machine->count; e++)
        if (way->share[e].high > 0)
            way->basis = figure_weaker(way->basis, p->phase->alone[e].basis);
    if (shared && !p->machine->profile) /* what two engines lose to each other */
        way->basis = YOKE_PLANNER_ASSUMED;
}

/* All engines at the worse end, all at the better, then each alone at the better. */
static yoke_status run_split(const pass *p, yoke_error *err)
{
    yoke_planner_way *way = &p->phase->split;
    bool shared = false;
    for (size_t i = 0; i < p->machine->count + 2; i++) {
        corner at = {0};
        tally t;
        for (size_t e = 0; e < p->machine->count; e++)
            at.better[e] = i == 1 || i == e + 2;
        yoke_status status = tally_split(p, &at, &t, err);
        if (status != YOKE_OK)
            return status;
        way->ns.high = i == 0 ? t.ns : way->ns.high;
        way->ns.low = i == 1 ? t.ns : way->ns.low;
        shared = shared || t.shared;
        take_shares(way, &t, i == 0);
    }
    way->possible = true;
    set_split_basis(p, shared);
    return YOKE_OK;
}

static yoke_status run_phase(pass *p, yoke_error *err)
{
    bool any = false;
    *p->phase = (yoke_planner_phase){.rows = p->rows};
    count_work(p);
    for (size_t e = 0; e < p->machine->count; e++) {
        p->phase->alone[e] = run_alone(p, e);
        any = any || p->phase->alone[e].possible;
    }
    return any ? run_split(p, err) : YOKE_OK;
}

yoke_status yoke_planner_predict(const yoke_planner_model *model,
                                 const yoke_planner_machine *machine,
                                 const yoke_planner_request *request,
                                 yoke_planner_prediction *prediction, yoke_error *err)
{
    if (machine->count == 0 || machine->count > YOKE_PLANNER_MAX_ENGINES || model->count == 0)
        return yoke_error_set(err, YOKE_ERR_USAGE, "%s on %s: no engines, or no products",
                              model->info.name, machine->name);
    pass p = {.model = model,
              .machine = machine,
              .phase = &prediction->prefill,
              .rows = request->prompt ? request->prompt : PROMPT};
    yoke_status status = run_phase(&p, err);
    p.phase = &prediction->decode;
    p.rows = 1;
    if (request->context > 0 && model->info.kv_width > 0)
        p.cache = (yoke_planner_product){.role = "cache",
                                         .n = request->context,
                                         .k = model->info.kv_width,
                                         .count = model->info.kv_layers,
                                         .format = YOKE_F16,
                                         .attachment = true};
    return status == YOKE_OK ? run_phase(&p, err) : status;
}

size_t yoke_planner_best(const yoke_planner_machine *machine, const yoke_planner_phase *phase)
{
    size_t best = machine->count;
    double best_ns = INFINITY;
    for (size_t e = 0; e < machine->count; e++) {
        const yoke_planner_way *way = &phase->alone[e];
        double ns = (way->ns.low + way->ns.high) / 2;
        if (way->possible && ns < best_ns) {
            best_ns = ns;
            best = e;
        }
    }
    return best;
}
