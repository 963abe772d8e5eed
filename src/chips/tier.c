/* Tiers: where neighbouring rates lie far apart. */
#include <stdlib.h>

#include "yoke/chips.h"

static int faster_first(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left < right) - (left > right);
}

size_t yoke_chip_tiers(double *rates, size_t count, size_t *tiers)
{
    qsort(rates, count, sizeof *rates, faster_first);
    size_t tier = 1;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && rates[i - 1] > rates[i] * YOKE_CHIP_TIER_GAP)
            tier++;
        tiers[i] = tier;
    }
    return count == 0 ? 0 : tier;
}
