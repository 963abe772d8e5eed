/* A product on the engine's thread, for the engine's entries of the same names. */
#ifndef ANE_QUEUE_H
#define ANE_QUEUE_H

#include "engines/ane/engine.h"
#include "engines/ane/weight.h"

yoke_status ane_queue_submit(ane_engine *e, ane_weight *w, const yoke_task *task,
                             yoke_ticket *ticket, yoke_error *err);
yoke_status ane_queue_wait(ane_engine *e, yoke_ticket *ticket, yoke_wait_how how,
                           uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                           yoke_error *err);

#endif
