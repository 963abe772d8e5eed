#include "split/failover.h"

#include <math.h>

#include "base/size.h"
#include "split/verify.h"

#define PATIENCE_TIMES  20
#define PATIENCE_NS     2e9
#define UNKNOWN_TIME_NS 1e9                           /* of an engine that no curve tells about */
#define LONGEST_NS      UINT64_C(1000000000000000000) /* 31 years: can be added to any time */

uint64_t failover_patience_ns(const yoke_plan *plan, double expected_ns)
{
    if (plan->options.deadline_ns > 0)
        return plan->options.deadline_ns < LONGEST_NS ? plan->options.deadline_ns : LONGEST_NS;
    return (uint64_t)fmin(fmax(PATIENCE_TIMES * expected_ns, PATIENCE_NS), (double)LONGEST_NS);
}

static double expected_ns(const yoke_plan *plan, size_t engine, const piece *at)
{
    double ns = UNKNOWN_TIME_NS;
    yoke_profile_predict(plan->profile, &plan->parties[engine].key, at->rows, at->outputs, &ns,
                         NULL);
    return ns;
}

/* The fastest engine left; their number when none is. */
static size_t fastest(const yoke_plan *plan, const piece *at, double *best_ns)
{
    size_t best = plan->party_count;
    for (size_t i = 0; i < plan->party_count; i++) {
        if (!plan_may_use(plan, i))
            continue;
        double ns = expected_ns(plan, i, at);
        if (best == plan->party_count || ns < *best_ns) {
            best = i;
            *best_ns = ns;
        }
    }
    return best;
}

static yoke_status hold(yoke_plan *plan, size_t engine, const piece *at, holding **held,
                        yoke_error *err)
{
    party *by = &plan->parties[engine];
    yoke_status status = YOKE_OK;
    pthread_mutex_lock(&plan->lock);
    *held = holding_find(by, at->output, at->outputs);
    if (!*held)
        status = holding_prepare(by, &plan->w, at->output, at->output + at->outputs, held, err);
    pthread_mutex_unlock(&plan->lock);
    return status;
}

static yoke_status compute_on(const product *p, size_t engine, const piece *at, double wait_ns,
                              yoke_error *err)
{
    holding *held;
    yoke_status status = hold(p->plan, engine, at, &held, err);
    if (status != YOKE_OK)
        return status;
    product_restore(p, at);
    const yoke_matrix x = product_x(p, at);
    yoke_matrix y = product_y(p, at);
    yoke_multiply_options options = product_options(p, held, at);
    options.wait = YOKE_WAIT_BLOCK;
    options.deadline_ns = failover_patience_ns(p->plan, wait_ns);
    status = yoke_weight_multiply(held->weight, &x, &y, &options, NULL, err);
    yoke_verdict verdict;
    if (status == YOKE_OK)
        status = verify_piece(p, engine, held, at, options.deadline_ns, &verdict, err);
    return status;
}

/* Within the largest dimensions the engine takes. */
static yoke_status compute_in_parts(const product *p, size_t engine, const piece *at,
                                    double wait_ns, yoke_error *err)
{
    const yoke_engine_facts *facts = &p->plan->parties[engine].info->facts;
    size_t rows = facts->max_m ? size_min(facts->max_m, at->rows) : at->rows;
    size_t outputs = facts->max_n ? size_min(facts->max_n, at->outputs) : at->outputs;
    yoke_status status = YOKE_OK;
    for (size_t n = 0; n < at->outputs && status == YOKE_OK; n += outputs)
        for (size_t m = 0; m < at->rows && status == YOKE_OK; m += rows) {
            const piece part = {at->row + m, size_min(rows, at->rows - m), at->output + n,
                                size_min(outputs, at->outputs - n)};
            status = compute_on(p, engine, &part, wait_ns, err);
        }
    return status;
}

yoke_status failover_compute(const product *p, const piece *at, size_t *by, yoke_error *err)
{
    yoke_error why = {0};
    for (;;) {
        double wait_ns = 0;
        size_t chosen = fastest(p->plan, at, &wait_ns);
        if (chosen == p->plan->party_count)
            return yoke_error_set(err, YOKE_ERR_ENGINE, "no engine is left%s%s",
                                  why.text[0] ? ": " : "", why.text);
        if (compute_in_parts(p, chosen, at, wait_ns, &why) == YOKE_OK) {
            *by = chosen;
            return YOKE_OK;
        }
        plan_quarantine(p->plan, chosen, &why);
    }
}
