#include <string.h>

#include "apple/core_foundation.h"
#include "apple/framework.h"
#include "apple/runtime.h"
#include "host/darwin.h"

static int low_power_mode(void)
{
    apple a;
    int answer = -1;
    if (apple_load(&a, NULL) != YOKE_OK)
        return answer;
    void *pool = apple_pool_push(&a);
    apple_id info = apple_send(&a, apple_class(&a, "NSProcessInfo"), "processInfo");
    if (apple_responds(&a, info, "isLowPowerModeEnabled"))
        answer = apple_send_bool(&a, info, "isLowPowerModeEnabled");
    apple_pool_pop(&a, pool);
    return answer;
}

static int on_battery(void)
{
    core_foundation cf;
    void *library;
    cf_ref (*copy_sources)(void), (*providing_type)(cf_ref);
    if (core_foundation_load(&cf, NULL) != YOKE_OK ||
        apple_framework_open("IOKit", &library, NULL) != YOKE_OK ||
        apple_framework_function(library, "IOKit", "IOPSCopyPowerSourcesInfo", &copy_sources,
                                 NULL) != YOKE_OK ||
        apple_framework_function(library, "IOKit", "IOPSGetProvidingPowerSourceType",
                                 &providing_type, NULL) != YOKE_OK)
        return -1;
    char type[32];
    cf_ref sources = copy_sources();
    bool known = sources && core_foundation_text(&cf, providing_type(sources), type, sizeof type);
    core_foundation_release(&cf, sources);
    return known ? strcmp(type, "Battery Power") == 0 : -1;
}

void darwin_power(yoke_host *host)
{
    host->low_power = low_power_mode();
    host->on_battery = on_battery();
}
