/* The ratio of two medians, with an interval. */
#ifndef MEASURE_RATIO_H
#define MEASURE_RATIO_H

#include <stddef.h>

#include "yoke/status.h"

#define RATIO_LEAST_SAMPLES 6 /* below, no order statistics bound a median at 95 % */

typedef struct ratio {
    double value, low, high;
} ratio;

/* Median of b over that of a, and its 95 % confidence interval. Both have RATIO_LEAST_SAMPLES
 * positive samples or more. Errors: YOKE_ERR_MEMORY. */
yoke_status ratio_of_medians(const double *a, size_t a_count, const double *b, size_t b_count,
                             ratio *out, yoke_error *err);

/* Of runs, each with one positive time: the ratio of the geometric means, b over a, and its 95 %
 * confidence interval by Student's t on logarithms. It takes the runs of both to vary alike, so
 * that one of them may stand alone; at least three in all. */
ratio ratio_of_runs(const double *a, size_t a_count, const double *b, size_t b_count);

#endif
