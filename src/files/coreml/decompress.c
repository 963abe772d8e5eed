#include "files/coreml/decompress.h"

#include <string.h>

#include "files/coreml/build.h"

static const char COMPUTED[] = "some of it is computed, not stored";

static const dense *build_operation(builder *b, const mil_operation *operation)
{
    const dense *inner;
    if (strcmp(operation->kind, "constexpr_affine_dequantize") == 0)
        return build_affine(b, operation);
    if (strcmp(operation->kind, "constexpr_lut_to_dense") == 0) {
        if (build_has_shape(operation))
            return build_palette_of_bytes(b, operation);
        inner = build_operand(b, operation, "indices");
        return inner ? build_palette(b, operation, inner) : NULL;
    }
    if (strcmp(operation->kind, "constexpr_blockwise_shift_scale") == 0) {
        inner = build_operand(b, operation, "data");
        return inner ? build_blockwise(b, operation, inner) : NULL;
    }
    if (strcmp(operation->kind, "constexpr_sparse_to_dense") == 0) {
        if (build_has_shape(operation))
            return build_sparse_of_bytes(b, operation);
        return build_sparse_to_dense(b, operation);
    }
    /* fp16 as fp32: the same values. */
    if (strcmp(operation->kind, "constexpr_cast") == 0)
        return build_operand(b, operation, "source_val");
    return build_not_decoded(b, "yoke does not decode what this operation compresses");
}

static const dense *build_new(builder *b, const scope_entry *entry, const char *name)
{
    const mil_operation *operation = entry->operation;
    if (b->depth == BUILD_MAX_CHAIN)
        return build_fail(b, name, BUILD_TOO_LONG);
    if (scope_is_constexpr(operation))
        return build_operation(b, operation);
    const mil_value *value = strcmp(operation->kind, "const") == 0
                                 ? scope_value(b->definitions, operation, "val")
                                 : NULL;
    return value ? build_plain(b, value, name) : build_not_decoded(b, COMPUTED);
}

/* What an entry stands for; built when it is first asked for, so that a tensor that many share
 * costs no more than its text. */
static const dense *build_entry(builder *b, scope_entry *entry, const char *name)
{
    stored_tensor *known = entry->stored;
    if (!known) {
        builder inner = *b;
        known = arena_take(&b->file->arena, sizeof *known);
        if (!known)
            return build_no_memory(b);
        *known = (stored_tensor){0};
        inner.operation = entry->operation;
        inner.out = known;
        inner.depth++;
        known->values = build_new(&inner, entry, name);
        b->status = inner.status;
        entry->stored = known;
    }
    if (known->reason)
        b->out->reason = known->reason;
    build_note_place(b, known->part, known->offset, known->bytes);
    return known->values;
}

const dense *build_operand(builder *b, const mil_operation *operation, const char *name)
{
    if (b->status != YOKE_OK || b->out->reason)
        return NULL;
    const char *variable = scope_variable(operation, name);
    scope_entry *entry = variable ? scope_find(b->definitions, variable) : NULL;
    if (variable)
        return entry ? build_entry(b, entry, name) : build_not_decoded(b, COMPUTED);
    const mil_value *value = scope_value(b->definitions, operation, name);
    return value ? build_plain(b, value, name) : build_fail(b, name, "missing");
}

/* The type that the operation gives its result, as far as the shape goes. */
static bool has_shape_of(const dense *values, const mil_type *type)
{
    if (type->kind != MIL_TENSOR || type->rank != values->rank)
        return false;
    for (unsigned i = 0; i < type->rank; i++)
        if (type->shape[i] != values->shape[i])
            return false;
    return true;
}

yoke_status decompress(yoke_file *file, const bundle *from, const scope *definitions,
                       scope_entry *entry, stored_tensor *out, yoke_error *err)
{
    *out = (stored_tensor){0};
    builder b = {.file = file,
                 .from = from,
                 .definitions = definitions,
                 .operation = entry->operation,
                 .out = out,
                 .err = err};
    out->values = build_entry(&b, entry, "val");
    const mil_variable *result = &entry->operation->outputs[entry->output];
    if (out->values && !has_shape_of(out->values, &result->type))
        out->values = build_fail(&b, result->name, "its value is not of its shape");
    return b.status;
}
