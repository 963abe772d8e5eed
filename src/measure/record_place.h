/* Values out of a record's JSON; what is wrong is named by its place. */
#ifndef MEASURE_RECORD_PLACE_H
#define MEASURE_RECORD_PLACE_H

#include <jansson.h>

#include "measure/record_fields.h"
#include "yoke/record.h"

/* Where the reader is, for messages. */
typedef struct place {
    const char *name; /* of the record */
    char field[64];   /* "rows[3]."; "" at the top */
    yoke_error *err;
} place;

/* YOKE_ERR_FORMAT: the field is not `wanted`, "a number". */
yoke_status place_malformed(const place *at, const char *field, const char *wanted);

/* Sets every field of the table in the struct `into`, what is absent to not known. */
yoke_status place_get_fields(const place *at, const json_t *object, const record_table *table,
                             void *into);

/* Members that must be there. */
yoke_status place_get_object(const place *at, const json_t *object, const char *field,
                             const json_t **value);
yoke_status place_get_array(const place *at, const json_t *object, const char *field,
                            const json_t **value);

/* The whole number, 0 or more, in *size; untouched when absent. */
yoke_status place_get_size(const place *at, const json_t *object, const char *field, size_t *size);

/* The truth value in *flag; untouched when absent. */
yoke_status place_get_bool(const place *at, const json_t *object, const char *field, bool *flag);

/* The object "host" into *host, zeroed by the caller. */
yoke_status record_parse_host(place *at, const json_t *object, yoke_host *host);

#endif
