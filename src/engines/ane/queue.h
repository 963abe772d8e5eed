/* The thread that runs products, one after the other: the framework's call returns when the device
 * is done, and a submit must not wait for that. */
#ifndef ANE_QUEUE_H
#define ANE_QUEUE_H

#include "engines/ane/product.h"

typedef struct ane_queue ane_queue;

/* f and options outlive it. Errors: YOKE_ERR_MEMORY, YOKE_ERR_ENGINE (no thread). */
yoke_status ane_queue_create(const ane_framework *f, const ane_options *options, ane_queue **out,
                             yoke_error *err);

/* No product is under way, or the queue is stuck: false then, and it lives on with all that its
 * thread may use. */
bool ane_queue_free(ane_queue *q);

/* Does a product that was given up still run? What it uses is not freed. */
bool ane_queue_is_stuck(ane_queue *q);

/* For the engine's entries of the same names. */
yoke_status ane_queue_submit(ane_queue *q, ane_weight *w, const yoke_task *task,
                             yoke_ticket *ticket, yoke_error *err);
yoke_status ane_queue_wait(ane_queue *q, yoke_ticket *ticket, yoke_wait_how how,
                           uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                           yoke_error *err);

#endif
