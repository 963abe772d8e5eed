/* What engines took for their windows, and the borders that follow from it. */
#ifndef SPLIT_ADAPT_H
#define SPLIT_ADAPT_H

#include "split/plan.h"

/* Notes what each part of l took in a product of m rows that had the engines for itself; true when
 * the next one takes other windows. Then l is not to be used again. */
bool adapt_note(yoke_plan *plan, layout *l, size_t m, const double *taken_ns);

#endif
