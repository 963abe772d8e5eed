/* A series in figures: robust ones, since timings have long tails. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "measure/order.h"
#include "yoke/measure.h"

typedef struct interval {
    double low, middle, high;
} interval;

static interval median_of(const double *sorted, size_t count)
{
    size_t rank = order_median_rank(count);
    return (interval){.low = sorted[rank - 1],
                      .middle = order_quantile(sorted, count, 0.5),
                      .high = sorted[count - rank]};
}

static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

static double deviation_of(const double *sorted, size_t count, double median, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = fabs(sorted[i] - median);
    order_sort(scratch, count);
    return order_quantile(scratch, count, 0.5);
}

static void count_outliers(const double *sorted, size_t count, yoke_statistics *s)
{
    double low = order_quantile(sorted, count, 0.25), high = order_quantile(sorted, count, 0.75);
    double range = high - low;
    for (size_t i = 0; i < count; i++) {
        double beyond = fmax(low - sorted[i], sorted[i] - high);
        if (beyond > 3 * range)
            s->outliers_severe++;
        else if (beyond > 1.5 * range)
            s->outliers_mild++;
    }
}

static interval median_of_part(const double *samples, size_t count, double *scratch)
{
    memcpy(scratch, samples, count * sizeof *scratch);
    order_sort(scratch, count);
    return median_of(scratch, count);
}

/* First third against last third. The figures are called unstable only when the intervals of the
 * two medians lie apart: a difference within the noise is no drift. */
static void judge_drift(const double *samples, size_t count, double *scratch, yoke_statistics *s)
{
    size_t third = count / 3;
    if (third == 0)
        return;
    interval first = median_of_part(samples, third, scratch);
    interval last = median_of_part(samples + count - third, third, scratch);
    if (first.middle == 0)
        return;
    s->drift = last.middle / first.middle - 1;
    bool apart = last.low > first.high || last.high < first.low;
    s->unstable = third >= 3 && fabs(s->drift) > 0.1 && apart;
}

static yoke_status refuse_unusable(const double *samples, size_t count, yoke_error *err)
{
    if (count == 0)
        return yoke_error_set(err, YOKE_ERR_USAGE, "statistics: no samples");
    for (size_t i = 0; i < count; i++)
        if (!isfinite(samples[i]))
            return yoke_error_set(err, YOKE_ERR_USAGE, "statistics: sample %zu is %g", i,
                                  samples[i]);
    return YOKE_OK;
}

yoke_status yoke_statistics_of(const double *samples, size_t count, yoke_statistics *statistics,
                               yoke_error *err)
{
    yoke_status status = refuse_unusable(samples, count, err);
    if (status != YOKE_OK)
        return status;
    size_t bytes;
    double *sorted = size_mul(count, 2 * sizeof *sorted, &bytes) ? malloc(bytes) : NULL;
    if (!sorted)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "statistics: no memory for %zu samples", count);
    double *scratch = sorted + count;
    memcpy(sorted, samples, count * sizeof *sorted);
    order_sort(sorted, count);

    interval median = median_of(sorted, count);
    *statistics = (yoke_statistics){
        .count = count,
        .min = sorted[0],
        .p10 = order_quantile(sorted, count, 0.10),
        .median = median.middle,
        .p90 = order_quantile(sorted, count, 0.90),
        .p99 = order_quantile(sorted, count, 0.99),
        .max = sorted[count - 1],
        .mean = mean_of(samples, count),
        .mad = deviation_of(sorted, count, median.middle, scratch),
        .median_low = median.low,
        .median_high = median.high,
    };
    count_outliers(sorted, count, statistics);
    judge_drift(samples, count, scratch, statistics);
    free(sorted);
    return YOKE_OK;
}
