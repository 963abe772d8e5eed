/* Bad spells: for seconds a machine computes, or reads, at a fraction of its rate, and nothing on
 * it says so. Here is the rule by which what fell into one is found.
 *
 * Before and after every batch of products it is read what the product would take at the plain read
 * and at the register-only peak of the moment; the longer is its limit. A batch counts when in both
 * of its readings the limit, and the peak alone, were within nine tenths of the best that any
 * reading of the same case gave. One that does not is taken again, until each contender has
 * SPELL_BATCHES that count, or as many as SPELL_TRIES batches; with fewer than SPELL_ENOUGH that
 * count it gets no figure. */
#ifndef CPU_SPELL_H
#define CPU_SPELL_H

#include <stdbool.h>

#include "yoke/measure.h"

enum { SPELL_BATCHES = 5, SPELL_TRIES = 15, SPELL_ENOUGH = 3 };

/* What reading w and computing the product would take just then. */
typedef struct reading {
    double read_ns, compute_ns;
} reading;

/* The longer of both. */
double spell_limit_ns(reading r);

typedef struct batch {
    reading before, after;
    yoke_series samples;
} batch;

/* The better of each. */
reading spell_best(reading a, reading b);

bool spell_free(const batch *b, reading best);

/* How many of them count. */
size_t spell_count(const batch *batches, size_t count, reading best);

#endif
