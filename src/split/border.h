/* Where borders should be, from what engines were measured to take: pure arithmetic. */
#ifndef SPLIT_BORDER_H
#define SPLIT_BORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "yoke/split.h"

/* Products whose median counts: a change shows after three, and two strays do not. */
#define BORDER_MEDIAN_OF 5

typedef struct border_history {
    size_t count; /* products since the last move */
    double unit_ns[YOKE_SPLIT_MAX_ENGINES][BORDER_MEDIAN_OF];
} border_history;

/* Time of a branch: fixed + unit * (size of its window). */
typedef struct border_branch {
    double fixed_ns, unit_ns;
    size_t least, most; /* its window lies within [least, most) */
} border_branch;

/* Adds what `count` branches took for one unit each. */
void border_note(border_history *history, const double *unit_ns, size_t count);

/* Whether enough has been noted, and then the median of branch i. */
bool border_is_known(const border_history *history);
double border_median(const border_history *history, size_t i);

/* The slowest branch's time; windows run from begins[i] to begins[i + 1]. */
double border_slowest(const border_branch *branches, size_t count, const size_t *begins);

/* Windows that end together, borders in whole granules; one that would not even get through its
 * fixed cost is empty. begins has count + 1 entries. */
void border_balance(const border_branch *branches, size_t count, size_t total, size_t granule,
                    size_t *begins);

/* Moves each border to the nearest place that both its neighbours have within reach. */
void border_clamp(const border_branch *branches, size_t count, size_t *begins);

#endif
