/* Tensors of a program while it runs. */
#ifndef STANDIN_ANE_TENSOR_H
#define STANDIN_ANE_TENSOR_H

#include <stdbool.h>
#include <stddef.h>

#include "files/coreml/mil.h"

enum { TENSOR_MAX_RANK = 6 };

typedef struct tensor {
    mil_element element;
    unsigned rank;
    size_t shape[TENSOR_MAX_RANK], count;
    float *values; /* each one that the element can be; NULL while only shapes are checked */
} tensor;

/* Of that type; with values (zero) if wanted. False when the type is not one of known shape, or has
 * too many dimensions, or there is no memory. */
bool tensor_make(const mil_type *type, bool with_values, tensor *out);

bool tensor_has_shape(const tensor *t, unsigned rank, const size_t *shape);

/* The place of an element one dimension at a time: strides[d] elements from one to the next. */
void tensor_strides(const tensor *t, size_t strides[TENSOR_MAX_RANK]);

/* As the element holds it: fp16 rounded, integers rounded and kept within their range. */
float tensor_rounded(mil_element element, double value);

#endif
