/* A weight's rows in two planes, for kernels that read values and scales apart: each row padded
 * with zeros to whole 32s. */
#ifndef ENGINES_PLANES_H
#define ENGINES_PLANES_H

#include "yoke/matrix.h"

#define PLANES_PAD ((size_t)32)

/* Bytes of 32 elements in each plane; scale_bytes 0: there is none. */
typedef struct planes {
    size_t value_bytes, scale_bytes;
} planes;

/* f32, f16, bf16, q8_0 and q4_0; false for any other format. */
bool planes_of(yoke_format format, planes *out);

/* Packs rows [begin, begin + count) of w into a plane whose rows take row_bytes. */
void planes_pack_values(const yoke_matrix *w, size_t begin, size_t count, size_t row_bytes,
                        char *to);
void planes_pack_scales(const yoke_matrix *w, size_t begin, size_t count, size_t row_bytes,
                        char *to);

#endif
