/* Products of the suite of the Neural Engine: each with a small weight of its own. */
#ifndef BENCH_ANE_CASE_H
#define BENCH_ANE_CASE_H

#include "bench/bench.h"

enum { ANE_CASES_MOST = 4 };

typedef struct ane_case {
    const bench_engine *engine;
    const char *what; /* the row's case */
    yoke_format format;
    size_t m, n, k;
} ane_case;

/* Measures up to four in turns, for about so long together, and adds a row for each. A case whose
 * share of a core is near a multiple of 1 MiB is noted: reads were seen to be slow there. One that
 * would take far too long has no rates, and a note.
 * Errors: YOKE_ERR_INTERRUPTED, YOKE_ERR_MEMORY. */
yoke_status ane_case_measure(bench *b, const ane_case *cases, size_t count, double seconds,
                             yoke_error *err);

#endif
