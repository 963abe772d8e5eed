/* The operations of MIL that this engine computes. */
#ifndef STANDIN_ANE_OPERATION_H
#define STANDIN_ANE_OPERATION_H

#include "variables.h"

/* Checks the operation against what it sees and against its declared result; fills out->values,
 * where there are any. False when it is refused, which the variables say. */
typedef bool operation_run(variables *s, const mil_operation *operation, tensor *out);

typedef struct operation_kind {
    const char *name;
    bool constant; /* computed once, when the program is loaded */
    operation_run *run;
} operation_kind;

/* NULL when there is none of that name. */
const operation_kind *operation_find(const char *name);

/* Says so when the declared result has another shape. */
bool operation_result_is(variables *s, const mil_operation *operation, const tensor *out,
                         unsigned rank, const size_t *shape);

/* Products (operation_product.c), movements (operation_move.c), constants (operation_constant.c)
 * and the rest (operation.c). */
operation_run operation_conv, operation_matmul, operation_linear;
operation_run operation_reshape, operation_transpose, operation_slice, operation_concat;
operation_run operation_const, operation_affine, operation_palette, operation_scaled;

#endif
