#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/parts.h"
#include "unit/host_fixture.h"

#define V2_MOUNT "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_MOUNT                                                                                   \
    "29 28 0:25 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"                            \
    "30 28 0:26 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"

/* The quota of a process in group "/job" under cgroup v2 with that cpu.max. */
static double v2_quota(const char *cpu_max)
{
    fixture f = fixture_make();
    fixture_file(&f, "/proc/self/mountinfo", V2_MOUNT);
    fixture_file(&f, "/proc/self/cgroup", "0::/job\n");
    fixture_file(&f, "/sys/fs/cgroup/job/cpu.max", cpu_max);
    double quota = limits_quota(f.root);
    fixture_remove(&f);
    return quota;
}

static double v1_quota(const char *quota_us)
{
    fixture f = fixture_make();
    fixture_file(&f, "/proc/self/mountinfo", V1_MOUNT);
    fixture_file(&f, "/proc/self/cgroup", "5:memory:/other\n4:cpu,cpuacct:/job\n0::/\n");
    fixture_file(&f, "/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", quota_us);
    fixture_file(&f, "/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    double quota = limits_quota(f.root);
    fixture_remove(&f);
    return quota;
}

static void cgroup_v2_quota_is_quota_over_period(void **state)
{
    (void)state;
    assert_true(v2_quota("200000 100000\n") == 2.0);
    assert_true(v2_quota("50000 100000\n") == 0.5);
}

static void cgroup_v2_max_is_no_quota(void **state)
{
    (void)state;
    assert_true(isinf(v2_quota("max 100000\n")));
}

static void cgroup_v2_nonsense_is_no_quota(void **state)
{
    (void)state;
    assert_true(isinf(v2_quota("")));
    assert_true(isinf(v2_quota("0 0\n")));
    assert_true(isinf(v2_quota("-5 100000\n")));
    assert_true(isinf(v2_quota("nan 100000\n")));
}

static void cgroup_v1_quota_is_read_from_the_cpu_controller(void **state)
{
    (void)state;
    assert_true(v1_quota("150000\n") == 1.5);
}

static void cgroup_v1_minus_one_is_no_quota(void **state)
{
    (void)state;
    assert_true(isinf(v1_quota("-1\n")));
}

static void tightest_ancestor_counts(void **state)
{
    (void)state;
    fixture f = fixture_make();
    fixture_file(&f, "/proc/self/mountinfo", V2_MOUNT);
    fixture_file(&f, "/proc/self/cgroup", "0::/a/b/c\n");
    fixture_file(&f, "/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
    fixture_file(&f, "/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    fixture_file(&f, "/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
    double quota = limits_quota(f.root);
    fixture_remove(&f);
    assert_true(quota == 3.0);
}

static void quota_of_a_container_is_found_at_its_mount_point(void **state)
{
    (void)state;
    fixture f = fixture_make();
    fixture_file(&f, "/proc/self/mountinfo",
                 "30 24 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
    fixture_file(&f, "/proc/self/cgroup", "0::/docker/abc\n");
    fixture_file(&f, "/sys/fs/cgroup/cpu.max", "200000 100000\n");
    double quota = limits_quota(f.root);
    fixture_remove(&f);
    assert_true(quota == 2.0);
}

static void group_outside_of_the_mount_falls_back_to_the_mount_point(void **state)
{
    (void)state;
    fixture f = fixture_make();
    fixture_file(&f, "/proc/self/mountinfo", V2_MOUNT);
    fixture_file(&f, "/proc/self/cgroup", "0::/../../elsewhere\n");
    fixture_file(&f, "/sys/fs/cgroup/cpu.max", "100000 100000\n");
    fixture_file(&f, "/sys/elsewhere/cpu.max", "50000 100000\n"); /* not to be found by ".." */
    double quota = limits_quota(f.root);
    fixture_remove(&f);
    assert_true(quota == 1.0);
}

static void machine_without_control_groups_has_no_quota(void **state)
{
    (void)state;
    fixture f = fixture_make();
    double quota = limits_quota(f.root);
    fixture_remove(&f);
    assert_true(isinf(quota));
}

static yoke_host host_of(size_t machine_cores, size_t usable_cores)
{
    static yoke_host host;
    host = (yoke_host){.cores = machine_cores, .core_set_count = 1};
    host.core_sets[0].cpu_count = usable_cores;
    return host;
}

static void threads_are_the_physical_cores_when_nothing_is_tighter(void **state)
{
    (void)state;
    yoke_host host = host_of(8, 8);
    limits_apply(&host, 16, INFINITY);
    assert_int_equal(host.usable_threads, 8);
    assert_string_equal(host.usable_reason, "8 physical cores");
}

static void threads_follow_the_affinity_mask(void **state)
{
    (void)state;
    yoke_host host = host_of(8, 1);
    limits_apply(&host, 1, INFINITY);
    assert_int_equal(host.usable_threads, 1);
    assert_string_equal(host.usable_reason, "affinity mask of 1 CPU");
}

static void threads_follow_the_quota_rounded_down(void **state)
{
    (void)state;
    yoke_host host = host_of(8, 8);
    limits_apply(&host, 8, 2.0);
    assert_int_equal(host.usable_threads, 2);
    assert_string_equal(host.usable_reason, "cgroup quota of 2.0 CPUs");
    limits_apply(&host, 8, 1.96);
    assert_int_equal(host.usable_threads, 1);
    assert_string_equal(host.usable_reason, "cgroup quota of 1.9 CPUs");
}

static void quota_under_one_cpu_still_leaves_one_thread(void **state)
{
    (void)state;
    yoke_host host = host_of(1, 1);
    limits_apply(&host, 1, 0.5);
    assert_int_equal(host.usable_threads, 1);
    assert_string_equal(host.usable_reason, "cgroup quota of 0.5 CPUs");
}

static void quota_above_the_cores_does_not_matter(void **state)
{
    (void)state;
    yoke_host host = host_of(8, 2);
    limits_apply(&host, 2, 4.0);
    assert_int_equal(host.usable_threads, 2);
    assert_string_equal(host.usable_reason, "affinity mask of 2 CPUs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cgroup_v2_quota_is_quota_over_period),
        cmocka_unit_test(cgroup_v2_max_is_no_quota),
        cmocka_unit_test(cgroup_v2_nonsense_is_no_quota),
        cmocka_unit_test(cgroup_v1_quota_is_read_from_the_cpu_controller),
        cmocka_unit_test(cgroup_v1_minus_one_is_no_quota),
        cmocka_unit_test(tightest_ancestor_counts),
        cmocka_unit_test(quota_of_a_container_is_found_at_its_mount_point),
        cmocka_unit_test(group_outside_of_the_mount_falls_back_to_the_mount_point),
        cmocka_unit_test(machine_without_control_groups_has_no_quota),
        cmocka_unit_test(threads_are_the_physical_cores_when_nothing_is_tighter),
        cmocka_unit_test(threads_follow_the_affinity_mask),
        cmocka_unit_test(threads_follow_the_quota_rounded_down),
        cmocka_unit_test(quota_under_one_cpu_still_leaves_one_thread),
        cmocka_unit_test(quota_above_the_cores_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
