/* One product: submit commits it, wait sees it through. */
#ifndef METAL_PRODUCT_H
#define METAL_PRODUCT_H

#include "engines/metal/prepare.h"

/* The engine's entries. */
yoke_status metal_product_submit(void *engine, void *prepared, const yoke_task *task,
                                 yoke_ticket *ticket, yoke_error *err);
yoke_status metal_product_wait(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                               uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                               yoke_error *err);

#endif
