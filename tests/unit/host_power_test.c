/* Low-power mode, as Foundation's stand-in tells it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/darwin.h"
#include "standin/apple/standins.h"

static int told(const char *switches)
{
    yoke_host host = {.low_power = 7};
    standins_switch(switches);
    darwin_power(&host);
    standins_switch("");
    return host.low_power;
}

static void low_power_mode_is_on_or_off(void **state)
{
    (void)state;
    assert_int_equal(told("low_power"), 1);
    assert_int_equal(told(""), 0);
}

static void a_system_that_has_no_such_mode_leaves_it_unknown(void **state)
{
    (void)state;
    assert_int_equal(told("old_macos,low_power"), -1);
}

static void without_foundation_it_is_unknown(void **state)
{
    (void)state;
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", getenv("YOKE_APPLE_STANDINS"));
    unsetenv("YOKE_APPLE_STANDINS");
    assert_int_equal(told(""), -1);
    setenv("YOKE_APPLE_STANDINS", folder, 1);
}

int main(void)
{
    standins_use();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_power_mode_is_on_or_off),
        cmocka_unit_test(a_system_that_has_no_such_mode_leaves_it_unknown),
        cmocka_unit_test(without_foundation_it_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
