/* The figures of one column in their order, and how they fall into tiers. */
#ifndef CLI_CHIPS_PLACES_H
#define CLI_CHIPS_PLACES_H

#include "chips_view.h"

/* The figures of a row, the fastest first; those in doubt are left out. */
typedef struct chips_place {
    const yoke_chip_measurement *row;
    double rate;
    size_t tier;
} chips_place;

/* Fills places[], which has room for the view, with the column of `first`; returns how many, *apart
 * how many are in doubt. */
size_t chips_gather(const chips_view *v, const yoke_chip_measurement *first, chips_place *places,
                    size_t *apart);

/* Sorts them and gives each its tier; false when memory runs out. */
bool chips_set_tiers(chips_place *places, size_t count);

/* Are there two chips, named ones, that can be compared? */
bool chips_differ(const chips_place *places, size_t count);

#endif
