#include "engines/fake/pause.h"

#include <time.h>

#include "yoke/measure.h"

#define LOOK_AHEAD_NS 60000u    /* sleep-then-poll wakes so long before the predicted end */
#define LOOK_NS       20000000u /* between looks at a flag */

static bool is_stopped(const pause_request *p)
{
    return p->stop && *p->stop;
}

static void sleep_until(uint64_t then_ns, const pause_request *p)
{
    for (uint64_t now = yoke_clock_ns(); now < then_ns && !is_stopped(p); now = yoke_clock_ns()) {
        uint64_t left = then_ns - now;
        if (p->stop && left > LOOK_NS)
            left = LOOK_NS;
        struct timespec rest = {.tv_sec = (time_t)(left / 1000000000u),
                                .tv_nsec = (long)(left % 1000000000u)};
        nanosleep(&rest, NULL); /* interrupted: look again */
    }
}

static void poll_until(uint64_t then_ns, const pause_request *p)
{
    while (yoke_clock_ns() < then_ns && !is_stopped(p))
        ;
}

bool pause_until(uint64_t end_ns, const pause_request *p)
{
    yoke_wait_how how = p->how;
    bool in_time = p->deadline_ns == 0 || end_ns <= p->deadline_ns;
    uint64_t until = in_time ? end_ns : p->deadline_ns;
    if (how == YOKE_WAIT_SLEEP_POLL && p->predicted_end_ns > p->submit_ns + LOOK_AHEAD_NS) {
        uint64_t wake = p->predicted_end_ns - LOOK_AHEAD_NS;
        sleep_until(wake < until ? wake : until, p);
        how = YOKE_WAIT_POLL;
    }
    (how == YOKE_WAIT_POLL ? poll_until : sleep_until)(until, p);
    return in_time && (!is_stopped(p) || yoke_clock_ns() >= until);
}
