#include "chips_places.h"

#include <stdlib.h>

#include "chips_known.h"

static int faster_first(const void *a, const void *b)
{
    const chips_place *left = a, *right = b;
    if (left->rate != right->rate)
        return left->rate < right->rate ? 1 : -1;
    return left->row->row < right->row->row ? -1 : 1;
}

size_t chips_gather(const chips_view *v, const yoke_chip_measurement *first, chips_place *places,
                    size_t *apart)
{
    size_t count = 0;
    *apart = 0;
    for (size_t i = 0; i < v->count; i++) {
        const yoke_chip_measurement *row = v->rows[i];
        if (!chips_same_column(row, first))
            continue;
        double rate = yoke_chip_rate(row, NULL);
        if (*row->doubt || !(rate > 0))
            ++*apart;
        else
            places[count++] = (chips_place){.row = row, .rate = rate};
    }
    return count;
}

bool chips_set_tiers(chips_place *places, size_t count)
{
    double *rates = malloc((count + 1) * sizeof *rates);
    size_t *tiers = malloc((count + 1) * sizeof *tiers);
    bool ok = rates && tiers;
    if (ok && count > 0) {
        qsort(places, count, sizeof *places, faster_first);
        for (size_t i = 0; i < count; i++)
            rates[i] = places[i].rate;
        yoke_chip_tiers(rates, count, tiers);
        for (size_t i = 0; i < count; i++)
            places[i].tier = tiers[i];
    }
    free(rates);
    free(tiers);
    return ok;
}

bool chips_differ(const chips_place *places, size_t count)
{
    const char *named = "";
    for (size_t i = 0; i < count; i++) {
        const char *chip = places[i].row->chip;
        if (*chip && *named && !chips_same_word(named, chip))
            return true;
        if (*chip)
            named = chip;
    }
    return false;
}
