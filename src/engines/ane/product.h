/* One product on the device, from x to y. */
#ifndef ANE_PRODUCT_H
#define ANE_PRODUCT_H

#include "engines/ane/weight.h"

typedef struct ane_product {
    worker_job job;
    ane_weight *weight;
    yoke_matrix x, y;
    float alpha, beta;
    size_t n_begin;
    bool one_size;                           /* by the smallest program alone */
    uint64_t device_begin_ns, device_end_ns; /* around all evaluations, on our clock */
    uint64_t hardware_ns;                    /* as the hardware tells it; 0: it does not */
    uint64_t copied_bytes;
} ane_product;

/* Errors: YOKE_ERR_ENGINE, YOKE_ERR_UNSUPPORTED (x holds infinity), YOKE_ERR_TIMEOUT (by the
 * driver, or given up). */
yoke_status ane_product_run(const ane_framework *f, const ane_options *options, ane_product *p,
                            yoke_error *err);

#endif
