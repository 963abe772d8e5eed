/* The CPU engine once it is open: its threads, what they may execute, and the product under way. */
#ifndef CPU_DEVICE_H
#define CPU_DEVICE_H

#include <stdatomic.h>

#include "base/pool.h"
#include "engines/cpu/kernels.h"

/* A prepared weight. */
typedef struct prepared {
    layout layout;
    char *panels;
} prepared;

/* The product under way. It belongs to the owner of the pool, so one is enough. */
typedef struct run {
    yoke_task task;
    const path *path;
    product product;              /* without what differs from slab to slab */
    char *x;                      /* packed activations: two buffers, one slab in each */
    bool own_x;                   /*   or one buffer for each thread */
    size_t buffer_bytes;          /* from one buffer to the next */
    size_t row_bytes;             /* of a packed row */
    size_t slab_rows;             /* of every slab but the last */
    size_t panels;                /* in the window */
    atomic_size_t next_row;       /* rows handed out for packing */
    atomic_size_t packed_rows;    /* rows packed */
    atomic_size_t next_panel;     /* panels handed out; every slab has them all */
    atomic_size_t done_panels[2]; /* panels computed, by buffer */
    atomic_uint_fast64_t end_ns;  /* when the last thread was done */
    yoke_timing timing;
} run;

typedef struct device {
    pool *pool;
    uint32_t features; /* allowed: what the CPU has, less what isa= forbids */
    uint32_t forced;   /* paths that need these are taken however fast they are */
    double *rates;     /* operations per second of a thread, by path index; 0 for unusable paths */
    char *scratch;     /* SCRATCH_BYTES for each thread */
    char *x;           /* packed activations: grows, never shrinks */
    size_t x_bytes;
    run run;
} device;

/* Opens `threads` threads on the given CPUs (unpinned when there are more threads than CPUs), the
 * caller among them or not: see pool_create.
 * Errors: YOKE_ERR_MEMORY, YOKE_ERR_ENGINE. */
yoke_status device_create(const unsigned *cpus, size_t cpu_count, size_t threads, bool caller_joins,
                          uint32_t features, device **out, yoke_error *err);
void device_free(device *d); /* takes NULL */

/* The fastest path for a product of m rows (SIZE_MAX: any number). Never NULL for a native format.
 */
const path *device_choose(const device *d, yoke_format format, yoke_format x_format,
                          yoke_precision precision, size_t m, bool pin_path);

/* The engine's entries; see engine.h. */
yoke_status device_prepare(void *engine, const yoke_matrix *w, void **out,
                           yoke_prepare_report *report, yoke_error *err);
void device_release(void *engine, void *weight);
yoke_status device_submit(void *engine, void *weight, const yoke_task *task, yoke_ticket *ticket,
                          yoke_error *err);
yoke_status device_wait(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                        uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                        yoke_error *err);
yoke_status device_limit(void *engine, const yoke_limit_request *request, double *per_second,
                         yoke_error *err);

#endif
