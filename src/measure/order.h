/* Order statistics of a sorted array. */
#ifndef MEASURE_ORDER_H
#define MEASURE_ORDER_H

#include <stddef.h>

void order_sort(double *values, size_t count);

/* Quantile q in [0, 1] of count >= 1 sorted values: Hyndman and Fan's type 7. */
double order_quantile(const double *sorted, size_t count, double q);

/* The rank j (from 1) such that [x(j), x(count - j + 1)] covers the median with at least 95 %,
 * whatever the distribution: the largest j with P(Binomial(count, 1/2) < j) <= 2.5 %. Below six
 * values no interval reaches 95 %: the rank is 1, and the interval all there is. */
size_t order_median_rank(size_t count);

#endif
