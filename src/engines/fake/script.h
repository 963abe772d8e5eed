/* What a fake engine is told to do, by the options of its specification.
 *
 *   rate_gflops=R    arithmetic takes 2*m*n*k / R       } the longer of the two,
 *   gbps=B           reading the window's bytes takes bytes / B }  0 or absent: no time
 *   fixed_us=T       every product takes T more
 *   fail_at=N        the Nth submit fails                 (N counts from 1; 0 or absent: never)
 *   fail_wait_at=N   the Nth product fails in wait
 *   die_at=N         the Nth product fails in wait, and everything after it
 *   hang_at=N        the Nth product never ends: wait gives up at its deadline, or after 10 s
 *   wrong_row_at=N   the Nth product has one wrong row
 *   zeros_at=N       the Nth product is all zeros
 *   nan_at=N         the Nth product has one row that is not a number
 *   zeros_k32        every product is all zeros when K is no multiple of 32
 *   inf_above=X      results beyond +-X become infinite
 *   formats=A+B      only weights of these formats are taken
 *   slow_after=N     products after the Nth, to the slow_until=U-th [all], take slow_factor=F [2]
 *                    times as long
 *   caller           says that it computes on the thread that waits, and begins when it waits
 *   granule_m=, granule_n=, max_m=, max_n=, max_k=    the facts of these names
 */
#ifndef FAKE_SCRIPT_H
#define FAKE_SCRIPT_H

#include "yoke/engine.h"

typedef struct script {
    double rate_gflops, gbps, fixed_us, inf_above, slow_factor;
    uint64_t fail_at, fail_wait_at, die_at, hang_at, wrong_row_at, zeros_at, nan_at, slow_after;
    uint64_t slow_until; /* 0: for good */
    bool zeros_k32, caller;
    uint64_t formats; /* bits; 0: every readable one */
    uint64_t granule_m, granule_n, max_m, max_n, max_k;
} script;

/* Errors: YOKE_ERR_USAGE, which names the option. */
yoke_status script_read(const yoke_engine_config *config, script *out, yoke_error *err);

#endif
