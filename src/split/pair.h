/* Two engines side by side: what each keeps of its speed while the other works too. */
#ifndef SPLIT_PAIR_H
#define SPLIT_PAIR_H

#include "split/load.h"
#include "yoke/measure.h"

/* Of one of the two. The samples are in turns, so that the i-th of both series belong together. */
typedef struct pair_side {
    load *load;
    yoke_series alone, beside; /* times of its products, ns */
} pair_side;

/* Measures both sides: in turns each one alone, and each one while the other runs without a pause.
 * The two loads' products should take about as long.
 * Errors: those of yoke_sample and the loads. */
yoke_status pair_measure(pair_side sides[2], const yoke_sampling *sampling, yoke_error *err);
void pair_free(pair_side sides[2]);

/* The fraction of its speed that a side keeps beside the other, from its samples turn by turn.
 * Errors: those of yoke_statistics_of. */
yoke_status pair_retained(const pair_side *side, yoke_statistics *retained, yoke_error *err);

#endif
