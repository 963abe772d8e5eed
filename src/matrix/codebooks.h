/* The elements that an index of ggml's iq1, iq2 and iq3 formats stands for, the first in the lowest
 * bits: eight steps of two bits, in iq3 four of three bits. They are part of the formats; read from
 * ggml's decoder (https://github.com/ggml-org/ggml), MIT, Copyright (c) 2023-2026 The ggml authors.
 */
#ifndef MATRIX_CODEBOOKS_H
#define MATRIX_CODEBOOKS_H

#include <stdint.h>

extern const uint16_t CODEBOOK_IQ1[2048];
extern const uint16_t CODEBOOK_IQ2_XXS[256], CODEBOOK_IQ2_XS[512], CODEBOOK_IQ2_S[1024];
extern const uint16_t CODEBOOK_IQ3_XXS[256], CODEBOOK_IQ3_S[512];

#endif
