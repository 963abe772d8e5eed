#include <string.h>

#include "host/parts.h"

/* What cores must share to be in one set, finest first. A machine with more last-level caches than
 * there is room for sets is described by packages, then whole. */
typedef enum grouping { BY_CACHE, BY_PACKAGE, BY_KIND_ALONE } grouping;

static hwloc_obj_t last_level_cache(hwloc_obj_t core)
{
    hwloc_obj_t last = NULL;
    for (hwloc_obj_t object = core; object; object = object->parent)
        if (hwloc_obj_type_is_dcache(object->type))
            last = object;
    return last;
}

static hwloc_obj_t group_of(hwloc_topology_t topology, hwloc_obj_t core, grouping by)
{
    switch (by) {
    case BY_CACHE: return last_level_cache(core);
    case BY_PACKAGE: return hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, core);
    default: return NULL;
    }
}

/* The core's kind, 0 the most efficient; -1 when all are alike or nothing is known. */
static int kind_of(hwloc_topology_t topology, hwloc_obj_t core)
{
    int efficiency = -1;
    int kind = hwloc_cpukinds_get_by_cpuset(topology, core->cpuset, 0);
    if (kind < 0 || hwloc_cpukinds_get_nr(topology, 0) < 2)
        return -1;
    hwloc_cpukinds_get_info(topology, (unsigned)kind, NULL, &efficiency, NULL, NULL, 0);
    return efficiency;
}

static const char *kind_name(hwloc_topology_t topology, int kind)
{
    if (kind < 0)
        return "";
    return kind == hwloc_cpukinds_get_nr(topology, 0) - 1 ? "performance" : "efficiency";
}

/* The first logical CPU of a core that may be used, or -1. */
static int usable_cpu(hwloc_obj_t core, hwloc_const_cpuset_t usable)
{
    int cpu = hwloc_bitmap_first(core->cpuset);
    while (cpu >= 0 && !hwloc_bitmap_isset(usable, (unsigned)cpu))
        cpu = hwloc_bitmap_next(core->cpuset, cpu);
    return cpu;
}

/* Cores, or logical CPUs where the system knows no cores. */
static hwloc_obj_type_t core_type(hwloc_topology_t topology)
{
    return hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

typedef struct set_key {
    hwloc_obj_t group;
    int kind;
} set_key;

/* The set of that key, made when there is room for it; else the last set. Sets *full then. */
static yoke_core_set *find_set(yoke_host *host, set_key *keys, set_key key, bool *full)
{
    size_t count = host->core_set_count;
    for (size_t i = 0; i < count; i++)
        if (keys[i].group == key.group && keys[i].kind == key.kind)
            return &host->core_sets[i];
    if (count == YOKE_HOST_MAX_CORE_SETS) {
        *full = true;
        return &host->core_sets[count - 1];
    }
    keys[count] = key;
    host->core_sets[count].cpu_count = 0;
    return &host->core_sets[host->core_set_count++];
}

/* False when there were more sets than fit. */
static bool group_cores(hwloc_topology_t topology, hwloc_const_cpuset_t usable, grouping by,
                        yoke_host *host)
{
    set_key keys[YOKE_HOST_MAX_CORE_SETS];
    bool full = false;
    host->core_set_count = 0;
    hwloc_obj_t core = NULL;
    while ((core = hwloc_get_next_obj_by_type(topology, core_type(topology), core))) {
        int cpu = usable_cpu(core, usable);
        if (cpu < 0)
            continue;
        set_key key = {group_of(topology, core, by), kind_of(topology, core)};
        yoke_core_set *set = find_set(host, keys, key, &full);
        strcpy(set->kind, kind_name(topology, key.kind));
        if (set->cpu_count < YOKE_HOST_MAX_CPUS)
            set->cpus[set->cpu_count++] = (unsigned)cpu;
    }
    return !full;
}

static size_t count_objects(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    int count = hwloc_get_nbobjs_by_type(topology, type);
    return count > 0 ? (size_t)count : 0;
}

/* The caches above the first core that may be used. */
static void describe_one_of_each_cache(hwloc_obj_t core, yoke_host *host)
{
    for (hwloc_obj_t object = core; object; object = object->parent) {
        if (!hwloc_obj_type_is_dcache(object->type))
            continue;
        size_t bytes = (size_t)object->attr->cache.size;
        if (object->type == HWLOC_OBJ_L1CACHE) {
            host->l1d_bytes = bytes;
            host->cache_line_bytes = object->attr->cache.linesize;
        } else if (object->type == HWLOC_OBJ_L2CACHE) {
            host->l2_bytes = bytes;
        } else if (object->type == HWLOC_OBJ_L3CACHE) {
            host->l3_bytes = bytes;
        }
    }
}

static void describe_caches(hwloc_topology_t topology, hwloc_const_cpuset_t usable, yoke_host *host)
{
    hwloc_obj_t core = NULL, counted = NULL;
    bool first = true;
    while ((core = hwloc_get_next_obj_by_type(topology, core_type(topology), core))) {
        if (usable_cpu(core, usable) < 0)
            continue;
        if (first)
            describe_one_of_each_cache(core, host);
        first = false;
        /* Cores come in the order of the tree: those of one cache lie together. */
        hwloc_obj_t last = last_level_cache(core);
        if (last && last != counted)
            host->cache_bytes += (size_t)last->attr->cache.size;
        counted = last;
    }
}

/* Where one set would hold all, a smaller engine than the whole is a core: each becomes a set. */
static void split_only_set(yoke_host *host)
{
    yoke_core_set *sets = host->core_sets;
    size_t count = sets[0].cpu_count;
    if (host->core_set_count != 1 || count > YOKE_HOST_MAX_CORE_SETS)
        return;
    for (size_t i = 1; i < count; i++) {
        sets[i].cpus[0] = sets[0].cpus[i];
        sets[i].cpu_count = 1;
        strcpy(sets[i].kind, sets[0].kind);
    }
    sets[0].cpu_count = 1;
    host->core_set_count = count;
}

void topology_describe(hwloc_topology_t topology, hwloc_const_cpuset_t usable, yoke_host *host)
{
    host->packages = count_objects(topology, HWLOC_OBJ_PACKAGE);
    host->numa_nodes = count_objects(topology, HWLOC_OBJ_NUMANODE);
    host->cores = count_objects(topology, core_type(topology));
    host->logical_cpus = count_objects(topology, HWLOC_OBJ_PU);
    describe_caches(topology, usable, host);
    for (grouping by = BY_CACHE; by <= BY_KIND_ALONE; by++)
        if (group_cores(topology, usable, by, host))
            break;
    split_only_set(host);
}

/* The calling thread's affinity mask; everything where the system has no such thing. */
static void read_affinity(hwloc_topology_t topology, hwloc_cpuset_t usable)
{
    if (hwloc_get_cpubind(topology, usable, HWLOC_CPUBIND_THREAD) != 0 ||
        !hwloc_bitmap_intersects(usable, hwloc_topology_get_topology_cpuset(topology)))
        hwloc_bitmap_copy(usable, hwloc_topology_get_allowed_cpuset(topology));
    hwloc_bitmap_and(usable, usable, hwloc_topology_get_topology_cpuset(topology));
}

yoke_status topology_read(yoke_host *host, size_t *usable_cpus, yoke_error *err)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "topology: no memory");
    /* CPUs that this process may not use count for what the machine is. */
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    hwloc_cpuset_t usable = hwloc_bitmap_alloc();
    yoke_status status = YOKE_OK;
    if (!usable) {
        status = yoke_error_set(err, YOKE_ERR_MEMORY, "topology: no memory");
    } else if (hwloc_topology_load(topology) != 0) {
        status = yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "topology: hwloc cannot read it");
    } else {
        read_affinity(topology, usable);
        topology_describe(topology, usable, host);
        *usable_cpus = (size_t)hwloc_bitmap_weight(usable);
    }
    hwloc_bitmap_free(usable);
    hwloc_topology_destroy(topology);
    return status;
}
