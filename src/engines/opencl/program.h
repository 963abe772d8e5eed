/* The kernels of a device, compiled when they are first needed. */
#ifndef OPENCL_PROGRAM_H
#define OPENCL_PROGRAM_H

#include "engines/opencl/engine.h"

#define PROGRAM_ROWS (4u) /* rows of w that one item or group of multiply_row takes */

/* Compiles what does not depend on a weight. Errors: YOKE_ERR_ENGINE, with the compiler's words. */
yoke_status program_build_common(opencl_engine *e, yoke_error *err);

/* Compiles the products with weights of a native format, unless that was done before. Under the
 * mutex. */
yoke_status program_build_products(opencl_engine *e, yoke_format format, yoke_error *err);

void program_release_all(opencl_engine *e);

/* Rows of x and of w that one work-group of multiply_tile takes. */
unsigned program_tile_m(const device *d);
unsigned program_tile_n(const device *d);

/* Elements that the kernels read of a row of w at once; a divisor of DEVICE_PAD. */
unsigned program_unit(const device *d, yoke_format format);

#endif
