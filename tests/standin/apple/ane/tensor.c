#include "tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"

bool tensor_make(const mil_type *type, bool with_values, tensor *out)
{
    *out = (tensor){.element = type->element, .rank = type->rank, .count = 1};
    if (type->kind != MIL_TENSOR || type->rank > TENSOR_MAX_RANK)
        return false;
    for (unsigned d = 0; d < type->rank; d++) {
        if (type->shape[d] == 0 || type->shape[d] > (1u << 30) / out->count)
            return false;
        out->shape[d] = type->shape[d];
        out->count *= out->shape[d];
    }
    if (with_values)
        out->values = calloc(out->count, sizeof *out->values);
    return !with_values || out->values;
}

bool tensor_has_shape(const tensor *t, unsigned rank, const size_t *shape)
{
    return t->rank == rank && memcmp(t->shape, shape, rank * sizeof *shape) == 0;
}

void tensor_strides(const tensor *t, size_t strides[TENSOR_MAX_RANK])
{
    size_t stride = 1;
    for (unsigned d = t->rank; d-- > 0; stride *= t->shape[d])
        strides[d] = stride;
}

float tensor_rounded(mil_element element, double value)
{
    const mil_element_info *info = mil_element_get(element);
    if (element == MIL_FP16)
        return f16_to_f32(f16_from_f32((float)value));
    if (info->element_class == MIL_CLASS_SIGNED || info->element_class == MIL_CLASS_UNSIGNED) {
        const bool is_signed = info->element_class == MIL_CLASS_SIGNED;
        const double steps = ldexp(1, (int)info->bits - is_signed);
        return (float)fmin(fmax(nearbyint(value), is_signed ? -steps : 0), steps - 1);
    }
    return (float)value;
}
