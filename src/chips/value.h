/* What a field of a table says: numbers as they were published, and words. */
#ifndef CHIPS_VALUE_H
#define CHIPS_VALUE_H

#include <stdbool.h>

#include "yoke/chips.h"

/* A plain decimal number, "-12.50": no unit, no exponent, no separators, not above 10^12; "" is
 * not known. False for anything else. */
bool value_number(const char *text, yoke_chip_number *number);

/* "300", or "5x50": blocks times runs; "" is not known. */
bool value_is_runs(const char *text);

/* "solo", "each", "combined" or "dual" for it; "" is solo. */
bool value_mode(const char *text, yoke_chip_mode *mode);

bool value_known(yoke_chip_number number);

/* The same name, upper or lower case and with '-', '_' or ' ' between its words. */
bool value_same_name(const char *a, const char *b);

#endif
