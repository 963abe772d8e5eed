/* One product: submit enqueues it, wait sees it through. */
#ifndef OPENCL_PRODUCT_H
#define OPENCL_PRODUCT_H

#include "engines/opencl/prepare.h"
#include "engines/opencl/slot.h"

/* The engine's entries. */
yoke_status product_submit(void *engine, void *weight, const yoke_task *task, yoke_ticket *ticket,
                           yoke_error *err);
yoke_status product_wait(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                         uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                         yoke_error *err);

/* Runs every kernel of a format once, so that no product waits for a compiler. */
yoke_status product_rehearse(opencl_engine *e, prepared *w, yoke_error *err);

#endif
