#include <stdio.h>
#include <string.h>

#include "host/darwin.h"

static void describe_os(const darwin *mac, const char *processor, yoke_host *host)
{
    char version[32], build[32];
    darwin_text(mac, "kern.osproductversion", version, sizeof version);
    darwin_text(mac, "kern.osversion", build, sizeof build);
    snprintf(host->os, sizeof host->os, "macOS %s (%s) %.20s", version, build, processor);
}

void darwin_describe(const darwin *mac, const char *processor, yoke_host *host)
{
    describe_os(mac, processor, host);
    if (!darwin_text(mac, "machdep.cpu.brand_string", host->cpu, sizeof host->cpu))
        strcpy(host->cpu, "unknown");
    darwin_text(mac, "hw.model", host->machine, sizeof host->machine);
    if (darwin_integer(mac, "kern.hv_vmm_present") == 1)
        strcpy(host->hypervisor, "unknown");
    host->translated = darwin_is_translated(mac);
    host->memory_bytes = darwin_integer(mac, "hw.memsize");
}
