/* A thread that stands for a device: busy for a while, then tells that it is done. It looks for its
 * next task without sleeping, so that only the waiting side's sleep is measured. */
#ifndef BENCH_HELPER_H
#define BENCH_HELPER_H

#include <stdbool.h>
#include <stdint.h>

#include "yoke/status.h"

typedef struct helper helper;

yoke_status helper_create(helper **out, yoke_error *err);
void helper_free(helper *h); /* takes NULL */

/* Has it busy for busy_ns and waits, asleep or looking. Returns the ns until the caller knew. */
double helper_run(helper *h, uint64_t busy_ns, bool asleep);

#endif
