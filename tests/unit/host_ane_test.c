/* What IOKit tells, over its stand-in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host/darwin.h"
#include "standin/apple/iokit/control.h"
#include "unit/standin_framework.h"

static yoke_host host;
static void (*set)(const standin_service *, size_t, const char *);

static int load(void **state)
{
    (void)state;
    return standin_open("IOKit", "standin_iokit_set", &set);
}

static void architecture_and_counts_are_the_drivers(void **state)
{
    (void)state;
    static const standin_service m4 = {"H11ANEIn", "h16g", 1, 16};
    set(&m4, 1, NULL);
    darwin_ane(&host);
    assert_string_equal(host.ane, "h16g");
    assert_int_equal(host.ane_count, 1);
    assert_int_equal(host.ane_cores, 16);
}

static void driver_may_go_by_its_other_name(void **state)
{
    (void)state;
    static const standin_service other = {"ANEDriver", "h17g", 1, 16};
    set(&other, 1, NULL);
    darwin_ane(&host);
    assert_string_equal(host.ane, "h17g");
}

static void two_engines_are_two_told_by_one_entry_or_by_two(void **state)
{
    (void)state;
    static const standin_service one = {"H11ANEIn", "h15g", 2, 32};
    static const standin_service two[] = {{"H11ANEIn", "h15g", 0, 32}, {"H11ANEIn", "h15g", 0, 32}};
    set(&one, 1, NULL);
    darwin_ane(&host);
    assert_int_equal(host.ane_count, 2);
    assert_int_equal(host.ane_cores, 32);
    set(two, 2, NULL);
    darwin_ane(&host);
    assert_int_equal(host.ane_count, 2);
}

static void mac_without_a_neural_engine_has_none(void **state)
{
    (void)state;
    static const standin_service other = {"AGXAccelerator", NULL, 0, 0};
    set(&other, 1, NULL);
    strcpy(host.ane, "left over");
    darwin_ane(&host);
    assert_string_equal(host.ane, "");
    assert_int_equal(host.ane_count, 0);
}

static void source_of_power_is_known_or_not(void **state)
{
    (void)state;
    set(NULL, 0, "Battery Power");
    darwin_power(&host);
    assert_int_equal(host.on_battery, 1);
    set(NULL, 0, "AC Power");
    darwin_power(&host);
    assert_int_equal(host.on_battery, 0);
    set(NULL, 0, NULL);
    darwin_power(&host);
    assert_int_equal(host.on_battery, -1);
}

int main(void)
{
    standins_use();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(architecture_and_counts_are_the_drivers),
        cmocka_unit_test(driver_may_go_by_its_other_name),
        cmocka_unit_test(two_engines_are_two_told_by_one_entry_or_by_two),
        cmocka_unit_test(mac_without_a_neural_engine_has_none),
        cmocka_unit_test(source_of_power_is_known_or_not),
    };
    return cmocka_run_group_tests(tests, load, nothing_is_left);
}
