/* Elements as double, for formats that f32 would round. */
#ifndef MATRIX_WIDE_H
#define MATRIX_WIDE_H

#include "yoke/matrix.h"

/* Whether elements of the format can hold more than an f32 does. */
bool wide_format(yoke_format format);

/* Reads elements of a valid, readable matrix as double. 64-bit integers are rounded to nearest. */
void wide_read(const yoke_matrix *matrix, size_t row, size_t col, size_t count, double *out);

#endif
