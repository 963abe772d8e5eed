/* How a weight is kept in a program: exactly as it is stored. Integers with a scale stay integers,
 * times a power of two; what is left of scale and zero goes to the results:
 *
 *     y = factor * (x * program's values) + offset * (sum of x)
 *
 *     f16         const
 *     int8        constexpr_affine_dequantize of the stored integers, (q - zero) * 2^-8
 *     lutN        constexpr_lut_to_dense of the stored indices and palettes
 *     int4        the same, its palette being (q - zero) * 2^-4
 *     the others  f16, where it holds every value exactly (or round=1 is given)
 *
 * Every such value is one of f16, so that a compiler that refuses int8 or palettes can be given
 * f16. */
#ifndef ANE_ENCODING_H
#define ANE_ENCODING_H

#include "engines/ane/options.h"

typedef enum ane_kind { ANE_F16, ANE_INT8, ANE_LUT } ane_kind;

typedef struct ane_encoding {
    const yoke_matrix *w; /* only while it is encoded */
    ane_kind kind;
    unsigned bits;       /* of a stored element or index */
    bool scaled;         /* rows of the result have factors: int8, int4 */
    size_t palette_rows; /* rows that share a palette, a divisor of 64; 0: all */
    bool zero_shared;    /* int8: the zero is the same for all rows */
    bool round;
} ane_encoding;

/* Errors: YOKE_ERR_UNSUPPORTED (a format that cannot be read, a scale that is not finite). */
yoke_status ane_encoding_choose(const ane_options *options, const yoke_matrix *w, ane_encoding *out,
                                yoke_error *err);

/* The same values as f16. */
void ane_encoding_expand(ane_encoding *e);

/* One palette serves all, in the form of ios16; else there are groups, in that of ios18. */
bool ane_encoding_has_one_palette(const ane_encoding *e);

/* Bytes of k elements of a row; k is a multiple of 32. */
size_t ane_encoding_row_bytes(const ane_encoding *e, size_t k);

/* Writes columns [k_begin, k_begin + k_count) of a row, and *sum: the magnitudes of the program's
 * values together. k_begin is a multiple of 32.
 * Errors: YOKE_ERR_UNSUPPORTED: a value that f16 does not hold, infinity and NaN. */
yoke_status ane_encoding_write(const ane_encoding *e, size_t row, size_t k_begin, size_t k_count,
                               void *to, double *sum, yoke_error *err);

/* The palette of a row: 2^bits f16 values. */
void ane_encoding_palette(const ane_encoding *e, size_t row, uint16_t *to);

/* int8: a row's zero in the program. */
int8_t ane_encoding_zero(const ane_encoding *e, size_t row);

/* What is left for the results of a row: 1 and 0 when not scaled. */
float ane_encoding_factor(const ane_encoding *e, size_t row);
float ane_encoding_offset(const ane_encoding *e, size_t row);

#endif
