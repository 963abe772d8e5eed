/* Tables as HTML: a caption, headings with their scope, numbers to the right. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "yoke/status.h"

typedef struct table_column {
    const char *heading;
    const char *unit; /* "GB/s"; NULL for a column of text, "" for a bare number */
} table_column;

/* Opens a table with its head. Close with table_end. Columns that are not filled in a row stay
 * empty on the screen. */
void table_begin(FILE *out, const char *caption, const table_column *columns, size_t count);
void table_end(FILE *out);

#define TABLE_COLUMNS(columns) columns, sizeof columns / sizeof *columns

/* Opens a row by its heading. */
void table_row(FILE *out, const char *heading);
void table_row_end(FILE *out);

void table_text(FILE *out, const char *text);
void table_format(FILE *out, const char *format, ...) YOKE_PRINTF(2, 3);
void table_number(FILE *out, double value, int significant); /* NaN is "not known" */
void table_size(FILE *out, size_t value);                    /* 0 is "not known" */
void table_percent(FILE *out, double fraction);              /* NaN is "not known" */

/* A bar as long as `fraction` of the column; no cell content for readers of text. */
void table_bar(FILE *out, double fraction);

/* FAILED and why, over the rest of the row. */
void table_failed(FILE *out, size_t columns, const char *reason);

#endif
