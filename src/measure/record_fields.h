/* The row's plain fields by the names they have in the JSON. */
#ifndef MEASURE_RECORD_FIELDS_H
#define MEASURE_RECORD_FIELDS_H

#include <stddef.h>

typedef enum record_kind {
    RECORD_TEXT,   /* char[]; "" is not known */
    RECORD_FORMAT, /* yoke_format; NONE is not known */
    RECORD_SIZE,   /* size_t; 0 is not known */
    RECORD_BYTES,  /* uint64_t; 0 is not known */
    RECORD_REAL,   /* double; NaN is not known */
    RECORD_RATE    /* double; NaN is not known, and a failed row has none */
} record_kind;

typedef struct record_field {
    const char *name;
    record_kind kind;
    size_t offset; /* in yoke_record_row */
} record_field;

extern const record_field record_row_fields[];
extern const size_t record_row_field_count;

#endif
