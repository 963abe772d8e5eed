/* Rounding and quantising values into stored elements. */
#ifndef MATRIX_WRITE_H
#define MATRIX_WRITE_H

#include <stddef.h>

#include "yoke/matrix.h"

/* Stores n values at `to` (any alignment) as f64, f32, f16 or bf16, rounded once, to nearest even.
 */
void write_from_f32(yoke_format format, void *to, const float *values, size_t n);
void write_from_f64(yoke_format format, void *to, const double *values, size_t n);

/* Whether those two can store the format. */
bool write_supports(yoke_format format);

/* Quantises whole blocks of 32 values as ggml's reference does; a block with a NaN or an infinity
 * becomes all NaN. */
void write_q8_0(void *to, const float *values, size_t blocks);
void write_q4_0(void *to, const float *values, size_t blocks);

#endif
