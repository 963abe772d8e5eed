/* How far a right product may be from the exact one.
 *
 * One element. y_n = sum_k w_nk x_k, summed in any order with K' = K + 2 roundings of relative size
 * u on the way, from elements rounded by i on their way in, is off by at most
 *
 *   R * T_n,   T_n = sum_k |w_nk x_k|,   R = ((1 + u)^K' - 1) + 2 i + i^2
 *
 * (the classical bound, Higham, Accuracy and Stability, ch. 3), plus the rounding of y's own
 * format, plus what underflow takes. It holds for all data: this is what a sampled element is held
 * against.
 *
 * One segment. With random signs r_n that the engine cannot know, D = sum_n r_n e_n, e_n the errors
 * of its elements, whatever they are. Hoeffding: P(|D| > c E) <= 2 exp(-c^2 / 2), E^2 = sum_n
 * e_n^2; the errors need not be independent of each other. c = 7 makes that under 5e-11. For E:
 *
 *   V^2 = sum_n sum_k w_nk^2 x_k^2 = sum_k q_k x_k^2        is at hand, and T_n <= sqrt(K) V_n, so
 *   E <= R sqrt(K) V                                          always;
 *   E <= (K' u + 2 i) V                                       nearly always: if roundings are as
 * good as random, e_n is about u sqrt(K) T_n / sqrt(3) <= u K V_n / sqrt(3), all of one sign or
 * not.
 *
 * The second is sqrt(K) sharper and finds single wrong elements; it fails where roundings agree, as
 * in long sums of equal terms. Then they agree in the sampled elements as well, so E is taken as
 * the larger of it and SAMPLE_FACTOR times the largest e_n / V_n seen there, and the first bound
 * where fewer than SAMPLES_ENOUGH outputs were sampled. To E comes the rounding of y's format, at
 * most u_y |y_n| an element, and outside the probability the double arithmetic of the check itself.
 */
#ifndef MATRIX_CHECK_BOUND_H
#define MATRIX_CHECK_BOUND_H

#include "yoke/matrix.h"

typedef struct bound {
    double k;          /* terms of a sum */
    double rigorous;   /* R */
    double typical;    /* K' u + 2 i */
    double zeroed;     /* elements below this may be taken as zero */
    double underflow;  /* what vanishing products and results add to one element */
    double y_unit;     /* relative rounding of y's format, */
    double y_tiny;     /* its absolute rounding among subnormals, */
    double y_max;      /* and what rounds to infinity in it */
    double saturation; /* infinity when the engine has none */
} bound;

/* Sums over the terms of one dot product. */
typedef struct bound_sums {
    double exact;     /* sum w x */
    double magnitude; /* T: sum |w x| */
    double energy;    /* V^2: sum (w x)^2 */
    double w, x;      /* sum |w|, sum |x| */
} bound_sums;

/* Sums over the elements and terms of one segment. */
typedef struct bound_segment {
    double outputs;  /* elements */
    double energy;   /* V^2 */
    double w_energy; /* sum w^2 */
    double x;        /* sum |x| */
    double y_energy; /* sum y^2 */
} bound_segment;

bound bound_make(const yoke_error_model *model, yoke_format y, size_t k);

/* The largest error of one element before and after y's rounding. */
double bound_computed(const bound *b, const bound_sums *sums);
double bound_element(const bound *b, const bound_sums *sums);

/* e_n / V_n beyond what y's rounding and underflow explain. */
double bound_observed(const bound *b, const bound_sums *sums, double error);

/* E / V for segments, from the worst of the sampled elements. */
double bound_segment_rate(const bound *b, double observed, size_t sampled_outputs);

/* The largest |D| of a segment. */
double bound_projection(const bound *b, const bound_segment *segment, double rate);

#endif
