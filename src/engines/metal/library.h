/* The engine's own kernels, compiled when the first weight of a format is prepared. */
#ifndef METAL_LIBRARY_H
#define METAL_LIBRARY_H

#include "engines/metal/engine.h"

#define METAL_LANES 32u /* of a simdgroup, as product.metal has it */
#define METAL_SIMDS 4u

/* The constants of product.metal's kernels, laid out as there. */
typedef struct metal_shape {
    uint64_t first;
    uint32_t n, blocks, x_stride, y_stride;
    float alpha;
} metal_shape;

/* The kernels for f32, f16, bf16, q8_0 or q4_0; NULL, with the reason in *err, when there are none:
 * they are switched off, do not compile, or the device's simdgroups are not of 32 lanes. Needs an
 * autorelease pool. Thread-safe. */
const metal_kernels_built *metal_library_get(metal_engine *e, yoke_format format, yoke_error *err);

void metal_library_release_all(metal_engine *e);

#endif
