#include <time.h>

#include "yoke/measure.h"

/* macOS counts CLOCK_MONOTONIC in microseconds, and on while the machine sleeps. */
#ifdef __APPLE__
#define CLOCK CLOCK_UPTIME_RAW
#else
#define CLOCK CLOCK_MONOTONIC
#endif

uint64_t yoke_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
