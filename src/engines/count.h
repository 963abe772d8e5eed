/* A whole number among an engine's options. */
#ifndef ENGINES_COUNT_H
#define ENGINES_COUNT_H

#include <errno.h>
#include <stdlib.h>

#include "yoke/engine.h"

/* An absent option leaves *out alone. Errors: YOKE_ERR_USAGE, which names the class of engine and
 * the option. */
static inline yoke_status count_read(const char *class, const yoke_engine_config *config,
                                     const char *key, uint64_t *out, yoke_error *err)
{
    const char *text = yoke_engine_option_get(config, key);
    if (!text)
        return YOKE_OK;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno)
        return yoke_error_set(err, YOKE_ERR_USAGE, "%s engine: option %s=%s: not a whole number",
                              class, key, text);
    *out = value;
    return YOKE_OK;
}

#endif
