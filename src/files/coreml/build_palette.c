/* Palettes: constexpr_lut_to_dense, and what constexpr_lut_to_sparse adds to a mask. */
#include "base/size.h"
#include "files/coreml/build.h"

/* The unsigned type whose values count the entries of a palette. */
static bool index_element(size_t entries, mil_element *element)
{
    static const mil_element elements[] = {MIL_UINT1, MIL_UINT2, MIL_UINT3,
                                           MIL_UINT4, MIL_UINT6, MIL_UINT8};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        *element = elements[i];
        if ((size_t)1 << mil_element_get(*element)->bits == entries)
            return true;
    }
    return false;
}

/* ios16: indices are bytes of packed bits, one palette. */
const dense *build_palette_of_bytes(builder *b, const mil_operation *operation)
{
    dense shaped = {0};
    const dense *bytes = build_operand(b, operation, "indices");
    const dense *table = bytes ? build_operand(b, operation, "lut") : NULL;
    mil_element element;
    if (!table || !build_read_shape(b, operation, &shaped))
        return NULL;
    if (!index_element(table->count, &element))
        return build_fail(b, "lut",
                          "not as many entries as indices of 1, 2, 3, 4, 6 or 8 bits count");
    const dense *indices = build_repack(b, bytes, &shaped, element, "indices");
    if (!indices)
        return NULL;
    dense made = *indices;
    made.kind = DENSE_LUT;
    made.stored = (array){0};
    made.element = build_exact_element(table);
    made.inner = indices;
    made.table = table;
    made.grid = grid_whole(made.rank, made.shape);
    made.entries = table->count;
    made.vector = 1;
    return build_keep(b, &made, "lut");
}

/* Entries of several elements lengthen one axis of the result. */
static bool lay_vector(builder *b, const mil_operation *operation, dense *made)
{
    if (made->vector <= 1)
        return true;
    int64_t axis = scope_integer(b->definitions, operation, "vector_axis", INT64_MAX);
    if (axis < 0)
        axis += made->rank;
    if (axis < 0 || axis >= made->rank || made->inner->kind != DENSE_PLAIN) {
        build_fail(b, "vector_axis", "not one of the dimensions, or of sparse indices");
        return false;
    }
    made->axis = (unsigned)axis;
    if (!size_mul(made->shape[axis], made->vector, &made->shape[axis])) {
        build_fail(b, "vector_axis", "the size of the result overflows");
        return false;
    }
    return true;
}

/* Stored indices, or ones that a mask puts in their places, of a type that counts `entries`. */
static bool are_indices(const dense *from, size_t entries)
{
    mil_element element;
    const dense *stored = from->kind == DENSE_SPARSE ? from->inner : from;
    return index_element(entries, &element) && stored->kind == DENSE_PLAIN &&
           stored->element == element;
}

/* ios18: lut is [blocks of each dimension..., entries, vector]. */
const dense *build_palette(builder *b, const mil_operation *operation, const dense *indices)
{
    const dense *table = build_operand(b, operation, "lut");
    if (!table)
        return NULL;
    dense made = *indices;
    made.kind = DENSE_LUT;
    made.stored = (array){0};
    made.element = build_exact_element(table);
    made.inner = indices;
    made.table = table;
    if (table->rank != indices->rank + 2)
        return build_fail(b, "lut", "its rank is not that of the indices and two");
    if (!grid_make(indices->rank, indices->shape, table->shape, &made.grid))
        return build_fail(b, "lut", "its blocks do not divide the indices");
    made.entries = table->shape[indices->rank];
    made.vector = table->shape[indices->rank + 1];
    if (!are_indices(indices, made.entries) || made.vector == 0)
        return build_fail(b, "lut",
                          "its entries are not those that the type of the indices counts");
    return lay_vector(b, operation, &made) ? build_keep(b, &made, "lut") : NULL;
}
