/* What Linux tells of the machine, in /proc and /sys. */
#if defined(__linux__)

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "host/parts.h"
#include "host/text.h"

static void describe_os(yoke_host *host)
{
    struct utsname name;
    if (uname(&name) == 0)
        snprintf(host->os, sizeof host->os, "%.40s %.60s %.20s", name.sysname, name.release,
                 name.machine);
}

/* The brand string as it stands; arm64 kernels give none. */
static void describe_cpu(const char *root, yoke_host *host)
{
    if (!text_value(root, "/proc/cpuinfo", "model name", host->cpu, sizeof host->cpu))
        strcpy(host->cpu, "unknown");
    /* Rosetta in a Linux guest calls its processor "VirtualApple @ 2.50GHz". */
    host->translated = strncmp(host->cpu, "VirtualApple", 12) == 0;
}

static void describe_machine(const char *root, yoke_host *host)
{
    if (!text_first_line(root, "/sys/class/dmi/id/product_name", host->machine,
                         sizeof host->machine))
        text_first_line(root, "/proc/device-tree/model", host->machine, sizeof host->machine);
}

static void describe_hypervisor(const char *root, yoke_host *host)
{
    x86_hypervisor(host->hypervisor, sizeof host->hypervisor);
    if (host->hypervisor[0] == '\0' &&
        !text_first_line(root, "/sys/hypervisor/type", host->hypervisor, sizeof host->hypervisor))
        text_first_line(root, "/proc/device-tree/hypervisor/compatible", host->hypervisor,
                        sizeof host->hypervisor);
}

static void describe_memory(const char *root, yoke_host *host)
{
    char text[64];
    uint64_t kib = 0;
    if (text_value(root, "/proc/meminfo", "MemTotal", text, sizeof text))
        kib = strtoull(text, NULL, 10);
    host->memory_bytes = kib * 1024; /* "kB" there means KiB */
}

/* What one supply says of running on battery: 1, 0, or -1 for nothing. */
static int supply_on_battery(const char *root, const char *name)
{
    char path[PATH_MAX], type[32], value[32];
    snprintf(path, sizeof path, "/sys/class/power_supply/%s/scope", name);
    if (text_first_line(root, path, value, sizeof value) && strcmp(value, "Device") == 0)
        return -1; /* a mouse */
    snprintf(path, sizeof path, "/sys/class/power_supply/%s/type", name);
    if (!text_first_line(root, path, type, sizeof type))
        return -1;
    bool battery = strcmp(type, "Battery") == 0;
    snprintf(path, sizeof path, "/sys/class/power_supply/%s/%s", name,
             battery ? "status" : "online");
    if (!text_first_line(root, path, value, sizeof value))
        return -1;
    if (battery)
        return strcmp(value, "Discharging") == 0;
    return strcmp(value, "1") == 0 ? 0 : -1;
}

static int on_battery(const char *root)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/sys/class/power_supply", root);
    DIR *folder = length > 0 && (size_t)length < sizeof path ? opendir(path) : NULL;
    int answer = -1;
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        int supply = entry->d_name[0] == '.' ? -1 : supply_on_battery(root, entry->d_name);
        if (supply > answer)
            answer = supply;
    }
    if (folder)
        closedir(folder);
    return answer;
}

static void describe_power(const char *root, yoke_host *host)
{
    char profile[32];
    text_first_line(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", host->governor,
                    sizeof host->governor);
    host->low_power = -1;
    if (text_first_line(root, "/sys/firmware/acpi/platform_profile", profile, sizeof profile))
        host->low_power = strcmp(profile, "low-power") == 0;
    host->on_battery = on_battery(root);
}

void system_describe(const char *root, yoke_host *host)
{
    describe_os(host);
    describe_cpu(root, host);
    describe_machine(root, host);
    describe_hypervisor(root, host);
    describe_memory(root, host);
    describe_power(root, host);
}

#else
typedef int linux_unused; /* a translation unit is never empty */
#endif
