/* What a product under way uses on the GPU; kept for the next one. */
#ifndef METAL_SLOT_H
#define METAL_SLOT_H

#include "engines/metal/engine.h"

/* A buffer that grows. */
typedef struct metal_scratch {
    apple_id buffer;
    size_t bytes;
} metal_scratch;

typedef struct metal_slot metal_slot;
struct metal_slot {
    metal_slot *next;         /* in the list of idle ones */
    metal_scratch x, y, wide; /* x as f32, the result, rows of w as f32 */
    apple_id over_x;          /* the caller's x in place, for this product */
    apple_id commands;        /* its command buffer */
    yoke_matrix result;       /* in y */
    yoke_matrix to;           /* where it goes */
    float beta;
    uint64_t submit_ns, submitted_ns, copied_bytes;
    const char *path;
};

/* Errors: YOKE_ERR_MEMORY. */
yoke_status metal_slot_take(metal_engine *e, metal_slot **out, yoke_error *err);

/* Back to the idle ones, rid of its command buffer and of the caller's memory. */
void metal_slot_return(metal_engine *e, metal_slot *s);

/* One that is not to be used again: its product never ended. */
void metal_slot_free(metal_engine *e, metal_slot *s);

/* A buffer of at least `bytes`. Errors: YOKE_ERR_ENGINE, YOKE_ERR_UNSUPPORTED (beyond the device's
 * largest buffer). */
yoke_status metal_slot_reserve(metal_engine *e, metal_scratch *own, size_t bytes, const char *what,
                               yoke_error *err);

void metal_slot_free_idle(metal_engine *e);

#endif
