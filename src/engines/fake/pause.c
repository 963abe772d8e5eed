#include "engines/fake/pause.h"

#include <time.h>

#include "yoke/measure.h"

#define LOOK_AHEAD_NS 60000u /* sleep-then-poll wakes so long before the predicted end */

static void sleep_until(uint64_t then_ns)
{
    for (uint64_t now = yoke_clock_ns(); now < then_ns; now = yoke_clock_ns()) {
        uint64_t left = then_ns - now;
        struct timespec rest = {.tv_sec = (time_t)(left / 1000000000u),
                                .tv_nsec = (long)(left % 1000000000u)};
        nanosleep(&rest, NULL); /* interrupted: look again */
    }
}

static void poll_until(uint64_t then_ns)
{
    while (yoke_clock_ns() < then_ns)
        ;
}

bool pause_until(uint64_t end_ns, const pause_request *p)
{
    yoke_wait_how how = p->how;
    bool in_time = p->deadline_ns == 0 || end_ns <= p->deadline_ns;
    uint64_t until = in_time ? end_ns : p->deadline_ns;
    if (how == YOKE_WAIT_SLEEP_POLL && p->predicted_end_ns > p->submit_ns + LOOK_AHEAD_NS) {
        uint64_t wake = p->predicted_end_ns - LOOK_AHEAD_NS;
        sleep_until(wake < until ? wake : until);
        how = YOKE_WAIT_POLL;
    }
    (how == YOKE_WAIT_POLL ? poll_until : sleep_until)(until);
    return in_time;
}
