#include "host/darwin.h"

#if defined(__APPLE__)

#include <sys/sysctl.h>
#include <sys/utsname.h>

#include "host/parts.h"

static bool ask(const void *arg, const char *name, void *value, size_t *bytes)
{
    (void)arg;
    return sysctlbyname(name, value, bytes, NULL, 0) == 0;
}

void system_describe(const char *root, yoke_host *host)
{
    (void)root;
    struct utsname name;
    darwin_describe(&darwin_here, uname(&name) == 0 ? name.machine : "", host);
    darwin_core_sets(&darwin_here, host);
    darwin_ane(host);
    darwin_power(host);
}

#else

static bool ask(const void *arg, const char *name, void *value, size_t *bytes)
{
    (void)arg, (void)name, (void)value, (void)bytes;
    return false;
}

#endif

const darwin darwin_here = {.sysctl = ask};
