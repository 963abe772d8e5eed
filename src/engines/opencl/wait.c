#include <string.h>

#include "engines/opencl/event.h"
#include "engines/opencl/product.h"
#include "yoke/measure.h"

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
    const event_await_how await_how = {how, predicted_end_ns, deadline_ns,
                                       s->shared_x || s->shared_y};
    yoke_status status =
        event_await(e, s->events[s->event_count - 1], "the product", &await_how, err);
    if (status != YOKE_OK) {
        slot_abandon(s);
        return status;
    }
    status = check_events(e, s, err);
    if (status == YOKE_OK && s->staged_y.data)
        status = yoke_matrix_convert(&s->staged_y, &s->to, err);
    if (status == YOKE_OK)
        fill_timing(e, s, timing);
    slot_return(e, s);
    return status;
}
