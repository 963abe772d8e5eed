/* Two records side by side, or the runs of two sides: which rows became faster or slower, and which
 * cannot be compared. */
#ifndef YOKE_COMPARE_H
#define YOKE_COMPARE_H

#include "yoke/record.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum yoke_compared {
    YOKE_COMPARED_SAME,   /* not shown to differ by more than the threshold */
    YOKE_COMPARED_FASTER, /* B takes less time: the whole interval lies beyond the threshold */
    YOKE_COMPARED_SLOWER, /* B takes more */
    YOKE_COMPARED_NOT     /* not comparable; see reason */
} yoke_compared;

/* "same", "faster", "slower", "not comparable". Static. */
YOKE_API const char *yoke_compared_name(yoke_compared verdict);

/* One row of A with its row of B. Of several runs a and b are those of the first that has it. */
typedef struct yoke_compared_row {
    const yoke_record_row *a, *b;    /* NULL where it is missing; owned by the records */
    double a_median_ns, b_median_ns; /* of several runs the geometric mean of their medians; NaN
                                      * when a run has none */
    double ratio;                    /* b_median_ns / a_median_ns; NaN when not comparable */
    double low, high;                /*   its 95 % confidence interval */
    yoke_compared verdict;
    char reason[256]; /* why it is not comparable; "" otherwise */
} yoke_compared_row;

typedef struct yoke_comparison {
    yoke_compared_row *rows; /* in the order of A, then what only B has */
    size_t row_count;
    double threshold;
    size_t untimed;          /* rows left out, that hold no time of their own */
    yoke_record_texts notes; /* what differs and forbids nothing: the host, the version, the path */
} yoke_comparison;

/* Compares the times of the rows that are the same case of the same engine.
 *
 * threshold  the least change that counts, as a fraction (0.05: 5 %); not negative
 *
 * The interval is that of Price and Bonett (2002) for the ratio of two medians, which assumes no
 * distribution: from order statistics of each row's samples. It covers what varies within a run,
 * not from one run to the next; the threshold is for that. When nothing changed, 2.5 % of rows are
 * found slower at a threshold of 0, and fewer above. yoke_compare_runs knows more.
 *
 * A row is not comparable when it is missing in one record, failed, unstable, of another weight,
 * size, format, precision or method, cached in one alone, without a checked answer, or has fewer
 * than 6 samples. Other hosts and versions are compared, and noted.
 *
 * The records must outlive *comparison. Free with yoke_comparison_free.
 * Errors: YOKE_ERR_USAGE (threshold), YOKE_ERR_MEMORY. Thread-safe. */
YOKE_API yoke_status yoke_compare(const yoke_record *a, const yoke_record *b, double threshold,
                                  yoke_comparison **comparison, yoke_error *err);

/* The same for several runs of the same measurement on one side or on both; one a side is
 * yoke_compare. a_count and b_count are 1 or more.
 *
 * The interval is Student's, of the logarithms of the runs' medians: it covers what varies from one
 * run to the next. It takes the runs of both sides to vary alike, so that one side may have a
 * single run.
 *
 * A row must be in every run, of the same weight and so on, with a right answer; how many samples a
 * run has and how they drift does not matter.
 *
 * Errors: those of yoke_compare, YOKE_ERR_USAGE (no record on a side). Thread-safe. */
YOKE_API yoke_status yoke_compare_runs(const yoke_record *const *a, size_t a_count,
                                       const yoke_record *const *b, size_t b_count,
                                       double threshold, yoke_comparison **comparison,
                                       yoke_error *err);

/* Takes NULL. */
YOKE_API void yoke_comparison_free(yoke_comparison *comparison);

/* How many rows have that verdict. */
YOKE_API size_t yoke_comparison_count(const yoke_comparison *comparison, yoke_compared verdict);

#ifdef __cplusplus
}
#endif
#endif
