/* A weight in the layout that the kernels read: see kernels/product.metal. */
#ifndef METAL_PREPARE_H
#define METAL_PREPARE_H

#include "engines/metal/engine.h"

typedef struct metal_prepared {
    yoke_format format; /* as kept */
    size_t rows, k, padded_k;
    apple_id values, scales;            /* buffers; scales: nil where there is one plane */
    const metal_kernels_built *kernels; /* NULL: there are none for this format */
} metal_prepared;

/* q8_0 and q4_0 without kernels are kept as f16. Needs an autorelease pool.
 * Errors: YOKE_ERR_UNSUPPORTED (the format), YOKE_ERR_SHAPE (beyond the device's largest buffer),
 * YOKE_ERR_MEMORY. */
yoke_status metal_prepare(metal_engine *e, const yoke_matrix *w, metal_prepared **out,
                          yoke_prepare_report *report, yoke_error *err);
void metal_release(void *engine, void *prepared); /* the engine's entry */

#endif
