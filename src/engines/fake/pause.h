/* Waiting for a point in time. */
#ifndef ENGINES_FAKE_PAUSE_H
#define ENGINES_FAKE_PAUSE_H

#include "yoke/engine.h"

typedef struct pause_request {
    yoke_wait_how how;
    uint64_t submit_ns, predicted_end_ns;
    uint64_t deadline_ns;      /* 0: none */
    const volatile bool *stop; /* ends it soon after it is set; NULL: nothing does */
} pause_request;

/* Until then, in the manner asked for; false when the deadline, or the flag, comes first. */
bool pause_until(uint64_t end_ns, const pause_request *p);

#endif
