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

/* The random sign of an output. */
static inline double check_sign(const yoke_check *check, size_t output)
{
    uint64_t bits = mix(check->seed + (uint64_t)(output / 64) * MIX_STEP);
    return bits >> (output % 64) & 1 ? 1.0 : -1.0;
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
