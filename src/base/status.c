#include <stdarg.h>
#include <stdio.h>

#include "yoke/status.h"

const char *yoke_status_name(yoke_status status)
{
    switch (status) {
    case YOKE_OK: return "YOKE_OK";
    case YOKE_ERR_USAGE: return "YOKE_ERR_USAGE";
    case YOKE_ERR_MEMORY: return "YOKE_ERR_MEMORY";
    case YOKE_ERR_IO: return "YOKE_ERR_IO";
    case YOKE_ERR_FORMAT: return "YOKE_ERR_FORMAT";
    case YOKE_ERR_UNSUPPORTED: return "YOKE_ERR_UNSUPPORTED";
    case YOKE_ERR_NOT_FOUND: return "YOKE_ERR_NOT_FOUND";
    case YOKE_ERR_SHAPE: return "YOKE_ERR_SHAPE";
    case YOKE_ERR_ENGINE: return "YOKE_ERR_ENGINE";
    case YOKE_ERR_TIMEOUT: return "YOKE_ERR_TIMEOUT";
    case YOKE_ERR_CHECK: return "YOKE_ERR_CHECK";
    case YOKE_ERR_INTERRUPTED: return "YOKE_ERR_INTERRUPTED";
    }
    return "unknown status";
}

yoke_status yoke_error_set(yoke_error *err, yoke_status status, const char *format, ...)
{
    if (!err)
        return status;
    err->status = status;
    va_list args;
    va_start(args, format);
    if (vsnprintf(err->text, sizeof err->text, format, args) < 0)
        err->text[0] = '\0';
    va_end(args);
    /* Names from hostile files end up here: keep the line a line, and terminals unharmed. */
    for (unsigned char *c = (unsigned char *)err->text; *c; c++)
        if (*c < 0x20 || *c == 0x7f)
            *c = '?';
    return status;
}

const char *yoke_version(void)
{
    return YOKE_VERSION;
}
