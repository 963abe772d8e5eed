/* Sparse tensors: constexpr_sparse_to_dense, over palettes and scales too. */
#include <string.h>

#include "files/coreml/build.h"

static const dense *build_sparse_of(builder *b, const dense *mask, const dense *nonzero)
{
    dense made = *mask;
    made.kind = DENSE_SPARSE;
    made.element = build_exact_element(nonzero);
    made.inner = nonzero;
    made.table = made.shift = NULL;
    return build_keep(b, &made, "nonzero_data");
}

/* The producer of an argument, when it is an operation of that kind. */
static const mil_operation *producer(const builder *b, const mil_operation *operation,
                                     const char *name, const char *kind)
{
    const char *variable = scope_variable(operation, name);
    const scope_entry *entry = variable ? scope_find(b->definitions, variable) : NULL;
    return entry && strcmp(entry->operation->kind, kind) == 0 ? entry->operation : NULL;
}

/* ios18's sparse operations work on the elements that are there; blocks are counted over the dense
 * tensor, so they are put in their places first, and what falls between them is masked after. */
static const dense *build_sparse(builder *b, const mil_operation *operation, const char *data,
                                 const char *mask_name)
{
    const mil_operation *lut = producer(b, operation, data, "constexpr_lut_to_sparse");
    const mil_operation *scaled =
        producer(b, operation, data, "constexpr_sparse_blockwise_shift_scale");
    const dense *inner = NULL;
    if (b->depth++ == BUILD_MAX_CHAIN) {
        inner = build_fail(b, data, BUILD_TOO_LONG);
    } else if (lut) {
        inner = build_sparse(b, lut, "indices_nonzero_data", "indices_mask");
        inner = inner ? build_palette(b, lut, inner) : NULL;
    } else if (scaled) {
        inner = build_sparse(b, scaled, "nonzero_data", "data_mask");
        inner = inner ? build_blockwise(b, scaled, inner) : NULL;
    } else {
        const dense *mask = build_operand(b, operation, mask_name);
        const dense *nonzero = mask ? build_operand(b, operation, data) : NULL;
        if (nonzero && (!build_is_plain(mask, MIL_CLASS_UNSIGNED) || mask->stored.bits != 1))
            nonzero = build_fail(b, mask_name, "not of uint1");
        inner = nonzero ? build_sparse_of(b, mask, nonzero) : NULL;
    }
    b->depth--;
    return inner;
}

/* The mask of a sparse tensor that a palette or scales lie over. */
static const dense *build_masked(builder *b, const dense *inner)
{
    const dense *sparse = inner;
    while (sparse->kind != DENSE_SPARSE)
        sparse = sparse->inner;
    if (sparse == inner)
        return inner;
    if (inner->count != sparse->count)
        return build_not_decoded(b, "yoke does not decode sparse palettes of vectors");
    dense made = *inner;
    made.kind = DENSE_MASKED;
    made.stored = sparse->stored;
    made.inner = inner;
    made.table = made.shift = NULL;
    return build_keep(b, &made, "mask");
}

/* ios16: the mask is bytes of packed bits. */
const dense *build_sparse_of_bytes(builder *b, const mil_operation *operation)
{
    dense shaped = {0};
    const dense *nonzero = build_operand(b, operation, "nonzero_data");
    const dense *bytes = nonzero ? build_operand(b, operation, "mask") : NULL;
    if (!bytes || !build_read_shape(b, operation, &shaped))
        return NULL;
    const dense *mask = build_repack(b, bytes, &shaped, MIL_UINT1, "mask");
    return mask ? build_sparse_of(b, mask, nonzero) : NULL;
}

const dense *build_sparse_to_dense(builder *b, const mil_operation *operation)
{
    const dense *inner = build_sparse(b, operation, "nonzero_data", "mask");
    return inner ? build_masked(b, inner) : NULL;
}
