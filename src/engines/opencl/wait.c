#include <string.h>

#include "engines/await.h"
#include "engines/opencl/event.h"
#include "engines/opencl/product.h"
#include "yoke/measure.h"

typedef struct look {
    const opencl_engine *e;
    cl_event event;
} look;

static bool has_ended(void *arg)
{
    const look *l = arg;
    return event_status(l->e, l->event) <= CL_COMPLETE;
}

/* OpenCL has no wait with a deadline. */
static bool wait_for(const opencl_engine *e, cl_event event, yoke_wait_how how,
                     uint64_t predicted_end_ns, uint64_t deadline_ns)
{
    look l = {e, event};
    if (how != YOKE_WAIT_BLOCK || deadline_ns != 0)
        return await(has_ended, &l, how, predicted_end_ns, deadline_ns);
    e->cl.clWaitForEvents(1, &event); /* what came of it is read from the event */
    return true;
}

/* A command may fail long after it was accepted, and its results are then zeros or stale. */
static yoke_status check_events(const opencl_engine *e, const slot *s, yoke_error *err)
{
    for (size_t i = 0; i < s->event_count; i++) {
        cl_int status = event_status(e, s->events[i]);
        if (status != CL_COMPLETE)
            return yoke_error_set(err, YOKE_ERR_ENGINE,
                                  "engine %s: command %zu of %zu failed after it was accepted: "
                                  "%s (%d)",
                                  e->name, i + 1, s->event_count,
                                  status < 0 ? api_error_name(status) : "it never ended",
                                  (int)status);
    }
    return YOKE_OK;
}

static uint64_t profiled_ns(const opencl_engine *e, cl_event event, cl_uint what)
{
    cl_ulong ns = 0;
    return e->cl.clGetEventProfilingInfo(event, what, sizeof ns, &ns, NULL) == CL_SUCCESS ? ns : 0;
}

static void fill_timing(const opencl_engine *e, const slot *s, yoke_timing *timing)
{
    timing->done_ns = yoke_clock_ns();
    timing->submit_ns = s->submit_ns;
    timing->submitted_ns = s->submitted_ns;
    timing->copied_bytes = s->copied_bytes;
    timing->path = s->path;
    uint64_t begin = profiled_ns(e, s->events[0], CL_PROFILING_COMMAND_START);
    uint64_t end = profiled_ns(e, s->events[s->event_count - 1], CL_PROFILING_COMMAND_END);
    if (begin != 0 && end > begin) {
        timing->device_begin_ns = begin;
        timing->device_end_ns = end;
        timing->device_clock = true;
    }
}

yoke_status product_wait(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                         uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                         yoke_error *err)
{
    opencl_engine *e = engine;
    slot *s;
    memcpy(&s, ticket, sizeof s);
    if (s->shared_x || s->shared_y)
        deadline_ns = 0; /* the device is not told to leave the caller's memory alone */
    if (!wait_for(e, s->events[s->event_count - 1], how, predicted_end_ns, deadline_ns)) {
        slot_abandon(e, s);
        return yoke_error_set(err, YOKE_ERR_TIMEOUT,
                              "engine %s: wait: the product did not end before its deadline",
                              e->name);
    }
    yoke_status status = check_events(e, s, err);
    if (status == YOKE_OK && s->staged_y.data)
        status = yoke_matrix_convert(&s->staged_y, &s->to, err);
    if (status == YOKE_OK)
        fill_timing(e, s, timing);
    slot_return(e, s);
    return status;
}
