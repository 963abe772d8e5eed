/* A weight in the layout that the kernels read: see kernels/weights.cl. */
#ifndef OPENCL_PREPARE_H
#define OPENCL_PREPARE_H

#include "engines/opencl/engine.h"

/* A buffer and, for SHARING_DIRECT, the memory it lies in. */
typedef struct plane {
    cl_mem buffer;
    void *memory;
    size_t bytes;
} plane;

/* Consecutive rows; as many as fit the device's largest buffer. */
typedef struct chunk {
    size_t begin, count; /* rows of the weight */
    plane values, scales;
} chunk;

typedef struct prepared {
    yoke_format format;
    size_t rows, k, padded_k;
    size_t chunk_count;
    chunk chunks[];
} prepared;

/* Errors: YOKE_ERR_UNSUPPORTED (the format), YOKE_ERR_SHAPE (a row beyond the device's largest
 * buffer), YOKE_ERR_MEMORY, YOKE_ERR_ENGINE. */
yoke_status prepare_weight(opencl_engine *e, const yoke_matrix *w, prepared **out,
                           yoke_prepare_report *report, yoke_error *err);
void prepare_release(void *engine, void *weight); /* the engine's entry */

#endif
