/* Constants: as they are, and decompressed. */
#include <stdlib.h>
#include <string.h>

#include "operation.h"
#include "value.h"

bool operation_const(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *val = variables_operand(s, operation, "val");
    if (!val)
        return false;
    if (val->element != out->element ||
        !operation_result_is(s, operation, out, val->rank, val->shape))
        return variables_refuse(s, operation, "val has another type than declared");
    memcpy(out->values, val->values, val->count * sizeof *val->values);
    return true;
}

/* The index along one dimension of the i-th element. */
static size_t index_along(const tensor *t, unsigned dimension, size_t i)
{
    size_t strides[TENSOR_MAX_RANK];
    tensor_strides(t, strides);
    return i / strides[dimension] % t->shape[dimension];
}

/* (q - zero point) * scale, both one value or one for each index along the axis. */
bool operation_affine(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *q = variables_operand(s, operation, "quantized_data");
    const tensor *zero = q ? variables_operand(s, operation, "zero_point") : NULL;
    const tensor *scale = zero ? variables_operand(s, operation, "scale") : NULL;
    const long axis = variables_integer(s, operation, "axis", -1);
    if (!scale || axis < 0 || !operation_result_is(s, operation, out, q->rank, q->shape))
        return false;
    if (axis >= (long)q->rank || (scale->count != 1 && scale->count != q->shape[axis]) ||
        (zero->count != 1 && zero->count != q->shape[axis]) || zero->element != q->element ||
        (q->element != MIL_INT8 && q->element != MIL_UINT8) || scale->element != out->element)
        return variables_refuse(s, operation, "axis, scale and zero_point do not fit the data");
    for (size_t i = 0; i < out->count; i++) {
        const size_t along = index_along(q, (unsigned)axis, i);
        const double from = (double)zero->values[zero->count == 1 ? 0 : along];
        const double step = (double)scale->values[scale->count == 1 ? 0 : along];
        out->values[i] = tensor_rounded(out->element, ((double)q->values[i] - from) * step);
    }
    return true;
}

static unsigned palette_bits(size_t entries)
{
    for (unsigned bits = 1; bits <= 8; bits++)
        if (entries == (size_t)1 << bits)
            return bits == 5 || bits == 7 ? 0 : bits;
    return 0;
}

/* The form of ios16: packed indices of one palette, the shape aside. */
static bool packed_palette(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *indices = variables_operand(s, operation, "indices");
    const tensor *lut = indices ? variables_operand(s, operation, "lut") : NULL;
    const tensor *shape = lut ? variables_operand(s, operation, "shape") : NULL;
    if (!shape)
        return false;
    const unsigned bits = palette_bits(lut->count);
    bool fits = bits && indices->element == MIL_UINT8 && shape->element == MIL_UINT32 &&
                indices->count == (out->count * bits + 7) / 8 && shape->count == out->rank;
    for (unsigned d = 0; fits && d < out->rank; d++)
        fits = shape->values[d] == (float)out->shape[d];
    if (!fits || lut->element != out->element)
        return variables_refuse(s, operation, "indices, lut and shape do not fit the result");
    for (size_t i = 0; i < out->count; i++) {
        unsigned index = 0;
        for (unsigned b = 0; b < bits; b++) {
            const size_t bit = i * bits + b;
            index |= ((unsigned)indices->values[bit / 8] >> bit % 8 & 1) << b;
        }
        out->values[i] = lut->values[index];
    }
    return true;
}

/* The form of ios18: indices of the result's shape; lut of groups, then entries, then 1. */
static bool grouped_palette(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *indices = variables_operand(s, operation, "indices");
    const mil_argument *argument = mil_find_argument(operation, "lut");
    const named_tensor *named = argument && argument->count == 1 && argument->bindings[0].variable
                                    ? variables_find(s, argument->bindings[0].variable)
                                    : NULL;
    const tensor *lut = named ? &named->value : NULL;
    if (!indices || !lut)
        return variables_refuse(s, operation, "no indices or no lut");
    if (!operation_result_is(s, operation, out, indices->rank, indices->shape))
        return false;
    const unsigned rank = out->rank;
    const unsigned bits = mil_element_get(indices->element)->bits;
    size_t groups = 1;
    for (unsigned d = 0; d < rank && lut->rank > d; d++)
        groups *= lut->shape[d];
    if (lut->element != out->element || lut->count != groups << bits ||
        mil_element_get(indices->element)->element_class != MIL_CLASS_UNSIGNED)
        return variables_refuse(s, operation, "indices and lut do not fit each other");
    for (size_t i = 0; i < out->count; i++) {
        size_t group = 0;
        for (unsigned d = 0; d < rank; d++)
            group =
                group * lut->shape[d] + index_along(out, d, i) / (out->shape[d] / lut->shape[d]);
        out->values[i] = lut->values[(group << bits) + (size_t)indices->values[i]];
    }
    return true;
}

bool operation_palette(variables *s, const mil_operation *operation, tensor *out)
{
    return variables_has(operation, "shape") ? packed_palette(s, operation, out)
                                             : grouped_palette(s, operation, out);
}

/* (data - offset) * scale; a scale has one value for all or each of a dimension: blocks between
 * the two do not compile for this engine. */
bool operation_scaled(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *data = variables_operand(s, operation, "data");
    const tensor *scale = data ? variables_operand(s, operation, "scale") : NULL;
    const tensor *from =
        variables_has(operation, "offset") ? variables_operand(s, operation, "offset") : NULL;
    if (!scale || !operation_result_is(s, operation, out, data->rank, data->shape))
        return false;
    bool fits = scale->rank == data->rank && scale->element == out->element &&
                (!from || tensor_has_shape(from, scale->rank, scale->shape));
    for (unsigned d = 0; fits && d < data->rank; d++)
        fits = scale->shape[d] == 1 || scale->shape[d] == data->shape[d];
    if (!fits)
        return variables_refuse(s, operation, "scales by block do not compile");
    for (size_t i = 0; i < out->count; i++) {
        size_t at = 0;
        for (unsigned d = 0; d < data->rank; d++)
            at = at * scale->shape[d] + (scale->shape[d] == 1 ? 0 : index_along(data, d, i));
        const double zero = from ? (double)from->values[at] : 0;
        out->values[i] = tensor_rounded(out->element, ((double)data->values[i] - zero) *
                                                          (double)scale->values[at]);
    }
    return true;
}
