/* Files that often lie where weights are expected. */
#ifndef FILES_STRANGER_H
#define FILES_STRANGER_H

#include "files/mapping.h"

/* What it is, and what to do about it; NULL for a file that may be one of ours. */
const char *stranger_name(const mapping *map);

/* Names a file of which that is not NULL. Errors: YOKE_ERR_UNSUPPORTED, always. */
yoke_status stranger_refuse(const mapping *map, const char *path, yoke_error *err);

#endif
