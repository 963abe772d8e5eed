/* When an engine is lost: its piece of y is computed by another. */
#ifndef SPLIT_FAILOVER_H
#define SPLIT_FAILOVER_H

#include "split/product.h"

/* Computes a piece on the fastest engine left that gives a right answer, *by; those that do not are
 * quarantined. No product of this thread is under way. Errors: YOKE_ERR_ENGINE (none is left). */
yoke_status failover_compute(const product *p, const piece *at, size_t *by, yoke_error *err);

/* How long an engine may take for what is expected to take so long. */
uint64_t failover_patience_ns(const yoke_plan *plan, double expected_ns);

#endif
