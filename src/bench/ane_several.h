/* The suite of the Neural Engine: many weights in one program, beside a program for each. */
#ifndef BENCH_ANE_SEVERAL_H
#define BENCH_ANE_SEVERAL_H

#include "bench/bench.h"

/* Prepares eight weights of side by side with one call on each of two engines, and measures one row
 * of x by one weight after the other, in turns, for about so long together. A row for each engine,
 * "procedures" and "programs". Errors: YOKE_ERR_INTERRUPTED, YOKE_ERR_MEMORY. */
yoke_status ane_several_measure(bench *b, const bench_engine *shared, const bench_engine *single,
                                size_t side, double seconds, yoke_error *err);

#endif
