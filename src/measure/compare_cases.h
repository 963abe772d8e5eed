/* The rows of several records, sorted into cases: each case has a row of every record. */
#ifndef MEASURE_COMPARE_CASES_H
#define MEASURE_COMPARE_CASES_H

#include <stddef.h>

#include "yoke/record.h"

typedef struct compare_cases {
    const yoke_record_row **rows; /* of case i and record r at [i * records + r]; NULL: missing */
    size_t count, records;
    size_t untimed; /* rows of the first record left out, that hold no time of their own */
} compare_cases;

/* In the order of the first record, then what only later ones have. A row is taken with the one
 * that did the same work, else with one that is the same case, so that the difference can be named.
 * Free with compare_cases_free, after an error too. Errors: YOKE_ERR_MEMORY. */
yoke_status compare_cases_sort(const yoke_record *const *records, size_t count, compare_cases *out,
                               yoke_error *err);

void compare_cases_free(compare_cases *cases);

#endif
