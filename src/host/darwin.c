/* What macOS tells of the machine, by sysctl. */
#if defined(__APPLE__)

#include <stdio.h>
#include <string.h>
#include <sys/sysctl.h>
#include <sys/utsname.h>

#include "host/parts.h"

static void text_of(const char *name, char *out, size_t out_bytes)
{
    size_t bytes = out_bytes - 1;
    memset(out, 0, out_bytes);
    if (sysctlbyname(name, out, &bytes, NULL, 0) != 0)
        out[0] = '\0';
}

static int int_of(const char *name)
{
    int value = 0;
    size_t bytes = sizeof value;
    return sysctlbyname(name, &value, &bytes, NULL, 0) == 0 ? value : 0;
}

static void describe_os(yoke_host *host)
{
    char version[32], build[32];
    struct utsname name;
    text_of("kern.osproductversion", version, sizeof version);
    text_of("kern.osversion", build, sizeof build);
    snprintf(host->os, sizeof host->os, "macOS %s (%s) %.20s", version, build,
             uname(&name) == 0 ? name.machine : "");
}

void system_describe(const char *root, yoke_host *host)
{
    (void)root;
    describe_os(host);
    text_of("machdep.cpu.brand_string", host->cpu, sizeof host->cpu);
    if (host->cpu[0] == '\0')
        strcpy(host->cpu, "unknown");
    text_of("hw.model", host->machine, sizeof host->machine);
    if (int_of("kern.hv_vmm_present") == 1)
        strcpy(host->hypervisor, "unknown");
    host->translated = int_of("sysctl.proc_translated") == 1;
    size_t bytes = sizeof host->memory_bytes;
    if (sysctlbyname("hw.memsize", &host->memory_bytes, &bytes, NULL, 0) != 0)
        host->memory_bytes = 0;
    host->low_power = host->on_battery = -1;
}

#else
typedef int darwin_unused; /* a translation unit is never empty */
#endif
