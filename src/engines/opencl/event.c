#include "engines/opencl/event.h"

#include "engines/await.h"
#include "yoke/measure.h"

#define LET_GO_NS UINT64_C(1000000000) /* long, for a thread that waits for a core */

cl_int event_status(const opencl_engine *e, cl_event event)
{
    cl_int status = CL_COMPLETE;
    cl_int code = e->cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                       &status, NULL);
    return code == CL_SUCCESS ? status : code;
}

typedef struct hold {
    const opencl_engine *e;
    cl_event event;
} hold;

static bool is_ours_alone(void *arg)
{
    const hold *h = arg;
    cl_uint holders = 1;
    cl_int code =
        h->e->cl.clGetEventInfo(h->event, CL_EVENT_REFERENCE_COUNT, sizeof holders, &holders, NULL);
    return code != CL_SUCCESS || holders <= 1;
}

void event_release(opencl_engine *e, cl_event event)
{
    hold h = {e, event};
    if (!atomic_load(&e->holds_events) &&
        !await(is_ours_alone, &h, YOKE_WAIT_POLL, 0, yoke_clock_ns() + LET_GO_NS))
        atomic_store(&e->holds_events, true);
    e->cl.clReleaseEvent(event);
}

yoke_status event_finish(opencl_engine *e, const char *call, cl_int code, cl_event event,
                         yoke_error *err)
{
    if (code == CL_SUCCESS) {
        code = e->cl.clWaitForEvents(1, &event);
        event_release(e, event);
    }
    return engine_check(e, call, code, err);
}
