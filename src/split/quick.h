/* A curve in brief, for an engine that no profile knows. */
#ifndef SPLIT_QUICK_H
#define SPLIT_QUICK_H

#include "split/plan.h"

/* Measures party p over a few windows of w and adds the curve to the plan's profile. Its first
 * answer is checked. Errors: YOKE_ERR_CHECK, those of the engine, YOKE_ERR_MEMORY. */
yoke_status quick_measure(yoke_plan *plan, const party *p, yoke_error *err);

#endif
