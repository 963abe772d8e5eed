#include "files/coreml/product.h"

#include <string.h>

static const mil_type *entry_type(const scope_entry *entry)
{
    return &entry->operation->outputs[entry->output].type;
}

/* [n, k, 1, 1] of a convolution, [1, 1, n, k] of the others. */
void product_dimensions(const scope_entry *weight, uint64_t dimensions[2])
{
    const mil_type *type = entry_type(weight);
    unsigned first = strcmp(weight->product->kind, "conv") == 0 ? 0 : type->rank - 2;
    dimensions[0] = type->shape[first];
    dimensions[1] = type->shape[first + 1];
}

/* Of a convolution with a kernel of one element: n, k, and ones. */
static bool is_pointwise(const mil_type *type)
{
    if (type->kind != MIL_TENSOR || type->rank < 3)
        return false;
    for (unsigned i = 2; i < type->rank; i++)
        if (type->shape[i] != 1)
            return false;
    return true;
}

/* Of a matmul: a matrix, whatever ones stand before it. */
static bool is_matrix(const mil_type *type)
{
    if (type->kind != MIL_TENSOR || type->rank < 2)
        return false;
    for (unsigned i = 0; i + 2 < type->rank; i++)
        if (type->shape[i] != 1)
            return false;
    return true;
}

static void note_product(scope_entry *entry, const mil_operation *operation, bool transposed)
{
    if (entry->product)
        return;
    entry->product = operation;
    entry->transposed = transposed;
}

static scope_entry *argument_entry(const scope *definitions, const mil_operation *operation,
                                   const char *name)
{
    const char *variable = scope_variable(operation, name);
    scope_entry *entry = variable ? scope_find(definitions, variable) : NULL;
    bool stored = entry && (scope_is_constexpr(entry->operation) ||
                            strcmp(entry->operation->kind, "const") == 0);
    return stored ? entry : NULL;
}

/* y^T = w * x^T, so that a weight on the left is one as well. */
static void mark_matmul(const scope *definitions, const mil_operation *operation)
{
    scope_entry *left = argument_entry(definitions, operation, "x");
    scope_entry *right = argument_entry(definitions, operation, "y");
    if (left && !right && is_matrix(entry_type(left)))
        note_product(left, operation, scope_bool(definitions, operation, "transpose_x", false));
    if (right && !left && is_matrix(entry_type(right)))
        note_product(right, operation, !scope_bool(definitions, operation, "transpose_y", false));
}

static void mark_product(const scope *definitions, const mil_operation *operation)
{
    if (strcmp(operation->kind, "matmul") == 0) {
        mark_matmul(definitions, operation);
        return;
    }
    bool conv = strcmp(operation->kind, "conv") == 0;
    if (!conv && strcmp(operation->kind, "linear") != 0)
        return;
    scope_entry *weight = argument_entry(definitions, operation, "weight");
    if (!weight)
        return;
    if (conv ? is_pointwise(entry_type(weight)) &&
                   scope_integer(definitions, operation, "groups", 1) == 1
             : entry_type(weight)->rank == 2)
        note_product(weight, operation, false);
}

static void mark_use(const scope *definitions, const char *variable, bool compressed)
{
    scope_entry *entry = scope_find(definitions, variable);
    if (entry && compressed)
        entry->used_compressed = true;
    else if (entry)
        entry->used = true;
}

static void mark_block(const mil_block *block, const scope *definitions)
{
    for (size_t i = 0; i < block->operation_count; i++) {
        const mil_operation *operation = &block->operations[i];
        for (size_t a = 0; a < operation->argument_count; a++)
            for (size_t v = 0; v < operation->arguments[a].count; v++)
                if (operation->arguments[a].bindings[v].variable)
                    mark_use(definitions, operation->arguments[a].bindings[v].variable,
                             scope_is_constexpr(operation));
        mark_product(definitions, operation);
        for (size_t b = 0; b < operation->block_count; b++)
            mark_block(&operation->blocks[b], definitions);
    }
    for (size_t i = 0; i < block->output_count; i++)
        mark_use(definitions, block->outputs[i], false);
}

void product_mark(const mil_function *function, scope *definitions)
{
    mark_block(&function->body, definitions);
}
