/* Doubles compared as doubles: cmocka's own comparison rounds to float. */
#ifndef TESTS_MEASURE_NEAR_H
#define TESTS_MEASURE_NEAR_H

#include <math.h>

#define assert_near(actual, expected, tolerance)                                                   \
    do {                                                                                           \
        double actual_ = (actual), expected_ = (expected);                                         \
        if (!(fabs(actual_ - expected_) <= (tolerance)))                                           \
            fail_msg("%s is %.17g, not %.17g", #actual, actual_, expected_);                       \
    } while (0)

#endif
