/* The options of a run. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "bench/bench.h"

/* What was given, which may be NULL, with the defaults filled in. */
yoke_bench_options bench_with_defaults(const yoke_bench_options *given, const yoke_host *host);

/* Errors: YOKE_ERR_USAGE. */
yoke_status bench_check_options(const yoke_bench_options *o, yoke_error *err);

/* Writes them into the record. */
yoke_status bench_record_options(const bench *b, yoke_error *err);

#endif
