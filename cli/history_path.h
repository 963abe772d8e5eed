/* Where the history is kept. */
#ifndef CLI_HISTORY_PATH_H
#define CLI_HISTORY_PATH_H

#include <stddef.h>

#include "yoke/status.h"

/* `given` (of --db) if not NULL, else $YOKE_HISTORY, else history.db in the user's folder for data
 * of programs. Into out. Errors: YOKE_ERR_NOT_FOUND, YOKE_ERR_USAGE. */
yoke_status history_path(const char *given, char *out, size_t out_bytes, yoke_error *err);

#endif
