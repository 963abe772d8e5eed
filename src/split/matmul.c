/* A product by a plan's engines: all are started, those that work by themselves first; the caller
 * works on the window of the engine that computes on it, then waits for the others. Nothing is
 * allocated and no lock taken, but for what happens once: the first product of an M, checks,
 * failures, borders. */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "split/adapt.h"
#include "split/failover.h"
#include "split/verify.h"
#include "yoke/measure.h"

/* Sleep until so much of the expected time is over: were all of it slept, an engine that got faster
 * and has no clock of its own would never be noticed. */
#define SLEEP_SHARE 0.9

/* One engine's part. */
typedef struct branch {
    layout_part *part;
    size_t begin, count; /* along the axis */
    piece at;
    double expected_ns;
    uint64_t patience_ns;
    flight flight;
    yoke_timing timing;
    yoke_verdict verdict;
    yoke_status status;
    size_t redone_by;
    yoke_error failure;
} branch;

typedef struct branches {
    branch of[YOKE_SPLIT_MAX_ENGINES]; /* as the layout's parts; count 0: too few rows for it */
    bool failed;
} branches;

static void plan_branch(const product *p, layout *l, size_t i, branch *b)
{
    size_t m = p->x->rows;
    layout_part *part = &l->parts[i];
    b->part = part;
    b->begin = layout_begin(l, i, m);
    b->count = layout_begin(l, i + 1, m) - b->begin;
    b->at = l->axis == YOKE_AXIS_N ? (piece){0, m, b->begin, b->count}
                                   : (piece){b->begin, b->count, 0, p->y->cols};
    b->expected_ns = (double)atomic_load(&part->expected_ns) * (double)m / (double)l->m;
    b->patience_ns = failover_patience_ns(p->plan, b->expected_ns);
    b->timing = (yoke_timing){0};
    b->verdict = YOKE_VERDICT_UNCHECKED;
    b->status = YOKE_OK;
    b->redone_by = 0;
}

static void start(const product *p, branch *b)
{
    const holding *held = b->part->held;
    const yoke_matrix x = product_x(p, &b->at), y = product_y(p, &b->at);
    yoke_multiply_options options = product_options(p, held, &b->at);
    options.deadline_ns = b->patience_ns;
    b->status = flight_start(&b->flight, held->weight, &x, &y, &options, &b->failure);
}

static void finish(branch *b)
{
    uint64_t begin = b->flight.seen.submit_ns;
    if (b->status == YOKE_OK)
        b->status = flight_finish(&b->flight, YOKE_WAIT_SLEEP_POLL,
                                  begin + (uint64_t)(SLEEP_SHARE * b->expected_ns),
                                  begin + b->patience_ns, &b->timing, &b->failure);
}

static void run(const product *p, const layout *l, branches *all)
{
    for (size_t i = 0; i < l->part_count; i++)
        if (all->of[l->order[i]].count > 0)
            start(p, &all->of[l->order[i]]);
    size_t last = l->part_count - 1;
    if (l->last_is_caller && all->of[l->order[last]].count > 0)
        finish(&all->of[l->order[last]]);
    for (size_t i = 0; i < l->part_count - l->last_is_caller; i++)
        if (all->of[l->order[i]].count > 0)
            finish(&all->of[l->order[i]]);
}

static void verify(const product *p, branch *b)
{
    if (b->status != YOKE_OK || (!p->check && atomic_load(&b->part->checked)))
        return;
    b->status = verify_piece(p, b->part->engine, b->part->held, &b->at, b->patience_ns, &b->verdict,
                             &b->failure);
    if (b->status == YOKE_OK)
        atomic_store(&b->part->checked, true);
}

/* Everything that is missing, once every engine is done with its own. All that failed are out
 * before any of it is computed again. */
static yoke_status repair(const product *p, const layout *l, branches *all, yoke_error *err)
{
    for (size_t i = 0; i < l->part_count; i++) {
        const branch *b = &all->of[i];
        if (b->count > 0 && b->status != YOKE_OK) {
            all->failed = true;
            plan_quarantine(p->plan, b->part->engine, &b->failure);
        }
    }
    for (size_t i = 0; i < l->part_count && all->failed; i++) {
        branch *b = &all->of[i];
        yoke_error why;
        if (b->count == 0 || b->status == YOKE_OK)
            continue;
        if (failover_compute(p, &b->at, &b->redone_by, &why) != YOKE_OK)
            return yoke_error_set(err, YOKE_ERR_ENGINE, "%s; %s", b->failure.text, why.text);
    }
    return YOKE_OK;
}

/* ---- What is learnt from it ---- */

/* From submit to the end; 0 when the end is not known, as nobody was looking. */
static double taken_ns(const branch *b, bool looked_at_once)
{
    const yoke_timing *t = &b->timing;
    if (t->device_end_ns > t->submit_ns && !t->device_clock)
        return (double)(t->device_end_ns - t->submit_ns);
    return looked_at_once ? (double)(t->done_ns - t->submit_ns) : 0;
}

static bool adapt(const product *p, layout *l, const branches *all)
{
    double taken[YOKE_SPLIT_MAX_ENGINES];
    for (size_t i = 0; i < l->part_count; i++) {
        const branch *b = &all->of[i];
        bool looked_at_once = b == &all->of[l->order[l->last_is_caller ? l->part_count - 1 : 0]];
        taken[i] = b->count > 0 ? taken_ns(b, looked_at_once) : 0;
        if (!(taken[i] > 0))
            return false;
    }
    return adapt_note(p->plan, l, p->x->rows, taken);
}

/* ---- The report ---- */

static void report_part(const product *p, const branch *b, yoke_run *report)
{
    report->parts[report->part_count++] = (yoke_run_part){
        .engine = b->part->engine,
        .begin = b->begin,
        .count = b->count,
        .timing = b->status == YOKE_OK ? b->timing : (yoke_timing){0},
        .predicted_ns = b->expected_ns,
        .verdict = b->verdict,
        .failed = b->status,
        .redone_by = b->redone_by,
    };
    report->copied_bytes += b->timing.copied_bytes;
    if (b->status != YOKE_OK && !report->note[0])
        snprintf(report->note, sizeof report->note, "%.110s; redone by %.30s", b->failure.text,
                 p->plan->parties[b->redone_by].key.engine);
}

static void report_layout(const product *p, const layout *l, const branches *all, yoke_run *report)
{
    double scale = (double)p->x->rows / (double)l->m;
    report->axis = l->axis;
    report->predicted_ns = l->predicted_ns * scale;
    report->best_single_ns = l->best_single_ns * scale;
    report->ideal_ns = l->ideal_ns * scale;
    report->copied_bytes = product_saved_bytes(p);
    for (size_t i = 0; i < l->part_count; i++)
        if (all->of[i].count > 0)
            report_part(p, &all->of[i], report);
}

/* Engines that went out otherwise: they could not prepare, or failed in another product. */
static void report_quarantine(yoke_plan *plan, unsigned before, yoke_run *report)
{
    report->quarantined = atomic_load(&plan->quarantined);
    unsigned lost = report->quarantined & ~before;
    if (report->note[0] || !lost)
        return;
    pthread_mutex_lock(&plan->lock);
    for (size_t i = 0; i < plan->party_count && !report->note[0]; i++)
        if (lost >> i & 1u)
            snprintf(report->note, sizeof report->note, "%.140s; it is out",
                     plan->parties[i].why.text);
    pthread_mutex_unlock(&plan->lock);
}

/* ---- The call ---- */

static yoke_status multiply(product *p, bool alone, yoke_run *report, yoke_error *err)
{
    layout *l;
    yoke_status status = layout_get(p->plan, p->x->rows, &l, err);
    if (status == YOKE_OK && p->options.scaled && p->options.beta != 0)
        status = product_save(p, err);
    if (status != YOKE_OK)
        return status;
    branches all;
    all.failed = false;
    for (size_t i = 0; i < l->part_count; i++)
        plan_branch(p, l, i, &all.of[i]);
    run(p, l, &all);
    for (size_t i = 0; i < l->part_count; i++)
        if (all.of[i].count > 0)
            verify(p, &all.of[i]);
    status = repair(p, l, &all, err);
    if (report)
        report_layout(p, l, &all, report);
    alone = alone && atomic_load(&p->plan->running) == 1;
    if (alone && !all.failed && adapt(p, l, &all) && report)
        report->border_moved = true;
    return status;
}

/* y = beta * y: nothing of x and w takes part. */
static yoke_status scale_only(product *p, yoke_error *err)
{
    const yoke_matrix x = {.format = YOKE_F32, .rows = p->y->rows};
    const yoke_matrix w = {.format = YOKE_F32, .rows = p->y->cols};
    return yoke_matrix_product(1.0f, &x, &w, p->options.scaled ? p->options.beta : 0.0f, p->y, err);
}

static yoke_status check_operands(const yoke_plan *plan, const yoke_matrix *x, const yoke_matrix *y,
                                  yoke_error *err)
{
    if (!plan)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_matmul: plan is NULL");
    yoke_status status = flight_check_operand(x, "x", err);
    if (status == YOKE_OK)
        status = flight_check_operand(y, "y", err);
    if (status != YOKE_OK)
        return status;
    if (x->cols != plan->w.cols)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "x has %zu columns, w has %zu", x->cols,
                              plan->w.cols);
    if (y->rows != x->rows)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "y has %zu rows, x has %zu", y->rows, x->rows);
    if (y->cols != plan->w.rows)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "y has %zu columns, w has %zu rows", y->cols,
                              plan->w.rows);
    return YOKE_OK;
}

yoke_status yoke_matmul(yoke_plan *plan, const yoke_matrix *x, yoke_matrix *y,
                        const yoke_matmul_options *options, yoke_run *report, yoke_error *err)
{
    static const yoke_matmul_options defaults = {0};
    if (!options)
        options = &defaults;
    if (report)
        *report = (yoke_run){.begin_ns = yoke_clock_ns()};
    yoke_status status = check_operands(plan, x, y, err);
    if (status != YOKE_OK || x->rows == 0 || y->cols == 0)
        return status;
    product p = {
        .plan = plan,
        .x = x,
        .y = y,
        .options = {.scaled = options->scaled && (options->alpha != 1 || options->beta != 0),
                    .alpha = options->alpha,
                    .beta = options->beta,
                    .precision = plan->options.precision,
                    .pin_path = options->pin_path},
        .check = options->check || plan->options.check_every,
    };
    unsigned quarantined = atomic_load(&plan->quarantined);
    if (x->cols == 0 || (p.options.scaled && options->alpha == 0)) {
        status = scale_only(&p, err);
    } else {
        bool alone = atomic_fetch_add(&plan->running, 1) == 0;
        status = multiply(&p, alone, report, err);
        spare_give(&plan->spare, p.before);
        atomic_fetch_sub(&plan->running, 1);
    }
    if (report) {
        report_quarantine(plan, quarantined, report);
        report->end_ns = yoke_clock_ns();
    }
    return status;
}
