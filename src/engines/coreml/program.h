/* The program of a product, for so many rows of x:
 *
 *     1 row     x [1, K, 1, 1]   y_0 = conv(w_0, x) [1, N0, 1, 1], y_1 = ...
 *     M rows    x [1, 1, M, K]   y_0 [1, 1, M, N0], turned to [1, K, 1, M] and back
 *
 * so that x and y lie in memory as matrices do. The convolutions have kernels of one element. */
#ifndef COREML_PROGRAM_H
#define COREML_PROGRAM_H

#include "engines/coreml/layout.h"

#define COREML_INPUT  "x"
#define COREML_OUTPUT "y_%zu" /* of part I */

/* As the model.mlmodel of a package, which the caller frees. Errors: YOKE_ERR_MEMORY. */
yoke_status coreml_program_model(const coreml_layout *l, size_t rows, uint8_t **bytes, size_t *size,
                                 yoke_error *err);

#endif
