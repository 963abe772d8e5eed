/* The plain fields of a record by the names they have in the JSON: one table for writing and for
 * reading. */
#ifndef MEASURE_RECORD_FIELDS_H
#define MEASURE_RECORD_FIELDS_H

#include <stddef.h>

typedef enum record_kind {
    RECORD_TEXT,   /* char[]; "" is not known */
    RECORD_FORMAT, /* yoke_format; NONE is not known */
    RECORD_SIZE,   /* size_t; 0 is not known */
    RECORD_BYTES,  /* uint64_t; 0 is not known */
    RECORD_REAL,   /* double; NaN is not known */
    RECORD_RATE,   /* double; NaN is not known, and a failed row has none */
    RECORD_BOOL,   /* bool; always there */
    RECORD_FLAG    /* int, 0 or 1; -1 is not known */
} record_kind;

typedef struct record_field {
    const char *name;
    record_kind kind;
    size_t offset; /* in the struct that the table describes */
    size_t room;   /* bytes of the member */
} record_field;

typedef struct record_table {
    const record_field *fields;
    size_t count;
} record_table;

extern const record_table record_own_table;      /* yoke_record */
extern const record_table record_host_table;     /* yoke_host */
extern const record_table record_core_set_table; /* yoke_core_set */
extern const record_table record_artefact_table; /* yoke_identity */
extern const record_table record_sampling_table; /* yoke_sampling */
extern const record_table record_engine_table;   /* yoke_record_engine */
extern const record_table record_row_table;      /* yoke_record_row */

#endif
