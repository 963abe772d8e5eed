/* Holding off deep idle states, where the system permits it. */
#ifndef BENCH_IDLE_HOLD_H
#define BENCH_IDLE_HOLD_H

#include "yoke/status.h"

typedef struct idle_hold {
    int descriptor; /* -1: not held */
} idle_hold;

/* Asks the kernel for a wake-up latency of 0 us until idle_hold_end.
 * Errors: YOKE_ERR_UNSUPPORTED with the reason. */
yoke_status idle_hold_begin(idle_hold *hold, yoke_error *err);
void idle_hold_end(idle_hold *hold);

#endif
