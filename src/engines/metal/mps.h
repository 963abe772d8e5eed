/* Products by Metal Performance Shaders. */
#ifndef METAL_MPS_H
#define METAL_MPS_H

#include "engines/metal/engine.h"

/* Rows in a buffer; a multiple of 16 bytes apart, as the framework likes them. */
typedef struct metal_rows {
    apple_id buffer;
    size_t offset, row_bytes;
    size_t rows, cols;
    yoke_format format; /* f32 or f16 */
} metal_rows;

#define METAL_ROW_ALIGNMENT ((size_t)16)

/* result = alpha * left * right^T, encoded into a command buffer. left and result are f32. Needs an
 * autorelease pool. Errors: YOKE_ERR_ENGINE, naming the object that could not be made. */
yoke_status metal_mps_multiply(const metal_engine *e, apple_id command_buffer, float alpha,
                               const metal_rows *left, const metal_rows *right,
                               const metal_rows *result, yoke_error *err);

/* The same for a left and a result of one row, at the begin of their buffers, and an f32 right: the
 * vector product is not known to take operands of two types. */
yoke_status metal_mps_multiply_vector(const metal_engine *e, apple_id command_buffer, float alpha,
                                      const metal_rows *left, const metal_rows *right,
                                      const metal_rows *result, yoke_error *err);

#endif
