#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/parts.h"

static yoke_host host;

static hwloc_topology_t synthetic(const char *description)
{
    hwloc_topology_t topology;
    assert_int_equal(hwloc_topology_init(&topology), 0);
    assert_int_equal(hwloc_topology_set_synthetic(topology, description), 0);
    assert_int_equal(hwloc_topology_load(topology), 0);
    return topology;
}

/* Describes the whole of a synthetic machine in `host`. */
static void describe(const char *description)
{
    hwloc_topology_t topology = synthetic(description);
    host = (yoke_host){0};
    topology_describe(topology, hwloc_topology_get_topology_cpuset(topology), &host);
    hwloc_topology_destroy(topology);
}

static void describe_within(const char *description, const char *mask)
{
    hwloc_topology_t topology = synthetic(description);
    hwloc_cpuset_t usable = hwloc_bitmap_alloc();
    assert_int_equal(hwloc_bitmap_list_sscanf(usable, mask), 0);
    host = (yoke_host){0};
    topology_describe(topology, usable, &host);
    hwloc_bitmap_free(usable);
    hwloc_topology_destroy(topology);
}

static void hyperthreads_count_once_and_cores_of_one_cache_are_sets_of_their_own(void **state)
{
    (void)state;
    describe("package:1 l3:1(size=33554432) l2:4(size=1048576) l1d:1(size=32768) core:1 pu:2");
    assert_int_equal(host.packages, 1);
    assert_int_equal(host.cores, 4);
    assert_int_equal(host.logical_cpus, 8);
    assert_int_equal(host.core_set_count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(host.core_sets[i].cpu_count, 1);
        assert_int_equal(host.core_sets[i].cpus[0], 2 * i);
    }
}

static void caches_are_those_of_one_core_and_all_last_levels_together(void **state)
{
    (void)state;
    describe("package:2 l3:2(size=33554432) l2:4(size=1048576) l1d:1(size=32768) core:1 pu:1");
    assert_int_equal(host.l1d_bytes, 32 << 10);
    assert_int_equal(host.l2_bytes, 1 << 20);
    assert_int_equal(host.l3_bytes, 32 << 20);
    assert_int_equal(host.cache_bytes, 4 * (32 << 20));
}

static void each_last_level_cache_is_a_core_set(void **state)
{
    (void)state;
    describe("package:2 numa:1 l3:2 core:4 pu:2");
    assert_int_equal(host.numa_nodes, 2);
    assert_int_equal(host.core_set_count, 4);
    for (unsigned s = 0; s < 4; s++) {
        assert_int_equal(host.core_sets[s].cpu_count, 4);
        assert_int_equal(host.core_sets[s].cpus[0], 8 * s);
        assert_string_equal(host.core_sets[s].kind, "");
    }
}

static void clusters_without_a_third_cache_are_grouped_by_the_second(void **state)
{
    (void)state;
    describe("package:1 l2:2(size=12582912) core:4 pu:1");
    assert_int_equal(host.core_set_count, 2);
    assert_int_equal(host.l3_bytes, 0);
    assert_int_equal(host.cache_bytes, 24 << 20);
}

static void mask_leaves_only_its_cores_and_caches(void **state)
{
    (void)state;
    describe_within("package:2 l3:2(size=33554432) core:4 pu:2", "3,5,8-9");
    assert_int_equal(host.cores, 16);
    assert_int_equal(host.core_set_count, 2);
    assert_int_equal(host.core_sets[0].cpu_count, 2);
    assert_int_equal(host.core_sets[0].cpus[0], 3);
    assert_int_equal(host.core_sets[0].cpus[1], 5);
    assert_int_equal(host.core_sets[1].cpu_count, 1);
    assert_int_equal(host.core_sets[1].cpus[0], 8);
    assert_int_equal(host.cache_bytes, 2 * (32 << 20));
}

static void more_caches_than_sets_are_grouped_by_package(void **state)
{
    (void)state;
    describe("package:2 l3:12 core:8 pu:1");
    assert_int_equal(host.core_set_count, 2);
    assert_int_equal(host.core_sets[0].cpu_count, 96);
    assert_int_equal(host.core_sets[1].cpus[0], 96);
}

static void more_packages_than_sets_are_one_set(void **state)
{
    (void)state;
    describe("package:20 l3:1 core:2 pu:1");
    assert_int_equal(host.core_set_count, 1);
    assert_int_equal(host.core_sets[0].cpu_count, 40);
}

static void more_cores_than_room_are_cut(void **state)
{
    (void)state;
    describe("package:1 l3:1 core:1500 pu:1");
    assert_int_equal(host.cores, 1500);
    assert_int_equal(host.core_set_count, 1);
    assert_int_equal(host.core_sets[0].cpu_count, YOKE_HOST_MAX_CPUS);
}

static void kinds_that_share_a_cache_are_two_sets(void **state)
{
    (void)state;
    hwloc_topology_t topology = synthetic("package:1 l3:1 core:6 pu:1");
    hwloc_bitmap_t slow = hwloc_bitmap_alloc(), fast = hwloc_bitmap_alloc();
    hwloc_bitmap_set_range(slow, 2, 5);
    hwloc_bitmap_set_range(fast, 0, 1);
    assert_int_equal(hwloc_cpukinds_register(topology, slow, 0, 0, NULL, 0), 0);
    assert_int_equal(hwloc_cpukinds_register(topology, fast, 1, 0, NULL, 0), 0);
    host = (yoke_host){0};
    topology_describe(topology, hwloc_topology_get_topology_cpuset(topology), &host);
    hwloc_bitmap_free(slow);
    hwloc_bitmap_free(fast);
    hwloc_topology_destroy(topology);
    assert_int_equal(host.core_set_count, 2);
    assert_string_equal(host.core_sets[0].kind, "performance");
    assert_int_equal(host.core_sets[0].cpu_count, 2);
    assert_string_equal(host.core_sets[1].kind, "efficiency");
    assert_int_equal(host.core_sets[1].cpu_count, 4);
}

static void machine_without_cores_is_described_by_its_logical_cpus(void **state)
{
    (void)state;
    describe("package:1 pu:3");
    assert_int_equal(host.cores, 3);
    assert_int_equal(host.core_set_count, 3);
    assert_int_equal(host.core_sets[2].cpus[0], 2);
    assert_int_equal(host.cache_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hyperthreads_count_once_and_cores_of_one_cache_are_sets_of_their_own),
        cmocka_unit_test(caches_are_those_of_one_core_and_all_last_levels_together),
        cmocka_unit_test(each_last_level_cache_is_a_core_set),
        cmocka_unit_test(clusters_without_a_third_cache_are_grouped_by_the_second),
        cmocka_unit_test(mask_leaves_only_its_cores_and_caches),
        cmocka_unit_test(more_caches_than_sets_are_grouped_by_package),
        cmocka_unit_test(more_packages_than_sets_are_one_set),
        cmocka_unit_test(more_cores_than_room_are_cut),
        cmocka_unit_test(kinds_that_share_a_cache_are_two_sets),
        cmocka_unit_test(machine_without_cores_is_described_by_its_logical_cpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
