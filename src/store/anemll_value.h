/* Values of a report, where null, "Unknown" and absence all mean not known. */
#ifndef STORE_ANEMLL_VALUE_H
#define STORE_ANEMLL_VALUE_H

#include <jansson.h>

#include "yoke/status.h"

/* Where in the report, for messages. */
typedef struct report_place {
    const char *name; /* of the report */
    char field[64];   /* "results[2]." */
    yoke_error *err;
} report_place;

/* NaN when not known. Errors: YOKE_ERR_FORMAT. */
yoke_status report_number(const report_place *at, const json_t *object, const char *field,
                          double *number);

/* NULL when not known; else valid as long as the report. Errors: YOKE_ERR_FORMAT. */
yoke_status report_text(const report_place *at, const json_t *object, const char *field,
                        const char **text);

/* Set a member; nothing when the value is not known. */
void set_known_text(json_t *object, const char *field, const char *text);
void set_known_number(json_t *object, const char *field, double number);
void set_known_whole(json_t *object, const char *field, double number);

#endif
