#include "spell.h"

#include <math.h>

/* Of the best: readings in a row differ by a few hundredths, a spell halves them. */
#define KEPT 0.9

double spell_limit_ns(reading r)
{
    return fmax(r.read_ns, r.compute_ns);
}

reading spell_best(reading a, reading b)
{
    return (reading){fmin(a.read_ns, b.read_ns), fmin(a.compute_ns, b.compute_ns)};
}

static bool is_sound(reading r, reading best)
{
    return KEPT * spell_limit_ns(r) <= spell_limit_ns(best) &&
           KEPT * r.compute_ns <= best.compute_ns;
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
