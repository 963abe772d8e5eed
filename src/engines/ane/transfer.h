/* Between matrices in memory and surfaces: x is turned, so that its rows lie along the last axis,
 * and rounded to f16; results come back as sums of f32. */
#ifndef ANE_TRANSFER_H
#define ANE_TRANSFER_H

#include "engines/ane/attributes.h"
#include "yoke/matrix.h"

/* What a row of x needs to be computed in f16. */
typedef struct ane_row {
    float scale; /* a power of two: x times it is what the device gets */
    bool nan;    /* the row holds NaN, and so does its result: the device makes infinity of it */
    float sum;   /* of its elements */
} ane_row;

/* Chooses the scales of `count` rows of x from `begin` on, so that elements are well within the
 * range of f16 and no sum reaches 2^15. largest_sum: the largest sum of a row of w's magnitudes; 0:
 * no row is scaled. Errors: YOKE_ERR_UNSUPPORTED: x holds infinity. */
yoke_status ane_transfer_rows(const yoke_matrix *x, size_t begin, size_t count, double largest_sum,
                              ane_row *rows, yoke_error *err);

/* Columns [k_begin, k_begin + k_count) of those rows to the channels from 0 on. */
void ane_transfer_x(const yoke_matrix *x, size_t begin, size_t count, size_t k_begin,
                    size_t k_count, const ane_row *rows, const ane_tensor *tensor, void *surface);

/* Where results lie: outputs along the channels and rows along the last axis, or (w from a surface)
 * the other way round. */
typedef struct ane_results {
    const void *surface;
    const ane_tensor *tensor;
    bool rows_are_channels;
    size_t first, columns, rows; /* which outputs, how many rows */
} ane_results;

/* Sets, or adds to, sums[row * stride + column]. */
void ane_transfer_sums(const ane_results *from, bool add, float *sums, size_t stride);

/* What results owe to their outputs: y = factor * sum + offset * (the row's sum of x). */
typedef struct ane_affine {
    float factor, offset;
} ane_affine;

/* Undoes the rows' scales, and applies the outputs' (or NULL: 1 and 0). */
void ane_transfer_finish(float *sums, size_t stride, const ane_row *rows, size_t count,
                         const ane_affine *outputs, size_t columns);

#endif
