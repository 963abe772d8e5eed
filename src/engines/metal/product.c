#include "engines/metal/product.h"

#include <string.h>

#include "engines/await.h"
#include "engines/deliver.h"
#include "engines/metal/encode.h"
#include "yoke/measure.h"

static yoke_status commit(metal_engine *e, metal_slot *s, const metal_prepared *w,
                          const yoke_task *task, yoke_error *err)
{
    const apple *a = &e->api.objc;
    s->commands = apple_retain(a, apple_send(a, e->queue, "commandBuffer"));
    if (!s->commands)
        return yoke_error_set(err, YOKE_ERR_ENGINE, "engine %s: commandBuffer gave none",
                              METAL_NAME);
    yoke_status status = metal_encode(e, s, w, task, err);
    if (status == YOKE_OK)
        apple_send(a, s->commands, "commit");
    return status;
}

yoke_status metal_product_submit(void *engine, void *prepared, const yoke_task *task,
                                 yoke_ticket *ticket, yoke_error *err)
{
    const uint64_t now = yoke_clock_ns();
    metal_engine *e = engine;
    metal_slot *s;
    yoke_status status = metal_slot_take(e, &s, err);
    if (status != YOKE_OK)
        return status;
    s->submit_ns = now;
    s->to = *task->y;
    s->beta = task->beta;
    void *pool = apple_pool_push(&e->api.objc);
    status = commit(e, s, prepared, task, err);
    if (status != YOKE_OK)
        metal_slot_return(e, s);
    apple_pool_pop(&e->api.objc, pool);
    if (status != YOKE_OK)
        return status;
    s->submitted_ns = yoke_clock_ns();
    memcpy(ticket, &s, sizeof s);
    return YOKE_OK;
}

typedef struct flight_check {
    const metal_engine *e;
    apple_id commands;
} flight_check;

static bool has_ended(const flight_check *check)
{
    return apple_send_u64(&check->e->api.objc, check->commands, "status") >= METAL_COMPLETED;
}

static bool is_stopped(const metal_engine *e)
{
    return e->stop && *e->stop;
}

static bool has_ended_or_is_stopped(void *arg)
{
    const flight_check *check = arg;
    return has_ended(check) || is_stopped(check->e);
}

/* False when it is to be given up. */
static bool wait_for(const metal_engine *e, const metal_slot *s, yoke_wait_how how,
                     uint64_t predicted_end_ns, uint64_t deadline_ns)
{
    if (how == YOKE_WAIT_BLOCK && deadline_ns == 0 && !e->stop) {
        apple_send(&e->api.objc, s->commands, "waitUntilCompleted");
        return true;
    }
    flight_check check = {e, s->commands};
    await(has_ended_or_is_stopped, &check, how, predicted_end_ns, deadline_ns);
    return has_ended(&check);
}

static void fill_timing(const metal_engine *e, const metal_slot *s, yoke_timing *timing)
{
    timing->submit_ns = s->submit_ns;
    timing->submitted_ns = s->submitted_ns;
    timing->copied_bytes = s->copied_bytes;
    timing->path = s->path;
    const double begin = metal_seconds(&e->api, s->commands, "GPUStartTime");
    const double end = metal_seconds(&e->api, s->commands, "GPUEndTime");
    if (begin > 0 && end > begin) {
        timing->device_begin_ns = (uint64_t)(begin * 1e9);
        timing->device_end_ns = (uint64_t)(end * 1e9);
        timing->device_clock = true;
    }
}

/* A command buffer may fail long after it was committed, and what it wrote is then zeros or stale.
 */
static yoke_status settle(metal_engine *e, metal_slot *s, yoke_timing *timing, yoke_error *err)
{
    const apple *a = &e->api.objc;
    if (apple_send_u64(a, s->commands, "status") != METAL_COMPLETED)
        return apple_error_set(a, err, YOKE_ERR_ENGINE, METAL_NAME, "the command buffer",
                               apple_send(a, s->commands, "error"));
    fill_timing(e, s, timing);
    yoke_status status = deliver(&s->result, 1.0f, s->beta, &s->to, err);
    timing->done_ns = yoke_clock_ns();
    return status;
}

yoke_status metal_product_wait(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                               uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                               yoke_error *err)
{
    metal_engine *e = engine;
    metal_slot *s;
    memcpy(&s, ticket, sizeof s);
    void *pool = apple_pool_push(&e->api.objc);
    yoke_status status;
    if (wait_for(e, s, how, predicted_end_ns, deadline_ns)) {
        status = settle(e, s, timing, err);
        metal_slot_return(e, s);
    } else {
        metal_slot_free(e, s); /* a command buffer retains what it uses until it ends */
        status = await_given_up(METAL_NAME, "wait", e->stop, err);
    }
    apple_pool_pop(&e->api.objc, pool);
    return status;
}
