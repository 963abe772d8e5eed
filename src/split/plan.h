/* A plan, as the library keeps it. */
#ifndef SPLIT_PLAN_H
#define SPLIT_PLAN_H

#include <pthread.h>
#include <stdatomic.h>

#include "split/holding.h"
#include "split/layout.h"
#include "split/spare.h"
#include "yoke/plan.h"

/* An engine of the plan. */
typedef struct party {
    yoke_engine *engine;
    const yoke_engine_info *info;
    yoke_curve_key key;
    yoke_error_model model;
    bool able;         /* it promises the tolerance */
    holding *holdings; /* under the lock */
    yoke_error why;    /* it is out; under the lock */
} party;

struct yoke_plan {
    yoke_matrix w;
    yoke_plan_options options; /* with the defaults filled in */
    party parties[YOKE_SPLIT_MAX_ENGINES];
    size_t party_count;
    yoke_profile *profile; /* not changed once the plan is made */
    yoke_check *check;

    atomic_uint quarantined; /* bit i: party i */
    atomic_size_t running;   /* products under way */
    _Atomic(layout *) layouts[LAYOUT_BUCKETS];
    spare_pool spare;

    pthread_mutex_t lock; /* for what follows, and the holdings */
    layout *retired;      /* no longer published, but perhaps in use */
};

/* Whether party i may compute. */
static inline bool plan_may_use(const yoke_plan *plan, size_t i)
{
    return plan->parties[i].able && !(atomic_load(&plan->quarantined) >> i & 1u);
}

/* Takes party i out for good, and every layout that uses it. The second under the lock. */
void plan_quarantine(yoke_plan *plan, size_t i, const yoke_error *why);
void plan_quarantine_locked(yoke_plan *plan, size_t i, const yoke_error *why);

/* Frees retired layouts, and holdings that no layout uses, unless a product may still use them: the
 * caller is one that does not. Under the lock. */
void plan_collect(yoke_plan *plan);

#endif
