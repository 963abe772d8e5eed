#include "host/darwin.h"

#include "apple/framework.h"

static bool ask(const void *arg, const char *name, void *value, size_t *bytes)
{
    void *library;
    int (*sysctlbyname)(const char *, void *, size_t *, void *, size_t);
    (void)arg;
    return apple_framework_open("System", &library, NULL) == YOKE_OK &&
           apple_framework_function(library, "System", "sysctlbyname", &sysctlbyname, NULL) ==
               YOKE_OK &&
           sysctlbyname(name, value, bytes, NULL, 0) == 0;
}

const darwin darwin_here = {.sysctl = ask};

#if defined(__APPLE__)

#include <sys/utsname.h>

#include "host/parts.h"

void system_describe(const char *root, yoke_host *host)
{
    (void)root;
    struct utsname name;
    darwin_describe(&darwin_here, uname(&name) == 0 ? name.machine : "", host);
    darwin_core_sets(&darwin_here, host);
    darwin_ane(host);
    darwin_power(host);
}

#endif
