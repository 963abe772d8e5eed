/* How many threads are worth running: cores, affinity mask, CPU quota of the control groups. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/parts.h"
#include "host/text.h"

#define PATH_BYTES 4096 /* the widths in parse_mount follow it */

/* One mounted hierarchy of control groups that can hold a CPU quota. */
typedef struct hierarchy {
    bool v2;
    char mount_root[PATH_BYTES]; /* the group that is seen at the mount point */
    char mount_point[PATH_BYTES];
} hierarchy;

/* Whether a comma-separated list has that word. */
static bool list_has(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (*list) {
        size_t item = strcspn(list, ",\n");
        if (item == length && memcmp(list, word, length) == 0)
            return true;
        list += item + (list[item] != '\0');
    }
    return false;
}

/* A line of mountinfo: "36 35 98:0 /root /point options... - type source superoptions". */
static bool parse_mount(const char *line, hierarchy *found)
{
    char type[32], superoptions[512] = "";
    const char *rest = strstr(line, " - ");
    if (!rest ||
        sscanf(line, "%*s %*s %*s %4095s %4095s", found->mount_root, found->mount_point) != 2)
        return false;
    if (sscanf(rest + 3, "%31s %*s %511s", type, superoptions) < 1)
        return false;
    found->v2 = strcmp(type, "cgroup2") == 0;
    return found->v2 || (strcmp(type, "cgroup") == 0 && list_has(superoptions, "cpu"));
}

/* This process's group in a hierarchy, from lines "id:controllers:path" (v2: "0::path"). */
static bool own_group(const char *root, bool v2, char *group, size_t group_bytes)
{
    FILE *file = text_open(root, "/proc/self/cgroup");
    char line[PATH_BYTES + 256];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        controllers++;
        if (v2 ? strncmp(line, "0:", 2) == 0 && *controllers == '\0' : list_has(controllers, "cpu"))
            found = text_copy_trimmed(group, group_bytes, path);
    }
    if (file)
        fclose(file);
    return found;
}

/* The group's path below the mount point: "" for the mount point itself, which is also the best
 * guess for a group outside of what is mounted. */
static const char *below_mount(const hierarchy *at, const char *group)
{
    size_t length = strcmp(at->mount_root, "/") == 0 ? 0 : strlen(at->mount_root);
    if (strncmp(group, at->mount_root, length) != 0 || strstr(group, "/.."))
        return "";
    const char *below = group + length;
    return *below == '/' && below[1] != '\0' ? below : "";
}

static bool read_number(const char *root, const char *folder, const char *name, double *value)
{
    char path[PATH_BYTES], text[64];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path ||
        !text_first_line(root, path, text, sizeof text))
        return false;
    char *end;
    *value = strtod(text, &end);
    return end != text;
}

/* "200000 100000" or "max 100000". */
static double quota_v2(const char *root, const char *folder)
{
    char path[PATH_BYTES], text[64];
    double quota, period;
    int length = snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (length < 0 || (size_t)length >= sizeof path ||
        !text_first_line(root, path, text, sizeof text))
        return INFINITY;
    if (sscanf(text, "%lf %lf", &quota, &period) != 2 || !(quota > 0) || !(period > 0))
        return INFINITY;
    return quota / period;
}

/* Two files; a quota of -1 is none. */
static double quota_v1(const char *root, const char *folder)
{
    double quota, period;
    if (!read_number(root, folder, "cpu.cfs_quota_us", &quota) ||
        !read_number(root, folder, "cpu.cfs_period_us", &period))
        return INFINITY;
    return quota > 0 && period > 0 ? quota / period : INFINITY;
}

/* The tightest of the group and those above it. */
static double hierarchy_quota(const char *root, const hierarchy *at)
{
    char group[PATH_BYTES], folder[PATH_BYTES];
    if (!own_group(root, at->v2, group, sizeof group))
        return INFINITY;
    int length = snprintf(folder, sizeof folder, "%s%s", at->mount_point, below_mount(at, group));
    if (length < 0 || (size_t)length >= sizeof folder)
        return INFINITY;
    double tightest = INFINITY;
    size_t mount_length = strlen(at->mount_point);
    while (strlen(folder) >= mount_length) {
        tightest = fmin(tightest, at->v2 ? quota_v2(root, folder) : quota_v1(root, folder));
        char *slash = strrchr(folder, '/');
        if (!slash)
            break;
        *slash = '\0';
    }
    return tightest;
}

double limits_quota(const char *root)
{
    FILE *file = text_open(root, "/proc/self/mountinfo");
    if (!file)
        return INFINITY;
    double tightest = INFINITY;
    char *line = NULL;
    size_t room = 0;
    hierarchy at;
    while (getline(&line, &room, file) > 0)
        if (parse_mount(line, &at))
            tightest = fmin(tightest, hierarchy_quota(root, &at));
    free(line);
    fclose(file);
    return tightest;
}

void limits_apply(yoke_host *host, size_t usable_cpus, double quota)
{
    size_t cores = 0;
    for (size_t i = 0; i < host->core_set_count; i++)
        cores += host->core_sets[i].cpu_count;
    if (cores == 0)
        cores = 1;
    host->usable_threads = cores;
    if (quota < (double)cores) {
        host->usable_threads = quota < 1 ? 1 : (size_t)quota;
        /* Rounded down, as the threads are: 1.96 must not read as 2.0. */
        snprintf(host->usable_reason, sizeof host->usable_reason, "cgroup quota of %.1f CPUs",
                 floor(quota * 10) / 10);
    } else if (cores < host->cores) {
        snprintf(host->usable_reason, sizeof host->usable_reason, "affinity mask of %zu CPU%s",
                 usable_cpus, usable_cpus == 1 ? "" : "s");
    } else {
        snprintf(host->usable_reason, sizeof host->usable_reason, "%zu physical core%s", cores,
                 cores == 1 ? "" : "s");
    }
}
