/* The right answer in double precision, and how far a right engine may be from it. */
#ifndef CONFORMANCE_REFERENCE_H
#define CONFORMANCE_REFERENCE_H

#include "yoke/matrix.h"

typedef struct reference {
    size_t m, n, k;
    double *sum;       /* m by n: of x * w */
    double *magnitude; /* m by n: of |x| * |w| */
} reference;

/* Plain loops over what the elements read as. Fails the test when there is no memory. */
reference reference_create(const yoke_matrix *x, const yoke_matrix *w);
void reference_free(reference *r);

/* How far x may be from its stored value when it is multiplied, as a part of |x| * |w|: 0 for full
 * precision. */
#define ROUNDING_BF16_X 0x1p-9 /* 8 significant bits, half a unit */

/* Holds y against the rows from `row` and the outputs from `output` of the reference.
 *
 * An f32 sum of k products in any order errs by at most k * 2^-24 * magnitude (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd ed., section 3.1; 2 % more for the terms of higher order);
 * then y is rounded to its own format. Where the facts say that x, products and results are rounded
 * to f16, that is half a unit more for each. Fails the test at the first element beyond that. */
void reference_check(const reference *r, size_t row, size_t output, double x_rounding,
                     const yoke_matrix *y);

/* The same bound for one element of a product with alpha and beta. */
double reference_bound(size_t k, double sum, double magnitude, yoke_format y_format);

#endif
