#include "engines/ane/peak.h"

#include <stdlib.h>

#include "engines/ane/chain.h"
#include "yoke/measure.h"

#define NS_PER_S UINT64_C(1000000000)

typedef struct peak {
    worker_job job;
    ane_engine *engine;
    uint64_t duration_ns;
    double per_second;
} peak;

/* Of f16: int8 and palettes become that before they are multiplied. The chain is the thread's. */
static yoke_status run(worker_job *job, yoke_error *err)
{
    peak *p = (peak *)job;
    ane_engine *e = p->engine;
    const ane_maker maker = {&e->framework, &e->options, e->helper, NULL};
    yoke_status status = e->chain ? YOKE_OK : ane_chain_create(&maker, &e->chain, err);
    if (status == YOKE_OK)
        status = ane_chain_measure(&e->framework, e->chain, p->duration_ns, &p->per_second, err);
    return status;
}

static void destroy(worker_thing *thing)
{
    worker_job_destroy((worker_job *)thing);
    free(thing);
}

/* When a chain that is given its time may be taken for hung: a compile has a deadline of its own,
 * and what follows it has as long again. */
static uint64_t deadline_ns(const ane_engine *e, const peak *p)
{
    return yoke_clock_ns() + p->duration_ns + 2 * e->options.compile_s * NS_PER_S;
}

yoke_status ane_peak_measure(void *engine, const yoke_limit_request *request, double *per_second,
                             yoke_error *err)
{
    ane_engine *e = engine;
    if (request->limit != YOKE_LIMIT_COMPUTE)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "engine ane: it has no plain read of memory");
    yoke_status status = worker_check(e->worker, err);
    if (status != YOKE_OK)
        return status;
    peak *p = calloc(1, sizeof *p);
    if (!p)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: out of memory");
    worker_job_init(&p->job, run, destroy);
    p->engine = e;
    p->duration_ns = request->duration_ns;
    worker_start(e->worker, &p->job);
    status = worker_wait(e->worker, &p->job, "a chain of products", YOKE_WAIT_BLOCK, 0,
                         deadline_ns(e, p), err);
    if (status == YOKE_OK)
        *per_second = p->per_second;
    worker_discard(e->worker, &p->job.thing);
    return status;
}
