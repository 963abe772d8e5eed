/* The best windows for one subset of engines along one axis. */
#ifndef SPLIT_SUBSET_H
#define SPLIT_SUBSET_H

#include <stdbool.h>

#include "split/line.h"

/* An engine that wants a window. */
typedef struct entrant {
    size_t engine;       /* index into the contenders */
    line line;           /* contended time over the size of its window */
    size_t granule, max; /* >= 1; largest window, 0 means any */
    size_t begin_min, end_max;
} entrant;

/* Engines in the order of their windows, on an axis of `total`. */
typedef struct subset {
    size_t total, count; /* count >= 1 */
    entrant entrants[YOKE_SPLIT_MAX_ENGINES];
} subset;

/* Gives every entrant a window (counts[i] >= 1, their sum is total) such that the slowest takes the
 * least time; *slowest gets that time. False when there is no way under which it takes at most
 * `bound`. */
bool subset_share(const subset *s, double bound, size_t counts[YOKE_SPLIT_MAX_ENGINES],
                  double *slowest);

#endif
