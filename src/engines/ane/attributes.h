/* What a loaded program says of its inputs and outputs. */
#ifndef ANE_ATTRIBUTES_H
#define ANE_ATTRIBUTES_H

#include "engines/ane/framework.h"

/* An fp16 tensor [1, channels, 1, width] on a surface. */
typedef struct ane_tensor {
    size_t channels, width;
    size_t plane_bytes; /* from one channel to the next; its elements stand close together */
    size_t bytes;       /* of the whole */
    size_t index;       /* of its symbol, for a request */
} ane_tensor;

/* A function of a program, by its name; `index` is that of its procedure, for a request. */
typedef struct ane_function {
    const char *name;
    size_t index;
} ane_function;

/* Sets the index to what the model's attributes say, else to the function's position in the text.
 */
void ane_attributes_index(const ane_framework *f, apple_id model, size_t position,
                          ane_function *function);

/* Completes a tensor of that name, whose channels and width are set: by the model's attributes
 * where it has them, else as they are known to be laid out, with `position` (among the function's
 * inputs or outputs) as index. Errors: YOKE_ERR_ENGINE: the program's tensor is another. */
yoke_status ane_attributes_find(const ane_framework *f, apple_id model,
                                const ane_function *function, const char *name, bool output,
                                size_t position, ane_tensor *tensor, yoke_error *err);

#endif
