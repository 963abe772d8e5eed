#include "engines/opencl/event.h"

#include "engines/await.h"
#include "yoke/measure.h"

cl_int event_status(const opencl_engine *e, cl_event event)
{
    cl_int status = CL_COMPLETE;
    cl_int code = e->cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                       &status, NULL);
    return code == CL_SUCCESS ? status : code;
}

typedef struct look {
    const opencl_engine *e;
    cl_event event;
    const volatile bool *stop; /* NULL: there is none to heed */
} look;

static bool has_ended(void *arg)
{
    const look *l = arg;
    return event_status(l->e, l->event) <= CL_COMPLETE || (l->stop && *l->stop);
}

static yoke_status give_up(opencl_engine *e, const char *call, yoke_error *err)
{
    atomic_store(&e->stuck, true);
    return await_given_up(e->name, call, e->stop, err);
}

/* OpenCL has no wait with a deadline. */
yoke_status event_await(opencl_engine *e, cl_event event, const char *call,
                        const event_await_how *how, yoke_error *err)
{
    const uint64_t deadline_ns = how->uses_callers_memory ? 0 : how->deadline_ns;
    look l = {e, event, how->uses_callers_memory ? NULL : e->stop};
    if (how->how == YOKE_WAIT_BLOCK && deadline_ns == 0 && !l.stop) {
        e->cl.clWaitForEvents(1, &event); /* what came of it is read from the event */
        return YOKE_OK;
    }
    await(has_ended, &l, how->how, how->predicted_end_ns, deadline_ns);
    return event_status(e, event) <= CL_COMPLETE ? YOKE_OK : give_up(e, call, err);
}
