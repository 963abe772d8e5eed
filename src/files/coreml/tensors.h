/* The tensors of a bundle.
 *
 * Every const that is stored in a weight file, and every result of a constexpr operation, is a
 * tensor of the file, in the order of the program and under its name in it (FUNCTION/NAME when an
 * earlier function has that name). What only goes into constexpr operations (indices, palettes,
 * scales, masks) is part of the tensor that they make, and is not listed. A const that is written
 * in the program is listed when it is the weight of a product.
 *
 * The weight of a linear, a matmul or a convolution with a kernel of one element has the shape
 * [outputs, inputs], whatever the operation wants; all others have the shape that they are stored
 * in. Palettes, and integers with a scale for whole rows, are in yoke's formats for them
 * (native.h); other compressed weights are copies that the file owns, f16 where that loses nothing
 * and else f32, and so are weights that are stored inputs by outputs. A head that was cut into
 * parts is a copy of the stored bytes, one behind the other. */
#ifndef FILES_COREML_TENSORS_H
#define FILES_COREML_TENSORS_H

#include "files/coreml/bundle.h"
#include "files/coreml/scope.h"

/* Adds the tensors of a function, whose entries are marked.
 * Errors: those of decompress and file_add_tensor. */
yoke_status tensors_add(yoke_file *file, const bundle *from, const mil_function *function,
                        const scope *definitions, yoke_error *err);

/* The heads of a function: products over one input, whose outputs are joined by a concat or are
 * outputs of the function, one behind the other. Each is one more tensor. */
yoke_status heads_add(yoke_file *file, const bundle *from, const mil_function *function,
                      const scope *definitions, yoke_error *err);

#endif
