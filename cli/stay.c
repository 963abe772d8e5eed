#include "stay.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sched.h>

#include "yoke/host.h"

static const char *core_set_of(const yoke_engine *engine)
{
    const yoke_engine_info *info = yoke_engine_describe(engine);
    bool has_one = info->facts.computes_on_caller && strncmp(info->name, "cpu:", 4) == 0;
    return has_one ? info->name + 4 : NULL;
}

/* "2", or "0-3" for several. */
static void add_core_sets(const char *text, const yoke_host *host, cpu_set_t *cpus)
{
    char *end;
    size_t first = strtoul(text, &end, 10), last = first;
    if (*end == '-')
        last = strtoul(end + 1, NULL, 10);
    for (size_t s = first; s <= last && s < host->core_set_count; s++)
        for (size_t i = 0; i < host->core_sets[s].cpu_count; i++)
            if (host->core_sets[s].cpus[i] < CPU_SETSIZE)
                CPU_SET(host->core_sets[s].cpus[i], cpus);
}

void stay_on_its_cores(yoke_engine *const *engines, size_t count)
{
    cpu_set_t cpus;
    const char *set = NULL;
    for (size_t i = 0; i < count && !set; i++)
        set = engines[i] ? core_set_of(engines[i]) : NULL;
    yoke_host *host = set ? calloc(1, sizeof *host) : NULL;
    if (!host)
        return;
    CPU_ZERO(&cpus);
    if (yoke_host_read(host, NULL) == YOKE_OK)
        add_core_sets(set, host, &cpus);
    if (CPU_COUNT(&cpus) > 0)
        sched_setaffinity(0, sizeof cpus, &cpus); /* in vain: as if it had not been tried */
    free(host);
}
#else
void stay_on_its_cores(yoke_engine *const *engines, size_t count)
{
    (void)engines, (void)count;
}
#endif
