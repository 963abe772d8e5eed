#include "engines/metal/slot.h"

#include <stdlib.h>

yoke_status metal_slot_take(metal_engine *e, metal_slot **out, yoke_error *err)
{
    pthread_mutex_lock(&e->mutex);
    metal_slot *s = e->idle;
    if (s)
        e->idle = s->next;
    pthread_mutex_unlock(&e->mutex);
    if (!s)
        s = calloc(1, sizeof *s);
    if (!s)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: submit: out of memory", METAL_NAME);
    s->copied_bytes = 0;
    *out = s;
    return YOKE_OK;
}

static void drop(metal_engine *e, apple_id *object)
{
    apple_release(&e->api.objc, *object);
    *object = NULL;
}

void metal_slot_return(metal_engine *e, metal_slot *s)
{
    drop(e, &s->commands);
    drop(e, &s->over_x);
    pthread_mutex_lock(&e->mutex);
    s->next = e->idle;
    e->idle = s;
    pthread_mutex_unlock(&e->mutex);
}

yoke_status metal_slot_reserve(metal_engine *e, metal_scratch *own, size_t bytes, const char *what,
                               yoke_error *err)
{
    if (bytes <= own->bytes)
        return YOKE_OK;
    if (bytes > e->largest_buffer)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "engine %s: %s of %zu bytes exceeds the device's largest buffer of "
                              "%zu bytes",
                              METAL_NAME, what, bytes, e->largest_buffer);
    drop(e, &own->buffer);
    own->bytes = 0;
    own->buffer = metal_buffer_new(&e->api, e->device, bytes);
    if (!own->buffer)
        return yoke_error_set(err, YOKE_ERR_ENGINE,
                              "engine %s: newBufferWithLength:options: gave no %zu bytes for %s",
                              METAL_NAME, bytes, what);
    own->bytes = bytes;
    return YOKE_OK;
}

void metal_slot_free(metal_engine *e, metal_slot *s)
{
    drop(e, &s->commands);
    drop(e, &s->over_x);
    drop(e, &s->x.buffer);
    drop(e, &s->y.buffer);
    drop(e, &s->wide.buffer);
    free(s);
}

void metal_slot_free_idle(metal_engine *e)
{
    while (e->idle) {
        metal_slot *s = e->idle;
        e->idle = s->next;
        metal_slot_free(e, s);
    }
}
