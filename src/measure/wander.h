/* Windows of a weight for one run after the other: they wander over it, so that each run reads
 * outputs that have not been read for long. */
#ifndef MEASURE_WANDER_H
#define MEASURE_WANDER_H

#include <stddef.h>

/* The first output of the window of `window` outputs for a run. A multiple of granule. */
size_t wander_begin(size_t outputs, size_t window, size_t granule, size_t run);

/* The largest window of at most `wanted` outputs that an engine of that granule takes. */
size_t wander_size(size_t outputs, size_t wanted, size_t granule);

#endif
