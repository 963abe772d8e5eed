/* RAPL by powercap: /sys/class/powercap/intel-rapl:P for a package (AMD's too), intel-rapl:P:D for
 * a part of it. A package does not count the memory beside it, whose part is called "dram". Since
 * 2020 kernels let root alone read them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/text.h"
#include "measure/counters_parts.h"

#define ZONES_MAX   32 /* packages and memories together */
#define PARTS_MAX   8  /* of a package */
#define PATH_BYTES  128
#define FOLDER      "/sys/class/powercap/intel-rapl:"
#define MICROJOULES 1e-6

typedef struct zone {
    char path[PATH_BYTES];
    double wraps_at, before; /* microjoules */
} zone;

struct rapl {
    char *root;
    zone zones[ZONES_MAX];
    size_t count;
    bool memory; /* a zone of memory is among them */
};

static bool read_number(const char *root, const char *zone_path, const char *file, double *value)
{
    char path[PATH_BYTES + 32], text[32];
    char *end;
    snprintf(path, sizeof path, "%s/%s", zone_path, file);
    if (!text_first_line(root, path, text, sizeof text))
        return false;
    *value = strtod(text, &end);
    return *end == '\0' && *value >= 0;
}

/* Takes the zone in when its name begins so and it can be read. */
static bool add_zone(rapl *r, const char *path, const char *wanted)
{
    char name_path[PATH_BYTES + 8], name[32];
    zone z = {.wraps_at = 0};
    snprintf(name_path, sizeof name_path, "%s/name", path);
    snprintf(z.path, sizeof z.path, "%s", path);
    if (r->count == ZONES_MAX || !text_first_line(r->root, name_path, name, sizeof name) ||
        strncmp(name, wanted, strlen(wanted)) != 0 ||
        !read_number(r->root, path, "energy_uj", &z.before) ||
        !read_number(r->root, path, "max_energy_range_uj", &z.wraps_at))
        return false;
    r->zones[r->count++] = z;
    return true;
}

static void find_zones(rapl *r)
{
    char path[PATH_BYTES];
    for (unsigned package = 0; package < ZONES_MAX; package++) {
        snprintf(path, sizeof path, FOLDER "%u", package);
        if (!add_zone(r, path, "package"))
            continue;
        for (unsigned part = 0; part < PARTS_MAX; part++) {
            snprintf(path, sizeof path, FOLDER "%u:%u", package, part);
            if (add_zone(r, path, "dram"))
                r->memory = true;
        }
    }
}

yoke_status rapl_open(const char *root, rapl **out, yoke_error *err)
{
    rapl *r = calloc(1, sizeof *r);
    if (r)
        r->root = strdup(root);
    if (!r || !r->root) {
        rapl_free(r);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "counters: no memory");
    }
    find_zones(r);
    *out = r;
    if (r->count == 0) {
        rapl_free(r);
        *out = NULL;
    }
    return YOKE_OK;
}

void rapl_free(rapl *r)
{
    if (r)
        free(r->root);
    free(r);
}

void rapl_begin(rapl *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (!read_number(r->root, r->zones[i].path, "energy_uj", &r->zones[i].before))
            r->zones[i].before = -1;
}

/* What a zone took since the beginning; negative when it cannot be read. Counters wrap within an
 * hour or so, at most once in an interval. */
static double taken(const rapl *r, const zone *z)
{
    double now;
    if (z->before < 0 || !read_number(r->root, z->path, "energy_uj", &now))
        return -1;
    return now >= z->before ? now - z->before : now - z->before + z->wraps_at;
}

void rapl_end(rapl *r, counters_reading *reading)
{
    double sum = 0;
    for (size_t i = 0; i < r->count; i++) {
        double each = taken(r, &r->zones[i]);
        if (each < 0)
            return;
        sum += each;
    }
    if (sum <= 0)
        return;
    reading->joules = sum * MICROJOULES;
    snprintf(reading->joules_source, sizeof reading->joules_source, "RAPL, the whole processor%s",
             r->memory ? " and its memory" : "");
}
