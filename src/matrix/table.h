/* Formats whose elements mean something by a table beside them: palettes, scales and zeros. */
#ifndef MATRIX_TABLE_H
#define MATRIX_TABLE_H

#include "yoke/matrix.h"

/* Entries of the table of a view with rows. */
size_t table_entries(const yoke_matrix *matrix);

/* The entry that serves a row. */
const void *table_entry(const yoke_matrix *matrix, size_t row);

/* Turns `count` stored elements of a row, read as they are, into the values they stand for. */
void table_apply(const yoke_matrix *matrix, size_t row, size_t count, float *elements);

#endif
