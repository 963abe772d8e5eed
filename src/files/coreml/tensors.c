#include "files/coreml/tensors.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/coreml/decompress.h"
#include "files/coreml/product.h"
#include "files/coreml/weight.h"

static yoke_status no_memory(const bundle *from, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its tensors", from->path);
}

/* Its name in the program, behind the function's where an earlier function has it already. */
static const char *free_name(yoke_file *file, const mil_function *function, const char *name)
{
    if (!yoke_file_find(file, name, strlen(name)))
        return name;
    size_t head = strlen(function->name), length = head + 1 + strlen(name);
    char *longer = arena_take(&file->arena, length + 1);
    if (!longer)
        return NULL;
    memcpy(longer, function->name, head);
    longer[head] = '/';
    strcpy(longer + head + 1, name);
    return longer;
}

/* Dimensions of the tensor that is listed; the weight of a product has two. */
static unsigned listed_shape(const scope_entry *entry, uint64_t shape[MIL_MAX_RANK])
{
    const mil_type *type = &entry->operation->outputs[entry->output].type;
    if (entry->product) {
        product_dimensions(entry, shape);
        if (entry->transposed) {
            uint64_t inputs = shape[0];
            shape[0] = shape[1];
            shape[1] = inputs;
        }
        return 2;
    }
    for (unsigned i = 0; i < type->rank; i++)
        shape[i] = type->shape[i];
    return type->rank;
}

/* What the tensor comes from. */
static weight make_weight(const scope_entry *entry, const stored_tensor *stored,
                          const yoke_tensor *tensor)
{
    weight made = {.values = stored->values,
                   .transposed = entry->product && entry->transposed,
                   .format = mil_element_get(stored->values->element)->format,
                   .rows = 1};
    /* It does not overflow: the shape is that of the values. */
    for (unsigned i = 0; i + 1 < tensor->rank; i++)
        made.rows *= (size_t)tensor->shape[i];
    made.cols = tensor->rank ? (size_t)tensor->shape[tensor->rank - 1] : 1;
    if (!made.transposed)
        made.native = native_of(made.values, made.rows, made.cols);
    return made;
}

static yoke_status set_source(yoke_file *file, const bundle *from, const weight *source,
                              yoke_error *err)
{
    file_tensor *tensor = &file->tensors[file->tensor_count - 1];
    weight *kept = arena_take(&file->arena, sizeof *kept);
    if (!kept)
        return no_memory(from, err);
    *kept = *source;
    tensor->source = kept;
    weight_place(file, tensor);
    return YOKE_OK;
}

static yoke_status add_tensor(yoke_file *file, const bundle *from, const mil_function *function,
                              scope_entry *entry, const stored_tensor *stored, yoke_error *err)
{
    uint64_t shape[MIL_MAX_RANK];
    const mil_operation *operation = entry->operation;
    yoke_tensor tensor = {.name = free_name(file, function, operation->outputs[entry->output].name),
                          .type_name = operation->kind,
                          .rank = listed_shape(entry, shape),
                          .shape = shape,
                          .offset = stored->offset,
                          .bytes = stored->bytes};
    weight source = {0};
    if (stored->values) {
        source = make_weight(entry, stored, &tensor);
        tensor.format = weight_format(&source);
        tensor.type_name = weight_type_name(&source, &file->arena);
    }
    if (!tensor.name || !tensor.type_name)
        return no_memory(from, err);
    tensor.name_length = strlen(tensor.name);
    yoke_status status = file_add_tensor(file, &tensor, operation->at, err);
    if (status != YOKE_OK)
        return status;
    file_tensor *added = &file->tensors[file->tensor_count - 1];
    added->part = stored->part;
    added->seen.path = file->parts[stored->part].path;
    entry->tensor_plus_1 = file->tensor_count;
    if (!stored->values) {
        added->seen.readable = false;
        added->seen.reason = stored->reason;
    }
    return added->seen.readable ? set_source(file, from, &source, err) : YOKE_OK;
}

static bool is_stored(const scope_entry *entry)
{
    const mil_operation *operation = entry->operation;
    if (scope_is_constexpr(operation))
        return true;
    const mil_value *value = strcmp(operation->kind, "const") == 0
                                 ? mil_find_attribute(&operation->attributes, "val")
                                 : NULL;
    return value && (value->kind == MIL_BLOB || (value->kind == MIL_DATA && entry->product));
}

yoke_status tensors_add(yoke_file *file, const bundle *from, const mil_function *function,
                        const scope *definitions, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < definitions->count && status == YOKE_OK; i++) {
        scope_entry *entry = &definitions->entries[i];
        bool only_part = entry->used_compressed && !entry->used;
        if (only_part || !is_stored(entry))
            continue;
        stored_tensor stored;
        status = decompress(file, from, definitions, entry, &stored, err);
        if (status == YOKE_OK)
            status = add_tensor(file, from, function, entry, &stored, err);
    }
    return status;
}
