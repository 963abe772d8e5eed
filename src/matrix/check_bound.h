/* How far a right product may be from the exact one.
 *
 * One element. y_n = sum_k w_nk x_k, summed in any order with K' = K + 2 roundings of relative size
 * u on the way, from elements rounded by i on their way in, is off by at most
 *
 *   R T_n,   T_n = sum_k |w_nk x_k|,   R = ((1 + u)^K' - 1) + 2 i + i^2
 *
 * (the classical bound: Higham, Accuracy and Stability, ch. 3), plus the rounding of y's own
 * format, plus what underflow takes. It holds for all data; sampled elements are held against it.
 *
 * One segment. D = sum_n r_n e_n, with random signs r_n that the engine cannot know, and e_n the
 * errors of its elements, whatever they are. Hoeffding: P(|D| > c E) <= 2 exp(-c^2 / 2), where
 * E^2 = sum_n e_n^2; the errors need not be independent. c = 7 leaves 5e-11. For E there is at hand
 *
 *   V^2 = sum_n V_n^2 = sum_n sum_k w_nk^2 x_k^2 = sum_k q_k x_k^2,   and T_n <= sqrt(K) V_n:
 *
 *   (1)   E <= R sqrt(K) V         always;
 *   (2)   E <= (K' u + 2 i) V      where roundings are as good as random, for then e_n is about
 *                                  u sqrt(K) T_n / sqrt(3), even if all terms have one sign.
 *
 * (2) is sqrt(K) sharper and finds single wrong elements. It fails where roundings agree, as in
 * long sums of equal terms. They agree either in most outputs, then in the sampled ones as well: E
 * is taken as no less than SAMPLE_FACTOR times the largest e_n / V_n seen there; or in few outputs,
 * whose weights repeat themselves, and then x does too, or the terms would differ. So (1) is taken
 * where x has few values, and where fewer than SAMPLES_ENOUGH outputs were sampled. To E comes the
 * rounding of y's format, at most u_y |y_n| an element, and outside the probability the double
 * arithmetic of the check itself.
 *
 * Rows combined with random signs t_i of their own. D = sum_i t_i d_i, where d_i = sum_n r_n e_in
 * is the error of row i's segment. Hoeffding again, over t: |D| <= c (sum_i d_i^2)^(1/2), and |d_i|
 * <= 8 E_i fails with 3e-14 a row: |D| <= 8 c E, E over all i and n. */
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

/* Sums over the elements and terms of one segment, in one row or several combined. */
typedef struct bound_segment {
    double rows;
    double outputs;
    double energy;   /* V^2 */
    double w_energy; /* sum w^2 */
    double x_sums;   /* sum over the rows of (sum |x|)^2 */
    double y_energy; /* sum y^2 */
} bound_segment;

bound bound_make(const yoke_error_model *model, yoke_format y, size_t k);

/* The largest error of one element before and after y's rounding. */
double bound_computed(const bound *b, const bound_sums *sums);
double bound_element(const bound *b, const bound_sums *sums);

/* e_n / V_n beyond what y's rounding and underflow explain. */
double bound_observed(const bound *b, const bound_sums *sums, double error);

/* What is known of how roundings go in the product at hand. */
typedef struct bound_evidence {
    double observed;        /* the largest bound_observed of the sampled elements */
    size_t sampled_outputs; /* among how many outputs */
    bool few_values;        /* x repeats itself */
} bound_evidence;

/* The largest |D| of a segment. */
double bound_projection(const bound *b, const bound_segment *segment,
                        const bound_evidence *evidence);

#endif
