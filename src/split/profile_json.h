/* Profiles as JSON. */
#ifndef SPLIT_PROFILE_JSON_H
#define SPLIT_PROFILE_JSON_H

#include <jansson.h>

#include "split/profile.h"

/* NULL when memory runs out, or a text is not UTF-8. */
json_t *profile_to_json(const yoke_profile *profile);

/* Fills an empty profile of this machine. path is for messages.
 * Errors: YOKE_ERR_FORMAT, YOKE_ERR_UNSUPPORTED, YOKE_ERR_MEMORY. */
yoke_status profile_from_json(const json_t *root, const char *path, yoke_profile *profile,
                              yoke_error *err);

#endif
