/* Reports of anemll-bench: the JSON block that its HTML page sends by e-mail. */
#ifndef STORE_ANEMLL_H
#define STORE_ANEMLL_H

#include <jansson.h>
#include <stdbool.h>

#include "yoke/status.h"

bool anemll_is_report(const json_t *value);

/* The report as a list of yoke records, one for each model, in *records; the caller's to
 * json_decref. What the report has as null, "Unknown" or 0 where it means nothing is not in them.
 * Errors: YOKE_ERR_FORMAT (names the field), YOKE_ERR_MEMORY. */
yoke_status anemll_records(const json_t *report, const char *name, json_t **records,
                           yoke_error *err);

#endif
