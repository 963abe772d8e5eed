#include "engines/opencl/slot.h"

#include <stdlib.h>

static slot *take_idle(opencl_engine *e)
{
    pthread_mutex_lock(&e->mutex);
    slot *s = e->idle;
    if (s)
        e->idle = s->next;
    pthread_mutex_unlock(&e->mutex);
    return s;
}

yoke_status slot_take(opencl_engine *e, size_t events, slot **out, yoke_error *err)
{
    slot *s = take_idle(e);
    if (!s)
        s = calloc(1, sizeof *s);
    if (s && s->event_capacity < events) {
        cl_event *grown = realloc(s->events, events * sizeof(cl_event));
        if (grown) {
            s->events = grown;
            s->event_capacity = events;
        }
    }
    if (!s || s->event_capacity < events) {
        if (s)
            slot_return(e, s);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: submit: out of memory", e->name);
    }
    s->copied_bytes = 0;
    s->staged_y = (yoke_matrix){0};
    *out = s;
    return YOKE_OK;
}

/* What a product that never ended may still use stays. */
static void release_memory(const opencl_engine *e, cl_mem *memory)
{
    if (*memory && !atomic_load(&e->stuck))
        e->cl.clReleaseMemObject(*memory);
    *memory = NULL;
}

static void release_scratch(const opencl_engine *e, scratch *own)
{
    release_memory(e, &own->buffer);
    free(own->staging);
    *own = (scratch){0};
}

void slot_return(opencl_engine *e, slot *s)
{
    for (size_t i = 0; i < s->event_count; i++)
        e->cl.clReleaseEvent(s->events[i]);
    s->event_count = 0;
    if (s->mapped_y)
        e->cl.clEnqueueUnmapMemObject(e->queue, s->shared_y, s->mapped_y, 0, NULL, NULL);
    s->mapped_y = NULL;
    release_memory(e, &s->shared_x);
    release_memory(e, &s->shared_y);
    pthread_mutex_lock(&e->mutex);
    s->next = e->idle;
    e->idle = s;
    pthread_mutex_unlock(&e->mutex);
}

yoke_status slot_reserve(opencl_engine *e, scratch *own, size_t bytes, const char *what,
                         yoke_error *err)
{
    if (bytes <= own->bytes)
        return YOKE_OK;
    if (bytes > e->device.largest_buffer)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "engine %s: %s of %zu bytes exceeds the device's largest buffer of "
                              "%zu bytes",
                              e->name, what, bytes, e->device.largest_buffer);
    release_scratch(e, own);
    cl_int code;
    cl_mem made = e->cl.clCreateBuffer(e->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS) {
        own->buffer = made;
        own->bytes = bytes;
    }
    return engine_check(e, "clCreateBuffer", code, err);
}

yoke_status slot_stage(opencl_engine *e, scratch *own, const yoke_matrix *matrix, const char *what,
                       yoke_matrix *staged, yoke_error *err)
{
    yoke_status status = slot_reserve(e, own, yoke_matrix_bytes(matrix), what, err);
    if (status == YOKE_OK && !own->staging) {
        own->staging = malloc(own->bytes);
        if (!own->staging)
            status = yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: staging %s: out of memory",
                                    e->name, what);
    }
    *staged = *matrix;
    staged->stride = 0;
    staged->data = own->staging;
    return status;
}

cl_event *slot_event(slot *s)
{
    return &s->events[s->event_count];
}

yoke_status slot_command(opencl_engine *e, slot *s, const char *call, cl_int code, yoke_error *err)
{
    if (code == CL_SUCCESS)
        s->event_count++;
    return engine_check(e, call, code, err);
}

static void free_slot(opencl_engine *e, slot *s)
{
    release_scratch(e, &s->x);
    release_scratch(e, &s->x_wide);
    release_scratch(e, &s->y);
    free(s->events);
    free(s);
}

void slot_abandon(slot *s)
{
    free(s->events);
    free(s);
}

void slot_free_idle(opencl_engine *e)
{
    while (e->idle) {
        slot *s = e->idle;
        e->idle = s->next;
        free_slot(e, s);
    }
}
