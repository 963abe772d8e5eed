#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif

#include <cmocka.h>

#include "yoke/host.h"

static yoke_host host;

static void read_host(void)
{
    yoke_error err;
    assert_int_equal(yoke_host_read(&host, &err), YOKE_OK);
}

static size_t cores_in_sets(void)
{
    size_t cores = 0;
    for (size_t i = 0; i < host.core_set_count; i++)
        cores += host.core_sets[i].cpu_count;
    return cores;
}

static void this_machine_agrees_with_sysconf(void **state)
{
    (void)state;
    read_host();
    assert_int_equal(host.logical_cpus, sysconf(_SC_NPROCESSORS_ONLN));
    uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    assert_true(host.memory_bytes == pages);
}

static void this_machine_is_described_consistently(void **state)
{
    (void)state;
    read_host();
    assert_in_range(host.cores, 1, host.logical_cpus);
    assert_in_range(host.usable_threads, 1, cores_in_sets());
    assert_true(host.usable_reason[0] != '\0');
    assert_true(host.os[0] != '\0');
    assert_true(host.cpu[0] != '\0');
    assert_true(host.cache_bytes >= host.l3_bytes);
}

#ifdef __linux__

/* Binds this thread to the last of its CPUs and returns that. */
static unsigned bind_to_one_cpu(cpu_set_t *before)
{
    assert_int_equal(sched_getaffinity(0, sizeof *before, before), 0);
    int cpu = CPU_SETSIZE - 1;
    while (cpu > 0 && !CPU_ISSET(cpu, before))
        cpu--;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    return (unsigned)cpu;
}

static void thread_bound_to_one_cpu_has_one_usable_thread(void **state)
{
    (void)state;
    read_host();
    size_t machine_cores = host.cores;
    cpu_set_t before;
    unsigned cpu = bind_to_one_cpu(&before);
    read_host();
    sched_setaffinity(0, sizeof before, &before);
    assert_int_equal(host.cores, machine_cores);
    assert_int_equal(host.usable_threads, 1);
    assert_int_equal(host.core_set_count, 1);
    assert_int_equal(host.core_sets[0].cpu_count, 1);
    assert_int_equal(host.core_sets[0].cpus[0], cpu);
    if (machine_cores > 1 && !strstr(host.usable_reason, "quota"))
        assert_string_equal(host.usable_reason, "affinity mask of 1 CPU");
}

static void core_sets_hold_cpus_of_the_affinity_mask_only(void **state)
{
    (void)state;
    cpu_set_t mask;
    assert_int_equal(sched_getaffinity(0, sizeof mask, &mask), 0);
    read_host();
    for (size_t s = 0; s < host.core_set_count; s++)
        for (size_t i = 0; i < host.core_sets[s].cpu_count; i++)
            assert_true(CPU_ISSET(host.core_sets[s].cpus[i], &mask));
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_machine_agrees_with_sysconf),
        cmocka_unit_test(this_machine_is_described_consistently),
#ifdef __linux__
        cmocka_unit_test(thread_bound_to_one_cpu_has_one_usable_thread),
        cmocka_unit_test(core_sets_hold_cpus_of_the_affinity_mask_only),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
