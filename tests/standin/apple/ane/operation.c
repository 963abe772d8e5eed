#include "operation.h"

#include <string.h>

bool operation_result_is(variables *s, const mil_operation *operation, const tensor *out,
                         unsigned rank, const size_t *shape)
{
    return tensor_has_shape(out, rank, shape) ||
           variables_refuse(s, operation, "the result has another shape than declared");
}

static bool run_cast(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *x = variables_operand(s, operation, "x");
    const char *to = x ? variables_text(s, operation, "dtype") : "";
    mil_element element;
    if (!x || !mil_element_named(to, strlen(to), &element) || element != out->element)
        return variables_refuse(s, operation, "dtype is not that of the result");
    if (!operation_result_is(s, operation, out, x->rank, x->shape))
        return false;
    for (size_t i = 0; out->values && i < out->count; i++)
        out->values[i] = tensor_rounded(element, (double)x->values[i]);
    return true;
}

/* Both of the result's shape, or y one value. */
static bool run_elementwise(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *x = variables_operand(s, operation, "x");
    const tensor *y = x ? variables_operand(s, operation, "y") : NULL;
    if (!y || !operation_result_is(s, operation, out, x->rank, x->shape))
        return false;
    if (y->count != 1 && !tensor_has_shape(y, x->rank, x->shape))
        return variables_refuse(s, operation, "x and y differ in shape");
    for (size_t i = 0; out->values && i < out->count; i++) {
        const double a = (double)x->values[i], b = (double)y->values[y->count == 1 ? 0 : i];
        const double result = operation->kind[0] == 'a'   ? a + b
                              : operation->kind[0] == 's' ? a - b
                                                          : a * b;
        out->values[i] = tensor_rounded(out->element, result);
    }
    return true;
}

static const operation_kind kinds[] = {
    {"const", true, operation_const},
    {"constexpr_affine_dequantize", true, operation_affine},
    {"constexpr_lut_to_dense", true, operation_palette},
    {"constexpr_blockwise_shift_scale", true, operation_scaled},
    {"conv", false, operation_conv},
    {"matmul", false, operation_matmul},
    {"linear", false, operation_linear},
    {"reshape", false, operation_reshape},
    {"transpose", false, operation_transpose},
    {"slice_by_size", false, operation_slice},
    {"concat", false, operation_concat},
    {"cast", false, run_cast},
    {"add", false, run_elementwise},
    {"sub", false, run_elementwise},
    {"mul", false, run_elementwise},
};

const operation_kind *operation_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}
