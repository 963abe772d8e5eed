/* Measuring: sampling until it can be trusted, statistics, fits. */
#ifndef YOKE_MEASURE_H
#define YOKE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yoke/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The monotonic clock, in ns. Thread-safe. */
YOKE_API uint64_t yoke_clock_ns(void);

/* One series of timings, in the order they were taken. Owns samples_ns; yoke_series_free. */
typedef struct yoke_series {
    double *samples_ns;
    size_t count;
    size_t capacity;
    size_t warmup_count; /* runs before the first sample, not in samples_ns */
    bool warmup_settled; /* the warm-up rule was met; else it ran out of budget */
} yoke_series;

/* Appends a sample. Errors: YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_series_add(yoke_series *series, double sample_ns, yoke_error *err);

/* Frees the samples and clears the series. Takes NULL. */
YOKE_API void yoke_series_free(yoke_series *series);

/* When to stop. Zero means the default in brackets. */
typedef struct yoke_sampling {
    size_t min_samples;        /* [10] */
    double min_seconds;        /* of samples, [0.3] */
    size_t max_samples;        /* [10000] */
    double max_seconds;        /* of warm-up and samples of one subject, [10] */
    size_t warmup_window;      /* [5] warm up until the last so many runs lie within */
    double warmup_spread;      /*     [0.05] of their median of each other, */
    size_t warmup_max;         /*     [50] at most so many runs */
    const volatile bool *stop; /* set by a signal handler: YOKE_ERR_INTERRUPTED; NULL: never */
} yoke_sampling;

/* One thing to time. run does the work once and stores the ns it took in *elapsed_ns, by whatever
 * clock suits it (wall time, device time). */
typedef struct yoke_subject {
    yoke_status (*run)(void *arg, double *elapsed_ns, yoke_error *err);
    void *arg;
} yoke_subject;

/* Samples `count` subjects interleaved, A B A B, each into its own series (zeroed by the caller or
 * holding earlier samples): first each one's warm-up, then rounds over all until every one has
 * enough. sampling may be NULL.
 * Errors: those of run; YOKE_ERR_INTERRUPTED; the series keep what they have. */
YOKE_API yoke_status yoke_sample(const yoke_subject *subjects, size_t count,
                                 const yoke_sampling *sampling, yoke_series *series,
                                 yoke_error *err);

/* A series in figures. All in the unit of the samples. */
typedef struct yoke_statistics {
    size_t count;
    double min, p10, median, p90, p99, max, mean;
    double mad;                     /* median absolute deviation from the median, not scaled */
    double median_low, median_high; /* 95 % confidence interval of the median (order statistics) */
    size_t outliers_mild, outliers_severe; /* beyond 1.5 and 3 interquartile ranges (Tukey); kept */
    double drift;  /* median of the last third over that of the first, minus 1 */
    bool unstable; /* |drift| > 0.1 and beyond the noise: the figures are not one state */
} yoke_statistics;

/* Quantiles by linear interpolation between order statistics (Hyndman and Fan's type 7).
 * Errors: YOKE_ERR_USAGE (count 0, or a sample that is not finite), YOKE_ERR_MEMORY.
 * Thread-safe. */
YOKE_API yoke_status yoke_statistics_of(const double *samples, size_t count,
                                        yoke_statistics *statistics, yoke_error *err);

/* y = fixed + slope * x, by least squares on the points. */
typedef struct yoke_fit {
    double fixed, slope;
    double fixed_error, slope_error; /* standard errors; 0 with two points */
    double residual;                 /* root mean square of (y - fit) / y: a relative figure */
} yoke_fit;

/* Fits time over size. Relative weights 1/y, so that each size counts alike.
 * Errors: YOKE_ERR_USAGE with fewer than two different x, or values that are not finite and
 * positive. Thread-safe. */
YOKE_API yoke_status yoke_fit_line(const double *x, const double *y, size_t count, yoke_fit *fit,
                                   yoke_error *err);

/* GB/s (10^9 bytes) from bytes and ns. NaN when ns is not positive. */
YOKE_API double yoke_gbps(double bytes, double ns);

#ifdef __cplusplus
}
#endif
#endif
