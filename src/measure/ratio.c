/* Of samples: Price and Bonett, "Distribution-free confidence intervals for difference and ratio of
 * medians", Journal of Statistical Computation and Simulation 72 (2002) 119-124. The variance of a
 * median is told by how far apart two order statistics are that enclose it with a known
 * probability; on logarithms, since those of a ratio are a difference. */
#include "measure/ratio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/order.h"
#include "measure/student.h"

#define NORMAL_95 1.959963984540054 /* 97.5 % of a normal distribution lie below */

static ratio from_logs(double difference, double reach)
{
    return (ratio){exp(difference), exp(difference - reach), exp(difference + reach)};
}

/* P(Binomial(count, 1/2) <= most), in logarithms for large counts. */
static double binomial_below(size_t count, size_t most)
{
    double log_term = -(double)count * log(2.0), sum = exp(log_term);
    for (size_t i = 0; i < most; i++) {
        log_term += log((double)(count - i) / (double)(i + 1));
        sum += exp(log_term);
    }
    return sum;
}

/* z with P(normal > z) = p, for p in (0, 1/2), by halving: some 50 steps, once a row. */
static double normal_above(double p)
{
    double low = 0, high = 40;
    while (high - low > 1e-12) {
        double middle = (low + high) / 2;
        if (erfc(middle / sqrt(2.0)) / 2 > p)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Standard error of the logarithm of the median. */
static double log_median_error(const double *sorted, size_t count)
{
    double below = round((double)(count + 1) / 2 - sqrt((double)count));
    size_t rank = below < 1 ? 1 : (size_t)below;
    double z = normal_above(binomial_below(count, rank - 1));
    return log(sorted[count - rank] / sorted[rank - 1]) / (2 * z);
}

/* The logarithm of the median and its standard error. */
static yoke_status log_median(const double *samples, size_t count, double *value, double *error,
                              yoke_error *err)
{
    double *sorted = calloc(count, sizeof *sorted);
    if (!sorted)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "compare: no memory for %zu samples", count);
    memcpy(sorted, samples, count * sizeof *sorted);
    order_sort(sorted, count);
    *value = log(order_quantile(sorted, count, 0.5));
    *error = log_median_error(sorted, count);
    free(sorted);
    return YOKE_OK;
}

yoke_status ratio_of_medians(const double *a, size_t a_count, const double *b, size_t b_count,
                             ratio *out, yoke_error *err)
{
    double a_value, a_error, b_value, b_error;
    yoke_status status = log_median(a, a_count, &a_value, &a_error, err);
    if (status == YOKE_OK)
        status = log_median(b, b_count, &b_value, &b_error, err);
    if (status != YOKE_OK)
        return status;
    *out = from_logs(b_value - a_value, NORMAL_95 * sqrt(a_error * a_error + b_error * b_error));
    return YOKE_OK;
}

/* The mean of the logarithms; adds their squared deviations from it to *squares. */
static double log_mean(const double *times, size_t count, double *squares)
{
    double mean = 0;
    for (size_t i = 0; i < count; i++)
        mean += log(times[i]) / (double)count;
    for (size_t i = 0; i < count; i++)
        *squares += pow(log(times[i]) - mean, 2);
    return mean;
}

ratio ratio_of_runs(const double *a, size_t a_count, const double *b, size_t b_count)
{
    const size_t degrees = a_count + b_count - 2;
    double squares = 0;
    const double a_mean = log_mean(a, a_count, &squares), b_mean = log_mean(b, b_count, &squares);
    const double error =
        sqrt(squares / (double)degrees * (1 / (double)a_count + 1 / (double)b_count));
    return from_logs(b_mean - a_mean, student_95(degrees) * error);
}
