#include <stdlib.h>
#include <string.h>

#include "host/darwin.h"
#include "host/parts.h"

yoke_status yoke_host_read(yoke_host *host, yoke_error *err)
{
    memset(host, 0, sizeof *host);
    strcpy(host->cpu, "unknown");
    host->low_power = host->on_battery = -1;
    size_t usable_cpus;
    yoke_status status = topology_read(host, &usable_cpus, err);
    if (status != YOKE_OK)
        return status;
    host->features = x86_features() | arm_features();
    system_describe("", host);
    host->translated |= darwin_is_translated(&darwin_here); /* as the engines are told */
    if (getloadavg(&host->load_average, 1) != 1)
        host->load_average = -1;
    limits_apply(host, usable_cpus, limits_quota(""));
    return YOKE_OK;
}
