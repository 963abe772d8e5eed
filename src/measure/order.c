#include "measure/order.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void order_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
}

double order_quantile(const double *sorted, size_t count, double q)
{
    double position = q * (double)(count - 1);
    size_t below = (size_t)position;
    if (below + 1 >= count)
        return sorted[count - 1];
    double part = position - (double)below;
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

size_t order_median_rank(size_t count)
{
    /* In logarithms: 2^-count underflows a double beyond 1074 samples. */
    double log_term = -(double)count * log(2.0); /* P(Binomial = 0) */
    double below = exp(log_term);
    size_t rank = 0;
    while (below <= 0.025 && rank < count) {
        log_term += log((double)(count - rank) / (double)(rank + 1));
        rank++;
        below += exp(log_term);
    }
    return rank > 0 ? rank : 1;
}
