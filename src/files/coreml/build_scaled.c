/* Scaled integers: constexpr_affine_dequantize and constexpr_blockwise_shift_scale. */
#include "files/coreml/build.h"

/* Scales, and offsets if any, lie on the same blocks; one alone is for all of them. */
static const dense *finish_scaled(builder *b, dense *made)
{
    made->kind = DENSE_SCALED;
    made->stored = (array){0};
    made->element = MIL_FP32;
    if (made->table->count != made->grid.count && made->table->count != 1)
        return build_fail(b, "scale", "not as many as blocks");
    if (made->shift && made->shift->count != made->grid.count && made->shift->count != 1)
        return build_fail(b, "offset", "not as many as blocks");
    return build_keep(b, made, "scale");
}

/* ios16: (quantized_data - zero_point) * scale along an axis. */
const dense *build_affine(builder *b, const mil_operation *operation)
{
    const dense *data = build_operand(b, operation, "quantized_data");
    const dense *scale = data ? build_operand(b, operation, "scale") : NULL;
    const dense *zero_point = scale ? build_operand(b, operation, "zero_point") : NULL;
    if (!zero_point)
        return NULL;
    dense made = *data;
    size_t blocks[MIL_MAX_RANK];
    for (unsigned i = 0; i < data->rank; i++)
        blocks[i] = 1;
    size_t count = scale->count > zero_point->count ? scale->count : zero_point->count;
    int64_t axis = scope_integer(b->definitions, operation, "axis", 0);
    if (axis < 0)
        axis += data->rank;
    if (count != 1 && (axis < 0 || axis >= data->rank || count != data->shape[axis]))
        return build_fail(b, "scale", "not as many as the axis is long");
    if (count != 1)
        blocks[axis] = count;
    if (!grid_make(data->rank, data->shape, blocks, &made.grid))
        return build_fail(b, "scale", "not as many as the axis is long");
    made.inner = data;
    made.table = scale;
    made.shift = zero_point;
    made.per_axis = true;
    return finish_scaled(b, &made);
}

/* ios18: (data - offset) * scale, block by block. */
const dense *build_blockwise(builder *b, const mil_operation *operation, const dense *data)
{
    const dense *scale = build_operand(b, operation, "scale");
    if (!scale)
        return NULL;
    dense made = *data;
    made.inner = data;
    made.table = scale;
    made.shift = NULL;
    made.per_axis = false;
    if (scale->rank != data->rank || !grid_make(data->rank, data->shape, scale->shape, &made.grid))
        return build_fail(b, "scale", "its blocks do not divide the data");
    if (mil_find_argument(operation, "offset") ||
        mil_find_attribute(&operation->attributes, "offset")) {
        made.shift = build_operand(b, operation, "offset");
        if (!made.shift)
            return NULL;
    }
    return finish_scaled(b, &made);
}
