/* What one product in flight holds. Slots are used again, buffers and all, so that a product of a
 * size seen before creates nothing. */
#ifndef OPENCL_SLOT_H
#define OPENCL_SLOT_H

#include "engines/opencl/engine.h"

/* A buffer of the engine's own that grows. */
typedef struct scratch {
    cl_mem buffer;
    size_t bytes;
    void *staging; /* as much of the host's memory, for what comes from the caller or goes there */
} scratch;

typedef struct slot {
    struct slot *next;         /* in the list of idle ones */
    scratch x, x_wide, y;      /* x as uploaded, x as the kernels read it, y before it goes back */
    cl_mem shared_x, shared_y; /* the caller's own memory, for this product */
    void *mapped_y;
    yoke_matrix staged_y, to; /* when y is not shared: where wait finds it, and the caller's y */
    cl_event *events;         /* of this product's commands, in their order */
    size_t event_count, event_capacity;
    uint64_t submit_ns, submitted_ns, copied_bytes;
    const char *path;
} slot;

/* A slot with room for so many events. Errors: YOKE_ERR_MEMORY. */
yoke_status slot_take(opencl_engine *e, size_t events, slot **out, yoke_error *err);

/* Back to the idle ones, rid of its events and of the caller's memory. */
void slot_return(opencl_engine *e, slot *s);

/* A buffer of at least `bytes`. Errors: YOKE_ERR_ENGINE, YOKE_ERR_UNSUPPORTED (beyond the device's
 * largest buffer). */
yoke_status slot_reserve(opencl_engine *e, scratch *own, size_t bytes, const char *what,
                         yoke_error *err);

/* The same, with staging for the matrix; *staged is the matrix without gaps, in it. Errors: also
 * YOKE_ERR_MEMORY. */
yoke_status slot_stage(opencl_engine *e, scratch *own, const yoke_matrix *matrix, const char *what,
                       yoke_matrix *staged, yoke_error *err);

/* Where the next command's event goes: pass it to clEnqueue..., then slot_command its result. */
cl_event *slot_event(slot *s);
yoke_status slot_command(opencl_engine *e, slot *s, const char *call, cl_int code, yoke_error *err);

/* Its product never ended: what the driver may still use stays, and it holds nothing of the
 * caller's. */
void slot_abandon(slot *s);

void slot_free_idle(opencl_engine *e);

#endif
