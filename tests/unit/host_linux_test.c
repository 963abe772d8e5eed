#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/parts.h"

#if defined(__linux__)

#include "unit/host_fixture.h"

static yoke_host host;

static void describe(const fixture *f)
{
    host = (yoke_host){0};
    system_describe(f->root, &host);
    fixture_remove(f);
}

/* The processor's name for a machine whose /proc/cpuinfo has that text. */
static const char *cpu_of(const char *cpuinfo)
{
    fixture f = fixture_make();
    fixture_file(&f, "/proc/cpuinfo", cpuinfo);
    describe(&f);
    return host.cpu;
}

static void brand_string_is_kept_exactly(void **state)
{
    (void)state;
    assert_string_equal(cpu_of("processor\t: 0\nmodel\t\t: 17\n"
                               "model name\t: Intel(R) Xeon(R) CPU @ 2.20GHz\n"),
                        "Intel(R) Xeon(R) CPU @ 2.20GHz");
    assert_string_equal(cpu_of("model name\t: AMD EPYC 9654 96-Core Processor                \n"),
                        "AMD EPYC 9654 96-Core Processor");
    assert_false(host.translated);
}

static void missing_or_empty_brand_is_unknown(void **state)
{
    (void)state;
    assert_string_equal(cpu_of("processor\t: 0\nCPU implementer\t: 0x61\n"), "unknown");
    assert_string_equal(cpu_of("model name\t: \n"), "unknown");
    assert_string_equal(cpu_of(""), "unknown");
}

static void processor_of_rosetta_is_flagged_as_translated(void **state)
{
    (void)state;
    assert_string_equal(cpu_of("model name\t: VirtualApple @ 2.50GHz\n"), "VirtualApple @ 2.50GHz");
    assert_true(host.translated);
}

static void brand_that_is_too_long_is_cut(void **state)
{
    (void)state;
    char cpuinfo[600] = "model name : ";
    memset(cpuinfo + 13, 'x', 500);
    assert_int_equal(strlen(cpu_of(cpuinfo)), sizeof host.cpu - 1);
}

static void memory_is_read_in_kib(void **state)
{
    (void)state;
    fixture f = fixture_make();
    fixture_file(&f, "/proc/meminfo", "MemTotal:       16318464 kB\nMemFree: 1 kB\n");
    describe(&f);
    assert_true(host.memory_bytes == UINT64_C(16318464) * 1024);
}

static void machine_and_governor_come_from_sys(void **state)
{
    (void)state;
    fixture f = fixture_make();
    fixture_file(&f, "/sys/class/dmi/id/product_name", "ThinkPad T14\n");
    fixture_file(&f, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    fixture_file(&f, "/sys/firmware/acpi/platform_profile", "low-power\n");
    describe(&f);
    assert_string_equal(host.machine, "ThinkPad T14");
    assert_string_equal(host.governor, "powersave");
    assert_int_equal(host.low_power, 1);
}

static void what_is_not_there_is_not_known(void **state)
{
    (void)state;
    fixture f = fixture_make();
    describe(&f);
    assert_string_equal(host.machine, "");
    assert_string_equal(host.governor, "");
    assert_int_equal(host.memory_bytes, 0);
    assert_int_equal(host.low_power, -1);
    assert_int_equal(host.on_battery, -1);
    assert_true(strncmp(host.os, "Linux ", 6) == 0);
}

static void discharging_battery_means_on_battery(void **state)
{
    (void)state;
    fixture f = fixture_make();
    fixture_file(&f, "/sys/class/power_supply/AC/type", "Mains\n");
    fixture_file(&f, "/sys/class/power_supply/AC/online", "0\n");
    fixture_file(&f, "/sys/class/power_supply/BAT0/type", "Battery\n");
    fixture_file(&f, "/sys/class/power_supply/BAT0/status", "Discharging\n");
    describe(&f);
    assert_int_equal(host.on_battery, 1);
}

static void full_battery_and_mains_mean_not_on_battery(void **state)
{
    (void)state;
    fixture f = fixture_make();
    fixture_file(&f, "/sys/class/power_supply/AC/type", "Mains\n");
    fixture_file(&f, "/sys/class/power_supply/AC/online", "1\n");
    fixture_file(&f, "/sys/class/power_supply/BAT0/type", "Battery\n");
    fixture_file(&f, "/sys/class/power_supply/BAT0/status", "Full\n");
    describe(&f);
    assert_int_equal(host.on_battery, 0);
}

static void battery_of_a_mouse_does_not_count(void **state)
{
    (void)state;
    fixture f = fixture_make();
    fixture_file(&f, "/sys/class/power_supply/hid-1/type", "Battery\n");
    fixture_file(&f, "/sys/class/power_supply/hid-1/scope", "Device\n");
    fixture_file(&f, "/sys/class/power_supply/hid-1/status", "Discharging\n");
    describe(&f);
    assert_int_equal(host.on_battery, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brand_string_is_kept_exactly),
        cmocka_unit_test(missing_or_empty_brand_is_unknown),
        cmocka_unit_test(processor_of_rosetta_is_flagged_as_translated),
        cmocka_unit_test(brand_that_is_too_long_is_cut),
        cmocka_unit_test(memory_is_read_in_kib),
        cmocka_unit_test(machine_and_governor_come_from_sys),
        cmocka_unit_test(what_is_not_there_is_not_known),
        cmocka_unit_test(discharging_battery_means_on_battery),
        cmocka_unit_test(full_battery_and_mains_mean_not_on_battery),
        cmocka_unit_test(battery_of_a_mouse_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

#include <stdio.h>

int main(void)
{
    puts("skipped: needs Linux");
    return 77;
}

#endif
