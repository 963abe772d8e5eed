/* Random matrices of any format that a weight may have. */
#ifndef CONFORMANCE_RANDOM_H
#define CONFORMANCE_RANDOM_H

#include "yoke/matrix.h"

/* As yoke_matrix_fill_random, and q4_k and q6_k too. */
void random_fill(yoke_matrix *matrix, uint64_t seed);

#endif
