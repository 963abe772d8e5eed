/* Time over the size of a window: a line with bends, never falling. */
#ifndef SPLIT_LINE_H
#define SPLIT_LINE_H

#include <stddef.h>

#include "yoke/split.h"

#define LINE_MAX_KNOTS                                                                             \
    (2 * YOKE_CURVE_MAX_N + 1) /* those of two lines, which share the one at 0                     \
                                */

typedef struct line {
    size_t count;                /* knots, >= 1 */
    size_t at[LINE_MAX_KNOTS];   /* rising, from 0 on */
    double time[LINE_MAX_KNOTS]; /* ns, never falling; at 0 the fixed cost */
    double slope;                /* ns for each one beyond the last knot, > 0 */
} line;

/* Never falls as `at` grows, in spite of rounding. */
double line_time(const line *l, size_t at);

/* The largest size up to `limit` whose line_time is at most `time`; 0 also when none is. */
size_t line_reach(const line *l, double time, size_t limit);

/* Times multiplied by a factor > 0. */
void line_scale(const line *l, double factor, line *out);

/* (1 - weight) * a + weight * b, 0 <= weight <= 1. */
void line_blend(const line *a, const line *b, double weight, line *out);

#endif
