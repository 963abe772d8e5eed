/* What the solver says about a plan's engines as they are now. */
#ifndef SPLIT_CHOOSE_H
#define SPLIT_CHOOSE_H

#include "yoke/plan.h"

/* What winning takes before windows are prepared anew. */
#define CHOOSE_PREPARE_GAIN 0.10

/* The windows for m rows: those within what is prepared, unless others are predicted to be faster
 * by CHOOSE_PREPARE_GAIN. Under the lock. Errors: YOKE_ERR_ENGINE (none left), YOKE_ERR_SHAPE. */
yoke_status choose_windows(yoke_plan *plan, size_t m, yoke_solution *solution, yoke_error *err);

#endif
