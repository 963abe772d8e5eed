/* What the values of a tensor come to. */
#ifndef CLI_INSPECT_VALUES_H
#define CLI_INSPECT_VALUES_H

#include "yoke/matrix.h"

#define INSPECT_FIRST_VALUES 8

/* Range and sum are those of the finite ones. */
typedef struct inspect_values {
    double least, largest, sum;
    uint64_t finite, nans, infinities, zeros;
    float first[INSPECT_FIRST_VALUES];
    size_t first_count;
} inspect_values;

/* Errors: those of yoke_matrix_read. */
yoke_status inspect_values_of(const yoke_matrix *matrix, inspect_values *of, yoke_error *err);
void inspect_values_print(const inspect_values *of);

#endif
