/* CSV as RFC 4180 has it, and nothing looser: a header, then records of as many fields. */
#ifndef CHIPS_CSV_H
#define CHIPS_CSV_H

#include <stddef.h>

#include "yoke/status.h"

typedef struct csv_field {
    const char *text; /* unquoted, NUL-terminated */
    size_t offset;    /* of its first byte in the file */
} csv_field;

/* Fields of record r, column c stand at fields[r * columns + c]; record 0 is the header. */
typedef struct csv {
    const char *name; /* of the file, for messages; kept by reference */
    csv_field *fields;
    size_t *rows; /* the row of each record, counted as an editor of tables does: the header is 1 */
    size_t columns, records;
} csv;

/* Reads size bytes at `text`, with a NUL behind them; they are changed and then referred to.
 * A byte order mark, CRLF and empty lines are taken. Refused: too few or too many fields, a quote
 * out of place, control characters, what is not UTF-8, a column without a name or with one
 * that came before. Errors: YOKE_ERR_FORMAT, YOKE_ERR_MEMORY. */
yoke_status csv_parse(const char *name, char *text, size_t size, csv *out, yoke_error *err);
void csv_free(csv *table);

/* The field of a record (from 1). */
const csv_field *csv_at(const csv *table, size_t record, size_t column);

/* The column with this name; table->columns when there is none. */
size_t csv_column(const csv *table, const char *name);

/* Fills *err with "FILE: row R, column C (NAME), byte B: TEXT" and returns YOKE_ERR_FORMAT. */
yoke_status csv_refuse(const csv *table, size_t record, size_t column, yoke_error *err,
                       const char *format, ...) YOKE_PRINTF(5, 6);

#endif
