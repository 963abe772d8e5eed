/* From the records of a CSV file to an array of structs, by a list of columns. */
#ifndef CHIPS_ROWS_H
#define CHIPS_ROWS_H

#include <stdbool.h>

#include "chips/csv.h"

typedef enum rows_kind {
    ROWS_TEXT,       /* const char * */
    ROWS_NAME,       /* const char *, never empty */
    ROWS_CHIP,       /* const char *; "unknown" is empty */
    ROWS_NUMBER,     /* yoke_chip_number */
    ROWS_RUNS,       /* const char * */
    ROWS_MODE,       /* yoke_chip_mode */
    ROWS_PROVENANCE, /* const char *: "", "primary", "secondary" or "derived" */
} rows_kind;

typedef struct rows_column {
    const char *names[3]; /* the first is its own; the others are taken for it */
    rows_kind kind;
    size_t offset; /* in the struct */
    bool required; /* the file must have this column */
} rows_column;

/* Tables beyond this are refused, so that the audit may compare every row with every other. */
#define ROWS_MOST 5000

/* Fills *rows with one struct of `element` bytes for each record, and the number of its row into
 * the size_t at its begin. Columns of the file that are not asked for are left alone. Free with
 * free. Errors: YOKE_ERR_FORMAT, YOKE_ERR_MEMORY. */
yoke_status rows_read(const csv *table, const rows_column *columns, size_t column_count,
                      size_t element, void **rows, size_t *count, yoke_error *err);

#endif
