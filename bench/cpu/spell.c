#include "spell.h"

#include <math.h>

/* Of the best: readings in a row differ by a few hundredths, a spell halves them. */
#define KEPT 0.9

reading spell_best(reading a, reading b)
{
    return (reading){fmax(a.read, b.read), fmax(a.peak, b.peak)};
}

static bool is_sound(reading r, reading best)
{
    return r.read >= KEPT * best.read && r.peak >= KEPT * best.peak;
}

bool spell_free(const batch *b, reading best)
{
    return is_sound(b->before, best) && is_sound(b->after, best);
}

size_t spell_count(const batch *batches, size_t count, reading best)
{
    size_t sound = 0;
    for (size_t i = 0; i < count; i++)
        sound += spell_free(&batches[i], best);
    return sound;
}
