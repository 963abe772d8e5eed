/* The runs of a comparison, one or more on each side, and what makes them unlike. */
#ifndef MEASURE_COMPARE_RUNS_H
#define MEASURE_COMPARE_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "yoke/record.h"

typedef struct compare_runs {
    const yoke_record **records; /* those of A, then those of B */
    size_t a_count, count;
} compare_runs;

/* The case's row of each run; NULL where it is missing. */
typedef const yoke_record_row *const *case_rows;

/* One run a side: then the samples within them tell how sure a difference is. */
bool runs_are_single(const compare_runs *runs);

/* The first row of A, or of B; NULL when no run of that side has one. */
const yoke_record_row *runs_first_of_a(const compare_runs *runs, case_rows rows);
const yoke_record_row *runs_first_of_b(const compare_runs *runs, case_rows rows);

/* All measured the same weight, by the same method. Otherwise says what differs. */
bool runs_alike(const compare_runs *runs, char *why, size_t why_bytes);

/* Every run has the case, did the same work, and has times that can be trusted. Otherwise says
 * which has not. */
bool runs_sound(const compare_runs *runs, case_rows rows, char *why, size_t why_bytes);

#endif
