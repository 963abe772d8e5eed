#include "bench/idle_hold.h"

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define LATENCY_PATH "/dev/cpu_dma_latency"

/* The kernel keeps the request for as long as the file is open (Documentation/power/pm_qos). */
yoke_status idle_hold_begin(idle_hold *hold, yoke_error *err)
{
    const int32_t latency_us = 0;
    hold->descriptor = open(LATENCY_PATH, O_WRONLY | O_CLOEXEC);
    if (hold->descriptor < 0)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, LATENCY_PATH ": %s", strerror(errno));
    if (write(hold->descriptor, &latency_us, sizeof latency_us) == sizeof latency_us)
        return YOKE_OK;
    yoke_error_set(err, YOKE_ERR_UNSUPPORTED, LATENCY_PATH ": cannot write: %s", strerror(errno));
    idle_hold_end(hold);
    return YOKE_ERR_UNSUPPORTED;
}

void idle_hold_end(idle_hold *hold)
{
    if (hold->descriptor >= 0)
        close(hold->descriptor);
    hold->descriptor = -1;
}
#else
yoke_status idle_hold_begin(idle_hold *hold, yoke_error *err)
{
    hold->descriptor = -1;
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "/dev/cpu_dma_latency: only Linux has it");
}

void idle_hold_end(idle_hold *hold)
{
    hold->descriptor = -1;
}
#endif
