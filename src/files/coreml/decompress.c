#include "files/coreml/decompress.h"

#include <inttypes.h>
#include <string.h>

#include "base/size.h"
#include "files/coreml/blob.h"
#include "files/text.h"

/* Palettes of scaled entries of sparse indices are four; more would be no compression. */
enum { MAX_CHAIN = 8 };

static const char COMPUTED[] = "some of it is computed, not stored";

typedef struct builder {
    yoke_file *file;
    const bundle *from;
    const scope *definitions;
    const mil_operation *operation; /* for messages */
    stored_tensor *out;
    unsigned depth;
    yoke_status status;
    yoke_error *err;
} builder;

static const dense *build_operand(builder *b, const mil_operation *operation, const char *name);

static const dense *fail(builder *b, const char *name, const char *why)
{
    const char *output = b->operation->output_count ? b->operation->outputs[0].name : "";
    if (b->status == YOKE_OK && !b->out->reason)
        b->status =
            yoke_error_set(b->err, YOKE_ERR_FORMAT, "%s: %s \"%s\", byte %zu: %s: %s",
                           b->from->path, b->operation->kind,
                           text_shown(output, strlen(output)).text, b->operation->at, name, why);
    return NULL;
}

static const dense *not_decoded(builder *b, const char *reason)
{
    if (!b->out->reason)
        b->out->reason = reason;
    return NULL;
}

static const dense *no_memory(builder *b)
{
    b->status =
        yoke_error_set(b->err, YOKE_ERR_MEMORY, "%s: no memory for its tensors", b->from->path);
    return NULL;
}

static bool count_elements(dense *made)
{
    made->count = 1;
    for (unsigned i = 0; i < made->rank; i++)
        if (!size_mul(made->count, made->shape[i], &made->count))
            return false;
    return true;
}

/* A copy in the file's arena, with its elements counted. */
static const dense *keep(builder *b, dense *made, const char *name)
{
    if (!count_elements(made))
        return fail(b, name, "its size overflows");
    dense *copy = arena_take(&b->file->arena, sizeof *copy);
    if (!copy)
        return no_memory(b);
    *copy = *made;
    return copy;
}

static void note_place(builder *b, size_t part, uint64_t offset, uint64_t bytes)
{
    if (b->out->bytes == 0) {
        b->out->part = part;
        b->out->offset = offset;
    }
    b->out->in_blob |= part > 0;
    b->out->bytes += bytes;
}

/* The elements of a value in a weight file; they are as many and of the kind that its type says. */
static bool open_blob(builder *b, const mil_value *value, array *out)
{
    size_t part;
    blob found;
    b->status = bundle_part(b->file, b->from, value->path, &part, b->err);
    if (b->status != YOKE_OK)
        return false;
    const file_part *weights = &b->file->parts[part];
    b->status = blob_read(&weights->map, weights->path, value->offset, &found, b->err);
    if (b->status != YOKE_OK)
        return false;
    uint64_t bytes;
    if (found.element != value->type.element || !blob_bytes(found.element, out->count, &bytes) ||
        bytes != found.bytes) {
        b->status =
            yoke_error_set(b->err, YOKE_ERR_FORMAT,
                           "%s: metadata, byte %" PRIu64 ": %" PRIu64
                           " bytes of %s, but %s (byte %zu) has %zu elements of %s",
                           weights->path, value->offset, found.bytes,
                           mil_element_get(found.element)->name, text_base_name(b->from->path),
                           value->at, out->count, mil_element_get(value->type.element)->name);
        return false;
    }
    out->data = weights->map.bytes + found.offset;
    out->bits = mil_element_get(out->element)->bits;
    note_place(b, part, found.offset, found.bytes);
    return true;
}

static const dense *build_plain(builder *b, const mil_value *value, const char *name)
{
    dense made = {.kind = DENSE_PLAIN,
                  .element = value->type.element,
                  .rank = value->type.rank,
                  .stored = {.element = value->type.element}};
    if (value->kind != MIL_DATA && value->kind != MIL_BLOB)
        return fail(b, name, "not a tensor of numbers");
    if (!mil_type_elements(&value->type, &made.stored.count))
        return fail(b, name, "its size is not known or overflows");
    for (unsigned i = 0; i < made.rank; i++)
        made.shape[i] = (size_t)value->type.shape[i];
    if (value->kind == MIL_BLOB) {
        if (!open_blob(b, value, &made.stored))
            return NULL;
    } else {
        made.stored.data = value->data;
        made.stored.bits = 8 * (unsigned)mil_element_bytes(value->type.element);
        note_place(b, 0, value->at, value->length);
    }
    return keep(b, &made, name);
}

/* A tensor's elements as they were before a palette took some out. */
static bool is_plain_of(const dense *tensor, mil_element_class element_class)
{
    return tensor->kind == DENSE_PLAIN &&
           mil_element_get(tensor->element)->element_class == element_class;
}

/* An ios16 operation says the shape of its result in an argument of its own. */
static bool read_shape(builder *b, const mil_operation *operation, dense *made)
{
    const mil_value *shape = scope_value(b->definitions, operation, "shape");
    if (!shape || shape->kind != MIL_DATA || shape->type.element != MIL_UINT32 ||
        shape->count > MIL_MAX_RANK) {
        fail(b, "shape", "not a list of uint32 dimensions");
        return false;
    }
    made->rank = (unsigned)shape->count;
    for (unsigned i = 0; i < made->rank; i++) {
        uint32_t extent;
        memcpy(&extent, (const uint8_t *)shape->data + i * sizeof extent, sizeof extent);
        made->shape[i] = extent;
    }
    return true;
}

/* Bytes that hold packed elements, as the packed elements that they hold, in the shape of `like`.
 */
static const dense *repack(builder *b, const dense *bytes, const dense *like, mil_element element,
                           const char *name)
{
    dense made = *like;
    uint64_t wanted;
    if (!count_elements(&made) || !is_plain_of(bytes, MIL_CLASS_UNSIGNED) ||
        bytes->stored.bits != 8 || !blob_bytes(element, made.count, &wanted) ||
        wanted != bytes->count)
        return fail(b, name, "not as many bytes as the shape takes");
    made.kind = DENSE_PLAIN;
    made.element = element;
    made.stored = (array){.element = element,
                          .bits = mil_element_get(element)->bits,
                          .data = bytes->stored.data,
                          .count = made.count};
    return keep(b, &made, name);
}

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

static mil_element exact_element(const dense *values)
{
    return values->element == MIL_FP16 ? MIL_FP16 : MIL_FP32;
}

/* ios16: indices are bytes of packed bits, one palette. */
static const dense *build_lut_of_bytes(builder *b, const mil_operation *operation)
{
    dense shaped = {0};
    const dense *bytes = build_operand(b, operation, "indices");
    const dense *table = bytes ? build_operand(b, operation, "lut") : NULL;
    mil_element element;
    if (!table || !read_shape(b, operation, &shaped))
        return NULL;
    if (!index_element(table->count, &element))
        return fail(b, "lut", "not as many entries as indices of 1, 2, 3, 4, 6 or 8 bits count");
    const dense *indices = repack(b, bytes, &shaped, element, "indices");
    if (!indices)
        return NULL;
    dense made = *indices;
    made.kind = DENSE_LUT;
    made.stored = (array){0};
    made.element = exact_element(table);
    made.inner = indices;
    made.table = table;
    made.grid = grid_whole(made.rank, made.shape);
    made.entries = table->count;
    made.vector = 1;
    return keep(b, &made, "lut");
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
        fail(b, "vector_axis", "not one of the dimensions, or of sparse indices");
        return false;
    }
    made->axis = (unsigned)axis;
    if (!size_mul(made->shape[axis], made->vector, &made->shape[axis])) {
        fail(b, "vector_axis", "the size of the result overflows");
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
static const dense *build_lut(builder *b, const mil_operation *operation, const dense *indices)
{
    const dense *table = build_operand(b, operation, "lut");
    if (!table)
        return NULL;
    dense made = *indices;
    made.kind = DENSE_LUT;
    made.stored = (array){0};
    made.element = exact_element(table);
    made.inner = indices;
    made.table = table;
    if (table->rank != indices->rank + 2)
        return fail(b, "lut", "its rank is not that of the indices and two");
    if (!grid_make(indices->rank, indices->shape, table->shape, &made.grid))
        return fail(b, "lut", "its blocks do not divide the indices");
    made.entries = table->shape[indices->rank];
    made.vector = table->shape[indices->rank + 1];
    if (!are_indices(indices, made.entries) || made.vector == 0)
        return fail(b, "lut", "its entries are not those that the type of the indices counts");
    return lay_vector(b, operation, &made) ? keep(b, &made, "lut") : NULL;
}

/* Scales, and offsets if any, lie on the same blocks; one alone is for all of them. */
static const dense *finish_scaled(builder *b, dense *made)
{
    made->kind = DENSE_SCALED;
    made->stored = (array){0};
    made->element = MIL_FP32;
    if (made->table->count != made->grid.count && made->table->count != 1)
        return fail(b, "scale", "not as many as blocks");
    if (made->shift && made->shift->count != made->grid.count && made->shift->count != 1)
        return fail(b, "offset", "not as many as blocks");
    return keep(b, made, "scale");
}

/* ios16: (quantized_data - zero_point) * scale along an axis. */
static const dense *build_affine(builder *b, const mil_operation *operation)
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
        return fail(b, "scale", "not as many as the axis is long");
    if (count != 1)
        blocks[axis] = count;
    if (!grid_make(data->rank, data->shape, blocks, &made.grid))
        return fail(b, "scale", "not as many as the axis is long");
    made.inner = data;
    made.table = scale;
    made.shift = zero_point;
    made.per_axis = true;
    return finish_scaled(b, &made);
}

/* ios18: (data - offset) * scale, block by block. */
static const dense *build_blockwise(builder *b, const mil_operation *operation, const dense *data)
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
        return fail(b, "scale", "its blocks do not divide the data");
    if (mil_find_argument(operation, "offset") ||
        mil_find_attribute(&operation->attributes, "offset")) {
        made.shift = build_operand(b, operation, "offset");
        if (!made.shift)
            return NULL;
    }
    return finish_scaled(b, &made);
}

static const dense *build_sparse_of(builder *b, const dense *mask, const dense *nonzero)
{
    dense made = *mask;
    made.kind = DENSE_SPARSE;
    made.element = exact_element(nonzero);
    made.inner = nonzero;
    made.table = made.shift = NULL;
    return keep(b, &made, "nonzero_data");
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
    if (b->depth++ == MAX_CHAIN) {
        inner = fail(b, data, "too many operations in a chain");
    } else if (lut) {
        inner = build_sparse(b, lut, "indices_nonzero_data", "indices_mask");
        inner = inner ? build_lut(b, lut, inner) : NULL;
    } else if (scaled) {
        inner = build_sparse(b, scaled, "nonzero_data", "data_mask");
        inner = inner ? build_blockwise(b, scaled, inner) : NULL;
    } else {
        const dense *mask = build_operand(b, operation, mask_name);
        const dense *nonzero = mask ? build_operand(b, operation, data) : NULL;
        if (nonzero && (!is_plain_of(mask, MIL_CLASS_UNSIGNED) || mask->stored.bits != 1))
            nonzero = fail(b, mask_name, "not of uint1");
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
        return not_decoded(b, "yoke does not decode sparse palettes of vectors");
    dense made = *inner;
    made.kind = DENSE_MASKED;
    made.stored = sparse->stored;
    made.inner = inner;
    made.table = made.shift = NULL;
    return keep(b, &made, "mask");
}

/* ios16: the mask is bytes of packed bits. */
static const dense *build_sparse_of_bytes(builder *b, const mil_operation *operation)
{
    dense shaped = {0};
    const dense *nonzero = build_operand(b, operation, "nonzero_data");
    const dense *bytes = nonzero ? build_operand(b, operation, "mask") : NULL;
    if (!bytes || !read_shape(b, operation, &shaped))
        return NULL;
    const dense *mask = repack(b, bytes, &shaped, MIL_UINT1, "mask");
    return mask ? build_sparse_of(b, mask, nonzero) : NULL;
}

static bool has_shape(const mil_operation *operation)
{
    return mil_find_attribute(&operation->attributes, "shape") ||
           mil_find_argument(operation, "shape");
}

static const dense *build_operation(builder *b, const mil_operation *operation)
{
    const dense *inner;
    if (strcmp(operation->kind, "constexpr_affine_dequantize") == 0)
        return build_affine(b, operation);
    if (strcmp(operation->kind, "constexpr_lut_to_dense") == 0) {
        if (has_shape(operation))
            return build_lut_of_bytes(b, operation);
        inner = build_operand(b, operation, "indices");
        return inner ? build_lut(b, operation, inner) : NULL;
    }
    if (strcmp(operation->kind, "constexpr_blockwise_shift_scale") == 0) {
        inner = build_operand(b, operation, "data");
        return inner ? build_blockwise(b, operation, inner) : NULL;
    }
    if (strcmp(operation->kind, "constexpr_sparse_to_dense") == 0) {
        if (has_shape(operation))
            return build_sparse_of_bytes(b, operation);
        inner = build_sparse(b, operation, "nonzero_data", "mask");
        return inner ? build_masked(b, inner) : NULL;
    }
    return not_decoded(b, "yoke does not decode what this operation compresses");
}

static const dense *build_new(builder *b, const scope_entry *entry, const char *name)
{
    const mil_operation *operation = entry->operation;
    if (b->depth == MAX_CHAIN)
        return fail(b, name, "too many operations in a chain");
    if (scope_is_constexpr(operation))
        return build_operation(b, operation);
    const mil_value *value = strcmp(operation->kind, "const") == 0
                                 ? scope_value(b->definitions, operation, "val")
                                 : NULL;
    return value ? build_plain(b, value, name) : not_decoded(b, COMPUTED);
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
            return no_memory(b);
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
    note_place(b, known->part, known->offset, known->bytes);
    return known->values;
}

static const dense *build_operand(builder *b, const mil_operation *operation, const char *name)
{
    if (b->status != YOKE_OK || b->out->reason)
        return NULL;
    const char *variable = scope_variable(operation, name);
    scope_entry *entry = variable ? scope_find(b->definitions, variable) : NULL;
    if (variable)
        return entry ? build_entry(b, entry, name) : not_decoded(b, COMPUTED);
    const mil_value *value = scope_value(b->definitions, operation, name);
    return value ? build_plain(b, value, name) : fail(b, name, "missing");
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
        out->values = fail(&b, result->name, "its value is not of its shape");
    return b.status;
}
