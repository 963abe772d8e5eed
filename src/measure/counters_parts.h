/* The sources of counters, one file each. Where a source has nothing, it opens as NULL. */
#ifndef MEASURE_COUNTERS_PARTS_H
#define MEASURE_COUNTERS_PARTS_H

#include "measure/counters.h"

/* counters_rapl.c: energy of the processor's packages and of memory, by Linux's powercap. */
typedef struct rapl rapl;
yoke_status rapl_open(const char *root, rapl **out, yoke_error *err);
void rapl_free(rapl *r); /* takes NULL */
void rapl_begin(rapl *r);
void rapl_end(rapl *r, counters_reading *reading);

/* counters_apple.c: an engine's bytes and energy, by IOReport. */
typedef struct apple_counters apple_counters;
yoke_status apple_counters_open(const char *engine, const char *cpu, apple_counters **out,
                                yoke_error *err);
void apple_counters_free(apple_counters *a); /* takes NULL */
void apple_counters_begin(apple_counters *a);
void apple_counters_end(apple_counters *a, counters_reading *reading);

#endif
