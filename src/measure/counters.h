/* What the machine itself counts while something runs: bytes to and from memory, energy. */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H

#include <stdbool.h>

#include "yoke/status.h"

typedef struct counters counters;

typedef struct counters_reading {
    double bytes;          /* that the engine read from memory and wrote there; NaN: not counted */
    char bytes_source[96]; /* which counters say so */
    double joules;         /* NaN: not counted */
    char joules_source[96];
} counters_reading;

/* The counters there are for an engine, of that specification, on a processor of that name. `root`
 * stands before the paths of the kernel's files: "" but in tests. That there are none is no error.
 * Free with counters_free. Errors: YOKE_ERR_MEMORY. */
yoke_status counters_open(const char *root, const char *engine, const char *cpu, counters **out,
                          yoke_error *err);

/* Takes NULL. */
void counters_free(counters *c);

/* Is anything counted? */
bool counters_any(const counters *c);

/* An interval, from begin to end. A count that did not move is taken for one that is frozen, as
 * some are: not known. */
void counters_begin(counters *c);
void counters_end(counters *c, counters_reading *reading);

#endif
