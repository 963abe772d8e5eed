/* A product as something to time, with its answer checked. */
#ifndef BENCH_PRODUCT_H
#define BENCH_PRODUCT_H

#include "bench/bench.h"

typedef struct bench_product {
    const yoke_weight *weight;
    const yoke_check *check; /* of the weight, or of its first outputs */
    yoke_matrix x;           /* m by k */
    yoke_matrix y;           /* m by the window's outputs; fewer than the weight's: they wander */
    yoke_multiply_options options;
    const yoke_engine_facts *facts;
    size_t runs;
    yoke_timing timing; /* of the last run */
    yoke_series device; /* device times of the runs, where known */
    yoke_error failure; /* of the run that failed; status YOKE_OK when none did */
} bench_product;

/* For yoke_sample; the time is the wall time of the call. arg is a bench_product. */
yoke_status bench_product_run(void *arg, double *elapsed_ns, yoke_error *err);

/* Runs the product once into a poisoned y, at n_begin, and holds the answer against the check. The
 * row gets the verdict, and fails when it is not "right" or the engine fails. */
void bench_product_check(bench_product *p, size_t n_begin, yoke_record_row *row);

/* Fills the row's shape, bytes, path and placement, and its figures from row->samples. A failed row
 * stays failed. */
void bench_product_report(const bench_engine *e, const bench_product *p, yoke_record_row *row);

/* Runs the product for a moment more, where the machine counts anything for that engine, and fills
 * what it counted. The product's own errors fail the row. Errors: YOKE_ERR_INTERRUPTED,
 * YOKE_ERR_MEMORY. */
yoke_status bench_count(const bench *b, bench_product *p, yoke_record_row *row, yoke_error *err);

void bench_product_free(bench_product *p);

#endif
