/* Slowdowns: each engine beside each other one, over windows that take both about as long. */
#include <math.h>

#include "split/pair.h"
#include "split/tuning.h"
#include "yoke/measure.h"

enum { RUNS = 64 }; /* of either engine, for which a pair's part of the time must do */

/* Only when both were measured at this M. */
static bool both_known(const tuning_engine *a, const tuning_engine *b, size_t m)
{
    return a->error.status == YOKE_OK && b->error.status == YOKE_OK && a->m == m && b->m == m;
}

/* The engine's largest window, or as much of it as takes `ns`. */
static load size_load(const tuning *t, const tuning_engine *e, size_t m, double ns, size_t which)
{
    size_t n = tuning_window(e, m, (double)e->n * fmin(ns / e->ns, 1.0));
    load l = tuning_load(t, e, m, n, which);
    l.wait = YOKE_WAIT_BLOCK; /* a caller that polls would take a core from the other engine */
    return l;
}

static yoke_status add_slowdown(tuning *t, const tuning_engine *e, const pair_side *side, size_t m,
                                const tuning_engine *other, yoke_error *err)
{
    yoke_statistics retained;
    if (side->beside.count == 0)
        return YOKE_OK;
    yoke_status status = pair_retained(side, &retained, err);
    if (status != YOKE_OK)
        return status;
    return yoke_profile_add_contention(t->profile, &e->key, m, other->key.engine,
                                       1 / retained.median, err);
}

static void drop_failed(tuning *t, tuning_engine *e, const load *l)
{
    if (l->failure.status != YOKE_OK)
        tuning_drop(t, e, &l->failure);
}

static yoke_status measure_pair(tuning *t, tuning_engine *a, tuning_engine *b, size_t m,
                                double seconds, yoke_error *err)
{
    double ns = fmin(fmin(a->ns, b->ns), seconds * 1e9 / RUNS);
    load loads[2] = {size_load(t, a, m, ns, 0), size_load(t, b, m, ns, 1)};
    pair_side sides[2] = {{.load = &loads[0]}, {.load = &loads[1]}};
    yoke_sampling sampling = {.min_samples = 9,
                              .min_seconds = seconds / 16,
                              .max_samples = 200,
                              .max_seconds = seconds / 4,
                              .warmup_max = 5,
                              .warmup_window = 3,
                              .stop = t->options->stop};
    tuning_progress(t, "%s beside %s: M = %zu", a->key.engine, b->key.engine, m);
    yoke_status status = pair_measure(sides, &sampling, err);
    drop_failed(t, a, &loads[0]);
    drop_failed(t, b, &loads[1]);
    if (status == YOKE_OK)
        status = add_slowdown(t, a, &sides[0], m, b, err);
    if (status == YOKE_OK)
        status = add_slowdown(t, b, &sides[1], m, a, err);
    pair_free(sides);
    /* A failed engine ends the pair, not the tuning. */
    bool out = a->error.status != YOKE_OK || b->error.status != YOKE_OK;
    return out && status != YOKE_ERR_INTERRUPTED ? YOKE_OK : status;
}

yoke_status tuning_pairs(tuning *t, size_t m, double seconds, yoke_error *err)
{
    double for_each = seconds / (double)(t->count * (t->count - 1) / 2);
    for (size_t i = 0; i < t->count; i++)
        for (size_t j = i + 1; j < t->count; j++) {
            if (!both_known(&t->engines[i], &t->engines[j], m))
                continue;
            yoke_status status = measure_pair(t, &t->engines[i], &t->engines[j], m, for_each, err);
            if (status != YOKE_OK)
                return status;
        }
    return YOKE_OK;
}
