/* Products of the suite of the Neural Engine: each with a small weight of its own. */
#ifndef BENCH_ANE_CASE_H
#define BENCH_ANE_CASE_H

#include "bench/product.h"

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

/* What is sampled, for cases with more than one weight: a subject, whose product it is. */
typedef struct ane_sampled {
    yoke_subject subject;
    bench_product *product;
    yoke_record_row *row;
    bool left_out; /* the time does not allow it */
} ane_sampled;

/* The first product, checked, which says how long the case would take. Errors: as above. */
yoke_status ane_case_check(bench *b, const ane_case *c, double seconds, ane_sampled *s,
                           yoke_error *err);

/* Samples up to four in turns, those that failed or were left out excepted. Errors: as above. */
yoke_status ane_case_sample(const bench *b, ane_sampled *const *all, size_t count, double seconds,
                            yoke_error *err);

#endif
