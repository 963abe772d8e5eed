/* Memory that the Neural Engine reads and writes: an IOSurface, and its object for a request. */
#ifndef ANE_SURFACE_H
#define ANE_SURFACE_H

#include "engines/ane/framework.h"

typedef struct ane_surface {
    apple_id surface, object;
    size_t bytes;
} ane_surface;

/* Zeroed, of at least `bytes`. Errors: YOKE_ERR_MEMORY. */
yoke_status ane_surface_create(const ane_framework *f, size_t bytes, ane_surface *out,
                               yoke_error *err);
void ane_surface_free(const ane_framework *f, ane_surface *s); /* zeroed ones are allowed */

/* The memory, for the CPU, until the surface is unlocked; NULL when it cannot be locked. */
void *ane_surface_lock(const ane_framework *f, const ane_surface *s, bool read_only);
void ane_surface_unlock(const ane_framework *f, const ane_surface *s, bool read_only);

#endif
