/* Records to compare, with times by the dice. */
#ifndef TESTS_MEASURE_COMPARE_SUPPORT_H
#define TESTS_MEASURE_COMPARE_SUPPORT_H

#include <stdint.h>

#include "yoke/record.h"

void compare_seed(uint64_t seed);

/* A number that looks as from a normal distribution of deviation 1. */
double compare_normal(void);

/* A record without rows; the caller's to free. */
yoke_record *compare_record(void);

/* Adds a row of 40 times around the median. */
yoke_record_row *compare_row(yoke_record *record, double median);

/* New times for a row. */
void compare_times(yoke_record_row *row, double median);

#endif
