/* The suites over fake engines, on one small weight. */
#ifndef UNIT_MEASURE_BENCH_H
#define UNIT_MEASURE_BENCH_H

#include "yoke/bench.h"

enum { N = 256, K = 64 };

static yoke_context *context;
static yoke_artefact *artefact; /* N by K, f16 */

static inline int set_up(void **state)
{
    (void)state;
    return yoke_context_create(NULL, &context, NULL) == YOKE_OK &&
                   yoke_artefact_random(N, K, 1, NULL, &artefact, NULL) == YOKE_OK
               ? 0
               : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    yoke_artefact_free(artefact);
    yoke_context_free(context);
    return 0;
}

static inline yoke_record *run_engines(const char *const *engines, size_t count,
                                       const yoke_bench_options *options)
{
    yoke_record *record;
    yoke_error err = {0};
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    if (yoke_bench_run(context, engines, count, artefact, options, record, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return record;
}

#endif
