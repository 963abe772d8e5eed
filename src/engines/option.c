/* Options of an engine, for its author. */
#include <stdio.h>
#include <string.h>

#include "yoke/engine.h"

const char *yoke_engine_option_get(const yoke_engine_config *config, const char *key)
{
    for (size_t i = 0; i < config->option_count; i++)
        if (strcmp(config->options[i].key, key) == 0)
            return config->options[i].value;
    return NULL;
}

static bool is_known(const char *key, const char *const *known)
{
    for (; *known; known++)
        if (strcmp(*known, key) == 0)
            return true;
    return false;
}

/* "a, b, c", cut to fit. */
static void join(const char *const *names, char *out, size_t out_bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; names[i] && used < out_bytes; i++) {
        int wrote = snprintf(out + used, out_bytes - used, "%s%s", i ? ", " : "", names[i]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

yoke_status yoke_engine_option_check(const yoke_engine_config *config, const char *const *known,
                                     yoke_error *err)
{
    for (size_t i = 0; i < config->option_count; i++) {
        const char *key = config->options[i].key;
        if (is_known(key, known))
            continue;
        char list[256];
        join(known, list, sizeof list);
        return yoke_error_set(err, YOKE_ERR_USAGE, "unknown engine option \"%s\"; known: %s", key,
                              *list ? list : "none");
    }
    return YOKE_OK;
}
