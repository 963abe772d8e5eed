/* Plain text tables: columns two blanks apart, numbers to the right, long text cut to fit. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "yoke/status.h"

typedef enum table_align { TABLE_TEXT, TABLE_NUMBER } table_align;

typedef struct table_column {
    const char *heading;
    table_align align; /* text goes to the left and may be cut; numbers go right and stay whole */
} table_column;

/* Opaque. Rows are filled cell by cell, from left to right. */
typedef struct table table;

/* The columns are kept by reference. NULL when there is no memory. */
table *table_create(const table_column *columns, size_t count);
void table_free(table *t); /* takes NULL */

/* Adds the next cell; "" for an empty one. What a terminal would obey is replaced. When memory runs
 * out the table says so once, in table_print. */
void table_cell(table *t, const char *format, ...) YOKE_PRINTF(2, 3);

/* Fills the rest of a row with empty cells. */
void table_end_row(table *t);

/* Prints it within `width` columns (0: as wide as it gets). False when memory ran out: then
 * nothing is printed. */
bool table_print(const table *t, FILE *out, size_t width);

#endif
