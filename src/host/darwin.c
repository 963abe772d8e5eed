#if defined(__APPLE__)

#include <sys/sysctl.h>
#include <sys/utsname.h>

#include "host/darwin.h"
#include "host/parts.h"

static bool ask(const void *arg, const char *name, void *value, size_t *bytes)
{
    (void)arg;
    return sysctlbyname(name, value, bytes, NULL, 0) == 0;
}

void system_describe(const char *root, yoke_host *host)
{
    (void)root;
    const darwin mac = {.sysctl = ask};
    struct utsname name;
    darwin_describe(&mac, uname(&name) == 0 ? name.machine : "", host);
    darwin_core_sets(&mac, host);
    darwin_ane(host);
    darwin_power(host);
}

#else
typedef int darwin_unused; /* a translation unit is never empty */
#endif
