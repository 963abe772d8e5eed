/* The driver's word on a command. */
#ifndef OPENCL_EVENT_H
#define OPENCL_EVENT_H

#include "engines/opencl/engine.h"

/* CL_COMPLETE, what is left (> 0), or an error (< 0). */
cl_int event_status(const opencl_engine *e, cl_event event);

/* Times as for an engine's wait. */
typedef struct event_await_how {
    yoke_wait_how how;
    uint64_t predicted_end_ns, deadline_ns;
    bool uses_callers_memory;
} event_await_how;

/* Waits until a command has ended, well or badly, or gives it up: at the deadline, with
 * YOKE_ERR_TIMEOUT, and soon after the flag that the engine heeds is set, with
 * YOKE_ERR_INTERRUPTED. The engine then is stuck, and the event the driver's. One that uses the
 * caller's memory is not given up, as the device cannot be told to leave that alone. `call` is what
 * it waits for, in messages. */
yoke_status event_await(opencl_engine *e, cl_event event, const char *call,
                        const event_await_how *how, yoke_error *err);

#endif
