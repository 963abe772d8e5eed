#include "engines/await.h"

#include <time.h>

#include "base/relax.h"
#include "yoke/measure.h"

#define LOOK_AHEAD_NS   60000u   /* sleep-then-poll wakes so long before the predicted end */
#define FIRST_REST_NS   20000u   /* blocking: between looks at first, ... */
#define LONGEST_REST_NS 1000000u /* ... and at last */

static void sleep_for(uint64_t ns)
{
    struct timespec rest = {.tv_sec = (time_t)(ns / 1000000000u),
                            .tv_nsec = (long)(ns % 1000000000u)};
    nanosleep(&rest, NULL); /* interrupted: the caller looks again */
}

/* rest_ns 0: without rests. */
static bool look_until_ended(await_ended *ended, void *arg, uint64_t rest_ns, uint64_t deadline_ns)
{
    while (!ended(arg)) {
        if (deadline_ns != 0 && yoke_clock_ns() >= deadline_ns)
            return false;
        if (rest_ns == 0) {
            cpu_relax();
            continue;
        }
        sleep_for(rest_ns);
        rest_ns = rest_ns * 2 < LONGEST_REST_NS ? rest_ns * 2 : LONGEST_REST_NS;
    }
    return true;
}

static void sleep_until_shortly_before(uint64_t predicted_end_ns, uint64_t deadline_ns)
{
    uint64_t until =
        deadline_ns != 0 && deadline_ns < predicted_end_ns ? deadline_ns : predicted_end_ns;
    uint64_t now = yoke_clock_ns();
    if (until > now + LOOK_AHEAD_NS)
        sleep_for(until - now - LOOK_AHEAD_NS);
}

bool await(await_ended *ended, void *arg, yoke_wait_how how, uint64_t predicted_end_ns,
           uint64_t deadline_ns)
{
    if (how == YOKE_WAIT_SLEEP_POLL && predicted_end_ns != 0) {
        sleep_until_shortly_before(predicted_end_ns, deadline_ns);
        how = YOKE_WAIT_POLL;
    }
    return look_until_ended(ended, arg, how == YOKE_WAIT_POLL ? 0 : FIRST_REST_NS, deadline_ns);
}

yoke_status await_given_up(const char *engine, const char *call, const volatile bool *stop,
                           yoke_error *err)
{
    if (stop && *stop)
        return yoke_error_set(err, YOKE_ERR_INTERRUPTED, "engine %s: %s: stopped on request",
                              engine, call);
    return yoke_error_set(err, YOKE_ERR_TIMEOUT, "engine %s: %s: did not end before its deadline",
                          engine, call);
}
