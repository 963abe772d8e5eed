/* Student's distribution. */
#ifndef MEASURE_STUDENT_H
#define MEASURE_STUDENT_H

#include <stddef.h>

/* The t with P(|T| < t) = 95 % for so many degrees of freedom, at least 1. */
double student_95(size_t degrees);

#endif
