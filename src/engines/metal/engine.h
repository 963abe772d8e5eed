/* An open Metal engine, shared by the files of this folder. */
#ifndef METAL_ENGINE_H
#define METAL_ENGINE_H

#include <pthread.h>

#include "engines/metal/api.h"
#include "yoke/engine.h"

/* Of one format of weight. */
typedef struct metal_kernels_built {
    bool tried;
    apple_id row, widen; /* pipelines; nil when they did not build */
    yoke_error why;      /*   and why */
} metal_kernels_built;

struct metal_slot;

typedef struct metal_engine {
    metal_api api;
    apple_id device, queue;
    bool own_kernels; /* else Metal Performance Shaders alone */
    size_t page_bytes, largest_buffer;
    const volatile bool *stop; /* to be heeded; NULL: there is none */

    pthread_mutex_t mutex; /* the rest */
    metal_kernels_built kernels[YOKE_FORMAT_COUNT];
    struct metal_slot *idle; /* slots not in use */
} metal_engine;

#define METAL_NAME "metal" /* in messages */

#endif
