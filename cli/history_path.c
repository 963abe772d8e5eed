#include "history_path.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef __APPLE__
#define IN_HOME "Library/Application Support/"
#else
#define IN_HOME ".local/share/"
#endif

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* By the XDG rules a path that is not absolute counts for nothing. */
static const char *data_home(void)
{
#ifdef __APPLE__
    return NULL;
#else
    const char *folder = variable("XDG_DATA_HOME");
    return folder && folder[0] == '/' ? folder : NULL;
#endif
}

yoke_status history_path(const char *given, char *out, size_t out_bytes, yoke_error *err)
{
    const char *path = given ? given : variable("YOKE_HISTORY"), *data = data_home();
    const char *home = variable("HOME");
    int length;
    if (path)
        length = snprintf(out, out_bytes, "%s", path);
    else if (data)
        length = snprintf(out, out_bytes, "%s/yoke/history.db", data);
    else if (home)
        length = snprintf(out, out_bytes, "%s/" IN_HOME "yoke/history.db", home);
    else
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND,
                              "no place for the history: HOME is not set; see --db");
    if (length < 0 || (size_t)length >= out_bytes)
        return yoke_error_set(err, YOKE_ERR_USAGE, "the path of the history is too long");
    return YOKE_OK;
}
