/* A product on the engine's thread: the engine's entries of these names. */
#ifndef ANE_QUEUE_H
#define ANE_QUEUE_H

#include "engines/ane/engine.h"
#include "engines/ane/weight.h"

yoke_status ane_queue_submit(void *engine, void *prepared, const yoke_task *task,
                             yoke_ticket *ticket, yoke_error *err);
yoke_status ane_queue_wait(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                           uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                           yoke_error *err);

#endif
