/* What a Mac is described as, from what Macs have said. The tables are public:
 *   M1 Pro    github.com/Dr-Noob/cpufetch/issues/139 (10 cores), dotnet/runtime/pull/75881 (8
 * cores) M4 Pro    github.com/archspec/archspec/issues/201 M3 Ultra  Mac15,14, macOS 15.3
 * (24D2059), 32 cores: github.com/Anemll/anemll-bench/issues/8; its cores by kind are Apple's
 * specification, and how they share caches is that of two M3 Max M4 Max    cores by kind as Apple's
 * specification, the rest as the M4 Pro. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "host/darwin.h"

typedef struct setting {
    const char *name, *text; /* text NULL: a number */
    uint64_t number;
    bool wide; /* of 8 bytes */
} setting;

#define LEVEL(level, label, cores, per_l2, l2, l1d)                                                \
    {"hw.perflevel" #level ".name", label, 0, false},                                              \
        {"hw.perflevel" #level ".physicalcpu", NULL, cores, false},                                \
        {"hw.perflevel" #level ".cpusperl2", NULL, per_l2, false},                                 \
        {"hw.perflevel" #level ".l2cachesize", NULL, l2, false},                                   \
    {                                                                                              \
        "hw.perflevel" #level ".l1dcachesize", NULL, l1d, false                                    \
    }

static const setting m1_pro[] = {
    {"machdep.cpu.brand_string", "Apple M1 Pro", 0, false},
    {"hw.model", "MacBookPro18,1", 0, false},
    {"kern.osproductversion", "13.0", 0, false},
    {"kern.osversion", "22A5342f", 0, false},
    {"hw.memsize", NULL, UINT64_C(17179869184), true},
    {"hw.nperflevels", NULL, 2, false},
    LEVEL(0, "Performance", 8, 4, 12582912, 131072),
    LEVEL(1, "Efficiency", 2, 2, 4194304, 65536),
    {0},
};

static const setting m1_pro_of_8_cores[] = {
    {"machdep.cpu.brand_string", "Apple M1 Pro", 0, false},
    {"hw.nperflevels", NULL, 2, false},
    LEVEL(0, "Performance", 6, 3, 12582912, 131072),
    LEVEL(1, "Efficiency", 2, 2, 4194304, 65536),
    {0},
};

static const setting m4_pro[] = {
    {"machdep.cpu.brand_string", "Apple M4 Pro", 0, false},
    {"hw.memsize", NULL, UINT64_C(25769803776), true},
    {"hw.nperflevels", NULL, 2, false},
    LEVEL(0, "Performance", 8, 4, 16777216, 131072),
    LEVEL(1, "Efficiency", 4, 4, 4194304, 65536),
    {0},
};

static const setting m4_max[] = {
    {"machdep.cpu.brand_string", "Apple M4 Max", 0, false},
    {"hw.nperflevels", NULL, 2, false},
    LEVEL(0, "Performance", 12, 6, 16777216, 131072),
    LEVEL(1, "Efficiency", 4, 4, 4194304, 65536),
    {0},
};

static const setting m3_ultra[] = {
    {"machdep.cpu.brand_string", "Apple M3 Ultra", 0, false},
    {"hw.model", "Mac15,14", 0, false},
    {"kern.osproductversion", "15.3", 0, false},
    {"kern.osversion", "24D2059", 0, false},
    {"hw.memsize", NULL, UINT64_C(549755813888), true},
    {"hw.nperflevels", NULL, 2, false},
    LEVEL(0, "Performance", 24, 6, 16777216, 131072),
    LEVEL(1, "Efficiency", 8, 4, 4194304, 65536),
    {0},
};

/* Under Rosetta the same M1 Pro has a sysctl more; in a virtual machine it calls itself so, and all
 * its cores are alike. */
static const setting rosetta[] = {
    {"machdep.cpu.brand_string", "Apple M1 Pro", 0, false},
    {"sysctl.proc_translated", NULL, 1, false},
    {0},
};

static const setting virtual_machine[] = {
    {"machdep.cpu.brand_string", "Apple M1 (Virtual)", 0, false},
    {"hw.model", "VirtualMac2,1", 0, false},
    {"kern.hv_vmm_present", NULL, 1, false},
    {"hw.nperflevels", NULL, 1, false},
    LEVEL(0, "Standard", 4, 4, 12582912, 131072),
    {0},
};

static bool look_up(const void *arg, const char *name, void *value, size_t *bytes)
{
    const setting *s = arg;
    while (s->name && strcmp(s->name, name) != 0)
        s++;
    if (!s->name)
        return false;
    const uint32_t narrow = (uint32_t)s->number;
    const size_t size = s->text ? strlen(s->text) + 1 : s->wide ? sizeof s->number : sizeof narrow;
    assert_true(size <= *bytes);
    memcpy(value,
           s->text   ? (const void *)s->text
           : s->wide ? (const void *)&s->number
                     : &narrow,
           size);
    *bytes = size;
    return true;
}

static yoke_host host;

/* Describes that Mac over what the topology would have left: one set of all cores. */
static void describe(const setting *settings)
{
    const darwin mac = {look_up, settings};
    memset(&host, 0, sizeof host);
    host.core_set_count = 1;
    host.core_sets[0] = (yoke_core_set){.cpus = {0, 1, 2, 3}, .cpu_count = 4};
    darwin_describe(&mac, "arm64", &host);
    darwin_core_sets(&mac, &host);
}

/* The core sets as text: "4p 4p 2e". */
static const char *core_sets(void)
{
    static char text[128];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < host.core_set_count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu%c", used ? " " : "",
                                 host.core_sets[i].cpu_count, host.core_sets[i].kind[0]);
    return text;
}

static void mac_is_described_in_its_own_words(void **state)
{
    (void)state;
    describe(m1_pro);
    assert_string_equal(host.os, "macOS 13.0 (22A5342f) arm64");
    assert_string_equal(host.cpu, "Apple M1 Pro");
    assert_string_equal(host.machine, "MacBookPro18,1");
    assert_string_equal(host.hypervisor, "");
    assert_false(host.translated);
    assert_true(host.memory_bytes == UINT64_C(16) << 30);
    describe(m3_ultra);
    assert_string_equal(host.os, "macOS 15.3 (24D2059) arm64");
    assert_string_equal(host.cpu, "Apple M3 Ultra");
    assert_true(host.memory_bytes == UINT64_C(512) << 30);
}

static void cores_of_a_kind_that_share_a_cache_are_a_set_fastest_first(void **state)
{
    (void)state;
    describe(m1_pro);
    assert_string_equal(core_sets(), "4p 4p 2e");
    assert_string_equal(host.core_sets[0].kind, "performance");
    assert_string_equal(host.core_sets[2].kind, "efficiency");
    describe(m1_pro_of_8_cores);
    assert_string_equal(core_sets(), "3p 3p 2e");
    describe(m4_pro);
    assert_string_equal(core_sets(), "4p 4p 4e");
    describe(m4_max);
    assert_string_equal(core_sets(), "6p 6p 4e");
    describe(m3_ultra);
    assert_string_equal(core_sets(), "6p 6p 6p 6p 4e 4e");
}

static void every_core_is_in_one_set(void **state)
{
    (void)state;
    describe(m3_ultra);
    bool seen[32] = {false};
    for (size_t s = 0; s < host.core_set_count; s++)
        for (size_t i = 0; i < host.core_sets[s].cpu_count; i++) {
            assert_false(seen[host.core_sets[s].cpus[i]]);
            seen[host.core_sets[s].cpus[i]] = true;
        }
    assert_int_equal(host.cores, 32);
    assert_int_equal(host.logical_cpus, 32);
}

static void caches_are_those_of_the_fast_cores_and_the_sum_of_all(void **state)
{
    (void)state;
    describe(m1_pro);
    assert_int_equal(host.l1d_bytes, 128 << 10);
    assert_int_equal(host.l2_bytes, 12 << 20);
    assert_int_equal(host.cache_bytes, (12 + 12 + 4) << 20);
}

static void process_under_rosetta_is_translated_and_keeps_its_core_sets(void **state)
{
    (void)state;
    describe(rosetta);
    assert_true(host.translated);
    assert_int_equal(host.core_set_count, 1);
    assert_int_equal(host.core_sets[0].cpu_count, 4);
}

static void virtual_machine_is_named_one(void **state)
{
    (void)state;
    describe(virtual_machine);
    assert_string_equal(host.hypervisor, "unknown");
    assert_string_equal(host.cpu, "Apple M1 (Virtual)");
    assert_int_equal(host.core_set_count, 1);
    assert_string_equal(host.core_sets[0].kind, "");
}

static void levels_without_names_are_performance_and_efficiency(void **state)
{
    (void)state;
    static const setting nameless[] = {
        {"hw.nperflevels", NULL, 2, false},
        {"hw.perflevel0.physicalcpu", NULL, 4, false},
        {"hw.perflevel1.physicalcpu", NULL, 4, false},
        {0},
    };
    describe(nameless);
    assert_string_equal(core_sets(), "4p 4e");
}

static void more_caches_than_sets_lose_no_core(void **state)
{
    (void)state;
    static const setting many[] = {
        {"hw.nperflevels", NULL, 2, false},
        LEVEL(0, "Performance", 40, 2, 1048576, 65536),
        LEVEL(1, "Efficiency", 3, 1, 1048576, 65536),
        {0},
    };
    describe(many);
    assert_int_equal(host.core_set_count, YOKE_HOST_MAX_CORE_SETS);
    assert_int_equal(host.core_sets[YOKE_HOST_MAX_CORE_SETS - 1].cpu_count, 43 - 2 * 15);
}

static void mac_that_says_nothing_is_unknown(void **state)
{
    (void)state;
    static const setting silent[] = {{0}};
    describe(silent);
    assert_string_equal(host.cpu, "unknown");
    assert_string_equal(host.machine, "");
    assert_true(host.memory_bytes == 0);
    assert_int_equal(host.core_set_count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mac_is_described_in_its_own_words),
        cmocka_unit_test(cores_of_a_kind_that_share_a_cache_are_a_set_fastest_first),
        cmocka_unit_test(every_core_is_in_one_set),
        cmocka_unit_test(caches_are_those_of_the_fast_cores_and_the_sum_of_all),
        cmocka_unit_test(process_under_rosetta_is_translated_and_keeps_its_core_sets),
        cmocka_unit_test(virtual_machine_is_named_one),
        cmocka_unit_test(levels_without_names_are_performance_and_efficiency),
        cmocka_unit_test(more_caches_than_sets_lose_no_core),
        cmocka_unit_test(mac_that_says_nothing_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
