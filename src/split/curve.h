/* An engine's measured time over rows (m) and window size (n): points in, lines out. */
#ifndef SPLIT_CURVE_H
#define SPLIT_CURVE_H

#include "split/line.h"

/* What was measured at one m, by rising n, and the line through it. */
typedef struct curve_row {
    size_t m, count;
    yoke_curve_point points[YOKE_CURVE_MAX_N];
    line line;
} curve_row;

/* Rows by rising m. */
typedef struct curve {
    curve_row *rows;
    size_t count;
} curve;

/* Adds a point with times in (0, 1e18] ns; one of the same (m, n) is replaced.
 * Errors: YOKE_ERR_USAGE (too many sizes), YOKE_ERR_MEMORY; the curve is then as before. */
yoke_status curve_add(curve *c, const yoke_curve_point *point, yoke_error *err);

void curve_free(curve *c);

/* Time over n at m rows, and over m for n outputs (made so that it does not fall). The curve has a
 * point at least; m, n >= 1. */
void curve_over_n(const curve *c, size_t m, line *out);
void curve_over_m(const curve *c, size_t n, line *out);

#endif
