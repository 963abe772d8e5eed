#ifndef STANDIN_METAL_DOT_H
#define STANDIN_METAL_DOT_H

#include <stddef.h>

/* The sum of their products, in order. */
double standin_dot(const double *a, const double *b, size_t count);

#endif
