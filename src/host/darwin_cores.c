/* Core sets by what macOS calls performance levels, 0 the fastest. Which core has which number it
 * tells nobody, and nothing can be bound to one: the numbers count the cores, fastest level first.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "host/darwin.h"

typedef struct level {
    size_t cores, cores_per_l2, l2_bytes, l1d_bytes;
    char kind[16];
} level;

static uint64_t level_integer(const darwin *mac, size_t number, const char *what)
{
    char name[64];
    snprintf(name, sizeof name, "hw.perflevel%zu.%s", number, what);
    return darwin_integer(mac, name);
}

static level read_level(const darwin *mac, size_t number)
{
    level l = {.cores = (size_t)level_integer(mac, number, "physicalcpu"),
               .cores_per_l2 = (size_t)level_integer(mac, number, "cpusperl2"),
               .l2_bytes = (size_t)level_integer(mac, number, "l2cachesize"),
               .l1d_bytes = (size_t)level_integer(mac, number, "l1dcachesize")};
    char name[64];
    snprintf(name, sizeof name, "hw.perflevel%zu.name", number);
    if (!darwin_text(mac, name, l.kind, sizeof l.kind)) /* macOS 12 has no names */
        strcpy(l.kind, number == 0 ? "performance" : "efficiency");
    for (char *c = l.kind; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (l.cores_per_l2 == 0)
        l.cores_per_l2 = l.cores;
    return l;
}

/* A set for each cache of the level, numbering its cores from *cpu on; what finds no room for a set
 * of its own joins the last. */
static void add_level(const level *l, unsigned *cpu, yoke_host *host)
{
    for (size_t core = 0; core < l->cores; core++, (*cpu)++) {
        if (core % l->cores_per_l2 == 0) {
            host->cache_bytes += l->l2_bytes;
            if (host->core_set_count < YOKE_HOST_MAX_CORE_SETS)
                host->core_sets[host->core_set_count++].cpu_count = 0;
        }
        yoke_core_set *set = &host->core_sets[host->core_set_count - 1];
        memcpy(set->kind, l->kind, sizeof set->kind);
        if (set->cpu_count < YOKE_HOST_MAX_CPUS)
            set->cpus[set->cpu_count++] = *cpu;
    }
}

void darwin_core_sets(const darwin *mac, yoke_host *host)
{
    size_t levels = (size_t)darwin_integer(mac, "hw.nperflevels");
    if (levels < 2 || read_level(mac, 0).cores == 0)
        return;
    unsigned cpu = 0;
    host->core_set_count = host->cache_bytes = 0;
    for (size_t number = 0; number < levels; number++) {
        level l = read_level(mac, number);
        add_level(&l, &cpu, host);
        if (number == 0) {
            host->l1d_bytes = l.l1d_bytes;
            host->l2_bytes = l.l2_bytes;
        }
    }
    host->cores = host->logical_cpus = cpu;
}
