/* Stands in for the system library's sysctlbyname, which tells of one thing here: with the switch
 * `translated`, that this process runs under Rosetta. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "../foundation/control.h"

int sysctlbyname(const char *name, void *value, size_t *bytes, void *new_value, size_t new_bytes);

int sysctlbyname(const char *name, void *value, size_t *bytes, void *new_value, size_t new_bytes)
{
    (void)new_value, (void)new_bytes;
    const int32_t translated = 1;
    if (strcmp(name, "sysctl.proc_translated") != 0 || !standin_switch("translated")) {
        errno = ENOENT;
        return -1;
    }
    if (*bytes < sizeof translated) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(value, &translated, sizeof translated);
    *bytes = sizeof translated;
    return 0;
}
