/* An open OpenCL engine, shared by the files of this folder. */
#ifndef OPENCL_ENGINE_H
#define OPENCL_ENGINE_H

#include <pthread.h>
#include <stdatomic.h>

#include "engines/opencl/device.h"

/* The compiled products with one format of weight. */
typedef struct product_kernels {
    cl_program program;
    cl_kernel row, tile;
} product_kernels;

struct slot;

typedef struct opencl_engine {
    api cl;
    device device;
    char name[48];
    size_t page_bytes;
    uint64_t rehearsal_ns;     /* how long a first product may take, and a copy of w */
    const volatile bool *stop; /* to be heeded; NULL: there is none */
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */
    cl_program common;
    cl_kernel widen, read_all, multiply_add;

    pthread_mutex_t mutex; /* the rest, the kernels' arguments, and the order in the queue */
    product_kernels products[YOKE_FORMAT_COUNT];
    struct slot *idle; /* slots not in use */

    atomic_bool stuck; /* a product never ended: what the driver may still use is not released */
} opencl_engine;

/* YOKE_ERR_ENGINE when it is stuck: in its queue nothing ends any more. */
yoke_status engine_check_alive(const opencl_engine *e, yoke_error *err);

/* YOKE_ERR_ENGINE: "engine opencl:0: clFlush: CL_OUT_OF_RESOURCES (-5)". YOKE_OK for success. */
yoke_status engine_check(const opencl_engine *e, const char *call, cl_int code, yoke_error *err);

#endif
