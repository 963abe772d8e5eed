/* A small weight of a suite's own, prepared and checked: for cases the artefact does not offer. */
#ifndef BENCH_SMALL_H
#define BENCH_SMALL_H

#include "bench/product.h"

typedef struct bench_small {
    bench_engine engine; /* as the caller's, with this weight */
    yoke_matrix x, y;
    yoke_check *check;
} bench_small;

/* Makes a random n by k weight in `format`, and x and y for up to m rows. Free it also on an error.
 */
yoke_status bench_small_create(const bench *b, const bench_engine *e, yoke_format format, size_t m,
                               size_t n, size_t k, bench_small *small, yoke_error *err);
void bench_small_free(bench_small *small);

/* The product of the first m rows of x. */
bench_product bench_small_product(const bench *b, const bench_small *small, size_t m);

/* The artefact's format where random values of it need no table and rows of k hold whole blocks,
 * else f16. */
yoke_format bench_small_format(const bench *b, size_t k);

#endif
