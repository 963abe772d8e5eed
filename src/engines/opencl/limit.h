/* What a device can do at most. */
#ifndef OPENCL_LIMIT_H
#define OPENCL_LIMIT_H

#include "engines/opencl/engine.h"

/* The engine's entry. READ: a plain read from the device's own memory (for devices that copy, the
 * bytes are uploaded first). COMPUTE: fp32 multiply-adds, which every product uses. Errors:
 * YOKE_ERR_ENGINE, YOKE_ERR_UNSUPPORTED. */
yoke_status limit_measure(void *engine, const yoke_limit_request *request, double *per_second,
                          yoke_error *err);

#endif
