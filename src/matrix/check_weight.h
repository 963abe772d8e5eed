/* What is kept of a weight to check products with it. */
#ifndef MATRIX_CHECK_WEIGHT_H
#define MATRIX_CHECK_WEIGHT_H

#include "matrix/mix.h"
#include "yoke/matrix.h"

struct yoke_check {
    size_t n, k;
    uint64_t seed;

    /* Outputs kept whole, ascending: the first, the last, and one at random in each stretch. */
    size_t samples;
    size_t *sample_output;
    float *sample_row; /* samples by k */

    /* Stretches of outputs, projected; none when all outputs are sampled or memory forbids. */
    size_t segments;
    size_t segment_outputs; /* of each but perhaps the last */
    double *projection;     /* segments by k: sum_n r_n w_nk */
    double *energy;         /* segments by k: sum_n w_nk^2 */
    double largest_energy;  /* largest sum over a segment of w^2; infinite when unknown */

    uint64_t *not_finite; /* one bit an output: NaN or infinity in its row */
};

/* The i-th random sign of a seed. */
static inline double check_random_sign(uint64_t seed, size_t i)
{
    uint64_t bits = mix(seed + (uint64_t)(i / 64) * MIX_STEP);
    return bits >> (i % 64) & 1 ? 1.0 : -1.0;
}

/* The random signs of an output, and of a row of x where rows are combined. */
static inline double check_sign(const yoke_check *check, size_t output)
{
    return check_random_sign(check->seed, output);
}

static inline double check_row_sign(const yoke_check *check, size_t row)
{
    return check_random_sign(mix(~check->seed), row);
}

static inline bool check_output_is_finite(const yoke_check *check, size_t output)
{
    return !(check->not_finite[output / 64] >> (output % 64) & 1);
}

/* i / parts of n, without overflow for small parts. */
static inline size_t check_fraction(size_t n, size_t i, size_t parts)
{
    return n / parts * i + n % parts * i / parts;
}

#endif
