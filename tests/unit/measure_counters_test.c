/* Energy by powercap's files, in a folder that stands for "/". */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/counters.h"
#include "unit/host_fixture.h"

#define POWERCAP "/sys/class/powercap/"

typedef struct zone {
    const char *folder, *name, *energy;
} zone;

static void write_zone(const fixture *f, zone z)
{
    char path[128];
    snprintf(path, sizeof path, POWERCAP "%s/name", z.folder);
    fixture_file(f, path, z.name);
    snprintf(path, sizeof path, POWERCAP "%s/max_energy_range_uj", z.folder);
    fixture_file(f, path, "262143328850\n");
    snprintf(path, sizeof path, POWERCAP "%s/energy_uj", z.folder);
    fixture_file(f, path, z.energy);
}

/* Reads over an interval in which the zones turn from `before` to `after`. */
static counters_reading read_between(const zone *before, const zone *after, size_t count)
{
    fixture f = fixture_make();
    counters *c = NULL;
    counters_reading reading;
    for (size_t i = 0; i < count; i++)
        write_zone(&f, before[i]);
    assert_int_equal(counters_open(f.root, "cpu", "", &c, NULL), YOKE_OK);
    counters_begin(c);
    for (size_t i = 0; i < count; i++)
        write_zone(&f, after[i]);
    counters_end(c, &reading);
    counters_free(c);
    fixture_remove(&f);
    return reading;
}

static void energy_of_packages_and_memories_is_added(void **state)
{
    (void)state;
    const zone before[] = {{"intel-rapl:0", "package-0\n", "1000000\n"},
                           {"intel-rapl:0:0", "core\n", "500000\n"},
                           {"intel-rapl:0:1", "dram\n", "200000\n"},
                           {"intel-rapl:1", "package-1\n", "7000000\n"},
                           {"intel-rapl:2", "psys\n", "9000000\n"}};
    const zone after[] = {{"intel-rapl:0", "package-0\n", "3500000\n"},
                          {"intel-rapl:0:0", "core\n", "1500000\n"},
                          {"intel-rapl:0:1", "dram\n", "450000\n"},
                          {"intel-rapl:1", "package-1\n", "8000000\n"},
                          {"intel-rapl:2", "psys\n", "99000000\n"}};
    counters_reading r = read_between(before, after, 5);
    assert_true(fabs(r.joules - (2.5 + 0.25 + 1.0)) < 1e-9);
    assert_string_equal(r.joules_source, "RAPL, the whole processor and its memory");
    assert_true(isnan(r.bytes));
}

static void counter_that_wraps_goes_on_from_zero(void **state)
{
    (void)state;
    const zone before = {"intel-rapl:0", "package-0\n", "262143000000\n"};
    const zone after = {"intel-rapl:0", "package-0\n", "671150\n"};
    counters_reading r = read_between(&before, &after, 1);
    assert_true(fabs(r.joules - 1.0) < 1e-9);
    assert_string_equal(r.joules_source, "RAPL, the whole processor");
}

static void counter_that_stands_still_says_nothing(void **state)
{
    (void)state;
    const zone frozen = {"intel-rapl:0", "package-0\n", "5\n"};
    counters_reading r = read_between(&frozen, &frozen, 1);
    assert_true(isnan(r.joules));
    assert_string_equal(r.joules_source, "");
}

static void counter_that_cannot_be_read_any_more_says_nothing(void **state)
{
    (void)state;
    const zone before = {"intel-rapl:0", "package-0\n", "5\n"};
    const zone after = {"intel-rapl:0", "package-0\n", "not a number\n"};
    assert_true(isnan(read_between(&before, &after, 1).joules));
}

static void machine_without_powercap_counts_nothing(void **state)
{
    (void)state;
    fixture f = fixture_make();
    counters *c = NULL;
    counters_reading reading;
    assert_int_equal(counters_open(f.root, "cpu", "", &c, NULL), YOKE_OK);
    assert_false(counters_any(c));
    counters_begin(c);
    counters_end(c, &reading);
    assert_true(isnan(reading.joules) && isnan(reading.bytes));
    counters_free(c);
    fixture_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_of_packages_and_memories_is_added),
        cmocka_unit_test(counter_that_wraps_goes_on_from_zero),
        cmocka_unit_test(counter_that_stands_still_says_nothing),
        cmocka_unit_test(counter_that_cannot_be_read_any_more_says_nothing),
        cmocka_unit_test(machine_without_powercap_counts_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
