/* The roofline of an engine with figures: a call, then what takes longer of reading and computing.
 * Of one with curves: the curve, scaled when it is of another K or format. */
#include "planner/cost.h"

#include <math.h>
#include <string.h>

#include "planner/figure.h"

/* Up to so many rows a product takes the time of reading its weights. */
#define FEW_ROWS 8

/* A product that is bound by memory on two engines slows both, beyond what the chip's bandwidth
 * says: a GPU lost 17 to 18 % beside the Neural Engine (github.com/chrishayuk/larql/pull/312). */
#define MEMORY_CONTENTION 1.21

yoke_format cost_format(const yoke_planner_engine *engine, const yoke_planner_product *product)
{
    bool knows =
        product->format >= YOKE_LUT1 || product->format == YOKE_F16 || product->format == YOKE_BF16;
    return engine->f16_weights && !knows ? YOKE_F16 : product->format;
}

bool cost_known(const yoke_planner_machine *machine, size_t engine)
{
    const yoke_planner_engine *e = &machine->engines[engine];
    return machine->profile || (figure_is_known(&e->gbps) && figure_is_known(&e->tflops) &&
                                figure_is_known(&e->call_us));
}

static double bits_of(yoke_format format)
{
    const yoke_format_info *info = yoke_format_get(format);
    return 8.0 * (double)info->block_bytes / (double)info->block;
}

/* ---- With figures ---- */

static double rate_of(const cost *c, const yoke_planner_figure *figure)
{
    return c->better ? figure->high : figure->low;
}

static double read_ns(const cost *c, const yoke_planner_product *p, size_t n)
{
    const yoke_planner_engine *e = &c->machine->engines[c->engine];
    double bytes = (double)n * (double)p->k * bits_of(cost_format(e, p)) / 8;
    return bytes / rate_of(c, &e->gbps);
}

static double compute_ns(const cost *c, const yoke_planner_product *p, size_t m, size_t n)
{
    const yoke_planner_engine *e = &c->machine->engines[c->engine];
    double operations = 2 * (double)m * (double)n * (double)p->k;
    return operations / (1e3 * rate_of(c, &e->tflops));
}

static double call_ns(const cost *c, const yoke_planner_product *p)
{
    const yoke_planner_figure *call = &c->machine->engines[c->engine].call_us;
    return p->no_call ? 0 : 1e3 * (c->better ? call->low : call->high);
}

/* ---- With curves ---- */

/* How well a curve fits the product: its own, of its format, any; 0 for another engine's. */
static int fit_of(const cost *c, const yoke_planner_product *p, const yoke_curve_key *key)
{
    if (strcmp(c->machine->engines[c->engine].name, key->engine) != 0)
        return 0;
    return 1 + (key->format == p->format) + (key->format == p->format && key->k == p->k);
}

static int best_curve(const cost *c, const yoke_planner_product *p, yoke_curve_key *best)
{
    yoke_curve_key key;
    int best_fit = 0;
    for (size_t i = 0; yoke_profile_curve_at(c->machine->profile, i, &key); i++) {
        int fit = fit_of(c, p, &key);
        if (fit > best_fit) {
            best_fit = fit;
            *best = key;
        }
    }
    return best_fit;
}

/* A window of the curve's K and format that is as much work. */
static double curve_ns(const cost *c, const yoke_planner_product *p, size_t m, size_t n)
{
    yoke_curve_key key;
    double ns;
    if (best_curve(c, p, &key) == 0)
        return NAN;
    double work = (double)n * (double)p->k / (double)key.k;
    if (m <= FEW_ROWS)
        work *= bits_of(p->format) / bits_of(key.format);
    size_t window = work < 1 ? 1 : (size_t)llround(fmin(work, 1e15));
    return yoke_profile_predict(c->machine->profile, &key, m, window, &ns, NULL) == YOKE_OK ? ns
                                                                                            : NAN;
}

/* ---- Either ---- */

double cost_ns(const cost *c, const yoke_planner_product *product, size_t m, size_t n)
{
    if (c->machine->profile)
        return curve_ns(c, product, m, n);
    return call_ns(c, product) + fmax(read_ns(c, product, n), compute_ns(c, product, m, n));
}

bool cost_reads(const cost *c, const yoke_planner_product *product, size_t m)
{
    return read_ns(c, product, product->n) >= compute_ns(c, product, m, product->n);
}

double cost_demand(const cost *c, const yoke_planner_product *product, size_t m)
{
    double busy = fmax(read_ns(c, product, product->n), compute_ns(c, product, m, product->n));
    return rate_of(c, &c->machine->engines[c->engine].gbps) * read_ns(c, product, product->n) /
           busy;
}

yoke_planner_basis cost_basis(const cost *c, const yoke_planner_product *product)
{
    const yoke_planner_engine *e = &c->machine->engines[c->engine];
    yoke_curve_key key;
    if (c->machine->profile)
        return best_curve(c, product, &key) == 3 ? YOKE_PLANNER_MEASURED : YOKE_PLANNER_ASSUMED;
    return figure_weaker(figure_weaker(e->gbps.basis, e->tflops.basis), e->call_us.basis);
}

double cost_slowdown(const cost *c, const cost *other, const yoke_planner_product *product,
                     size_t m)
{
    const yoke_planner_machine *machine = c->machine;
    yoke_curve_key key;
    if (machine->profile)
        return best_curve(c, product, &key) == 0
                   ? 1
                   : yoke_profile_contention(machine->profile, &key, m,
                                             machine->engines[other->engine].name);
    double system = machine->system_gbps.low;
    double both = cost_demand(c, product, m) + cost_demand(other, product, m);
    double slowdown = system > 0 ? fmax(1, both / system) : 1;
    bool memory = cost_reads(c, product, m) && cost_reads(other, product, m);
    return memory && !c->better ? fmax(slowdown, MEMORY_CONTENTION) : slowdown;
}
