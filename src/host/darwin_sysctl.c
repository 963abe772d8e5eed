#include <string.h>

#include "host/darwin.h"
#include "host/text.h"

bool darwin_text(const darwin *mac, const char *name, char *out, size_t out_bytes)
{
    char value[256] = "";
    size_t bytes = sizeof value - 1;
    out[0] = '\0';
    return mac->sysctl(mac->arg, name, value, &bytes) && text_copy_trimmed(out, out_bytes, value);
}

bool darwin_is_translated(const darwin *mac)
{
    return darwin_integer(mac, "sysctl.proc_translated") == 1;
}

uint64_t darwin_integer(const darwin *mac, const char *name)
{
    unsigned char value[8];
    size_t bytes = sizeof value;
    uint32_t narrow;
    uint64_t wide = 0;
    if (!mac->sysctl(mac->arg, name, value, &bytes))
        return 0;
    if (bytes == sizeof narrow) {
        memcpy(&narrow, value, sizeof narrow);
        return narrow;
    }
    if (bytes == sizeof wide)
        memcpy(&wide, value, sizeof wide);
    return wide;
}
