/* Enqueueing a kernel with its arguments. */
#ifndef OPENCL_LAUNCH_H
#define OPENCL_LAUNCH_H

#include "engines/opencl/engine.h"

typedef struct argument {
    size_t size;
    const void *value;
} argument;

#define ARGUMENT(variable)                                                                         \
    (argument)                                                                                     \
    {                                                                                              \
        sizeof(variable), &(variable)                                                              \
    }

/* Work-items in up to two dimensions; local_size all 0 leaves the groups to the driver. */
typedef struct grid {
    size_t global_size[2], local_size[2];
} grid;

/* Enqueues; *event gets its event. Under the mutex: arguments are part of the kernel. */
cl_int launch(opencl_engine *e, cl_kernel kernel, const grid *g, const argument *arguments,
              size_t count, cl_event *event);

#endif
