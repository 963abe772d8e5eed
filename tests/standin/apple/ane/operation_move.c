/* Operations that move elements and compute nothing. */
#include <string.h>

#include "operation.h"

bool operation_reshape(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *x = variables_operand(s, operation, "x");
    const tensor *shape = x ? variables_operand(s, operation, "shape") : NULL;
    if (!shape)
        return false;
    bool fits = shape->count == out->rank && shape->values;
    for (unsigned d = 0; fits && d < out->rank; d++)
        fits = shape->values[d] == (float)out->shape[d] || shape->values[d] == -1;
    if (!fits || x->count != out->count)
        return variables_refuse(s, operation, "the result has another shape than declared");
    if (out->values)
        memcpy(out->values, x->values, x->count * sizeof *x->values);
    return true;
}

/* Copies to each element of out that of `from` at offset + the sum of index[d] * strides[d]. */
static void gather(tensor *out, const float *from, size_t offset, const size_t *strides)
{
    size_t index[TENSOR_MAX_RANK] = {0};
    for (size_t i = 0; i < out->count; i++) {
        out->values[i] = from[offset];
        for (unsigned d = out->rank; d-- > 0;) {
            offset += strides[d];
            if (++index[d] < out->shape[d])
                break;
            offset -= out->shape[d] * strides[d];
            index[d] = 0;
        }
    }
}

bool operation_transpose(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *perm = variables_operand(s, operation, "perm");
    const tensor *x = perm ? variables_operand(s, operation, "x") : NULL;
    if (!x)
        return false;
    size_t shape[TENSOR_MAX_RANK], strides[TENSOR_MAX_RANK], moved[TENSOR_MAX_RANK];
    tensor_strides(x, strides);
    unsigned seen = 0;
    for (unsigned d = 0; d < x->rank && perm->count == x->rank && perm->values; d++) {
        const unsigned from = (unsigned)perm->values[d];
        if (from >= x->rank)
            break;
        seen |= 1u << from;
        shape[d] = x->shape[from];
        moved[d] = strides[from];
    }
    if (seen != (1u << x->rank) - 1)
        return variables_refuse(s, operation, "perm is no order of the dimensions");
    if (!operation_result_is(s, operation, out, x->rank, shape))
        return false;
    if (out->values)
        gather(out, x->values, 0, moved);
    return true;
}

bool operation_slice(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *begin = variables_operand(s, operation, "begin");
    const tensor *size = begin ? variables_operand(s, operation, "size") : NULL;
    const tensor *x = size ? variables_operand(s, operation, "x") : NULL;
    if (!x)
        return false;
    if (begin->count != x->rank || size->count != x->rank || !begin->values || !size->values)
        return variables_refuse(s, operation, "begin and size are not of x's rank");
    size_t shape[TENSOR_MAX_RANK], strides[TENSOR_MAX_RANK], offset = 0;
    tensor_strides(x, strides);
    for (unsigned d = 0; d < x->rank; d++) {
        const size_t first = (size_t)begin->values[d];
        shape[d] = size->values[d] < 0 ? x->shape[d] - first : (size_t)size->values[d];
        if (first + shape[d] > x->shape[d])
            return variables_refuse(s, operation, "the slice is not within x");
        offset += first * strides[d];
    }
    if (!operation_result_is(s, operation, out, x->rank, shape))
        return false;
    if (out->values)
        gather(out, x->values, offset, strides);
    return true;
}

bool operation_concat(variables *s, const mil_operation *operation, tensor *out)
{
    const mil_argument *values = mil_find_argument(operation, "values");
    const long axis = variables_integer(s, operation, "axis", -100);
    if (!values || !variables_integers_are(s, operation, "interleave", 1, 0) || axis == -100)
        return false;
    const size_t along = (size_t)(axis < 0 ? axis + (long)out->rank : axis);
    if (along >= out->rank || along == 1)
        return variables_refuse(s, operation, "does not compile along axis %ld", axis);
    size_t inner = 1, done = 0;
    for (size_t d = along + 1; d < out->rank; d++)
        inner *= out->shape[d];
    const size_t whole = inner * out->shape[along];
    for (size_t i = 0; i < values->count; i++) {
        const tensor *x = variables_tuple_operand(s, operation, "values", i);
        size_t shape[TENSOR_MAX_RANK];
        memcpy(shape, out->shape, sizeof shape);
        shape[along] = x ? x->shape[along] : 0;
        if (!x || !tensor_has_shape(x, out->rank, shape) || done + shape[along] * inner > whole)
            return variables_refuse(s, operation, "the values do not fit the result");
        const size_t part = shape[along] * inner;
        for (size_t b = 0; out->values && b < out->count / whole; b++)
            memcpy(out->values + b * whole + done, x->values + b * part, part * sizeof(float));
        done += part;
    }
    return done == whole || variables_refuse(s, operation, "the values do not fill the result");
}
