#include "engines/ane/queue.h"

#include <string.h>

#include "engines/ane/product.h"
#include "yoke/measure.h"

typedef struct queued {
    ane_product product;
    const ane_engine *engine;
    uint64_t submit_ns, submitted_ns;
} queued;

static yoke_status run(worker_job *job, yoke_error *err)
{
    queued *q = (queued *)job;
    return ane_product_run(&q->engine->framework, &q->engine->options, &q->product, err);
}

static void fill(queued *q, const ane_engine *e, ane_weight *w, const yoke_task *task)
{
    ane_product *p = &q->product;
    q->engine = e;
    p->weight = w;
    p->x = *task->x;
    p->y = *task->y;
    p->alpha = task->alpha;
    p->beta = task->beta;
    p->n_begin = task->n_begin;
    p->one_size = task->pin_path;
    p->device_begin_ns = p->device_end_ns = p->hardware_ns = p->copied_bytes = 0;
}

yoke_status ane_queue_submit(void *engine, void *prepared, const yoke_task *task,
                             yoke_ticket *ticket, yoke_error *err)
{
    const uint64_t now = yoke_clock_ns();
    ane_engine *e = engine;
    yoke_status status = worker_check(e->worker, err);
    if (status != YOKE_OK)
        return status;
    queued *q = (queued *)worker_take(e->worker, sizeof *q, run);
    if (!q)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: submit: out of memory");
    fill(q, e, prepared, task);
    q->submit_ns = now;
    worker_start(e->worker, &q->product.job);
    q->submitted_ns = yoke_clock_ns();
    memcpy(ticket, &q, sizeof q);
    return YOKE_OK;
}

static void fill_timing(const queued *q, yoke_timing *timing)
{
    const ane_product *p = &q->product;
    timing->submit_ns = q->submit_ns;
    timing->submitted_ns = q->submitted_ns;
    timing->device_end_ns = p->device_end_ns; /* when the framework said so; it does not say more */
    if (p->hardware_ns != 0) {
        timing->device_begin_ns = p->device_begin_ns;
        timing->device_end_ns = p->device_begin_ns + p->hardware_ns;
        timing->device_clock = true;
    }
    timing->done_ns = yoke_clock_ns();
    timing->copied_bytes = p->copied_bytes;
    timing->path = p->weight->path;
}

yoke_status ane_queue_wait(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                           uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                           yoke_error *err)
{
    const ane_engine *e = engine;
    queued *q;
    memcpy(&q, ticket, sizeof q);
    worker_job *job = &q->product.job;
    yoke_status status = worker_wait(e->worker, job, "evaluateWithQoS:options:request:error:", how,
                                     predicted_end_ns, deadline_ns, err);
    if (status == YOKE_OK)
        fill_timing(q, timing);
    worker_put(e->worker, job);
    return status;
}
