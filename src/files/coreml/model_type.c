/* ValueType of the protobuf. */
#include <string.h>

#include "files/coreml/model_reader.h"

/* Dimension: constant{size} or unknown. */
static uint64_t read_dimension(model_reader *reader, wire message)
{
    enum { CONSTANT = WIRE_KEY(1, WIRE_BYTES), SIZE = WIRE_KEY(1, WIRE_VARINT) };
    uint64_t extent = MIL_UNKNOWN;
    wire_field field;
    while (model_next(reader, &message, &field, "Dimension")) {
        if (wire_key(&field) != CONSTANT)
            continue;
        extent = 0;
        wire inner = field.bytes;
        while (model_next(reader, &inner, &field, "Dimension.constant"))
            if (wire_key(&field) == SIZE)
                extent = field.value;
        if (extent > INT64_MAX)
            model_fail(reader, "Dimension.size", message.at, "too large for a dimension");
    }
    return extent;
}

static void read_element(model_reader *reader, const wire *message, uint64_t code, mil_type *type)
{
    if (!mil_element_of_proto(code, &type->element))
        model_fail(reader, "TensorType.dataType", message->at, "a type that yoke does not know");
}

static void read_tensor(model_reader *reader, wire message, mil_type *type)
{
    enum { TYPE = WIRE_KEY(1, WIRE_VARINT), DIMENSION = WIRE_KEY(3, WIRE_BYTES) };
    uint64_t shape[MIL_MAX_RANK];
    wire_field field;
    wire start = message;
    bool typed = false;
    while (model_next(reader, &message, &field, "TensorType")) {
        if (wire_key(&field) == TYPE) {
            read_element(reader, &message, field.value, type);
            typed = true;
        } else if (wire_key(&field) == DIMENSION) {
            if (type->rank == MIL_MAX_RANK)
                model_fail(reader, "TensorType.dimensions", message.at, "too many dimensions");
            else
                shape[type->rank++] = read_dimension(reader, field.bytes);
        }
    }
    if (!typed)
        model_fail(reader, "TensorType.dataType", start.at, "missing");
    uint64_t *copy = arena_take(reader->build.arena, type->rank * sizeof *copy);
    if (!copy)
        model_fail_memory(reader);
    else if (type->rank)
        memcpy(copy, shape, type->rank * sizeof *copy);
    type->shape = copy;
}

/* A list has a type and a length, a tuple types, a dictionary two, a state one. */
static void read_items(model_reader *reader, wire message, mil_type *type)
{
    size_t mark = reader->build.used, wanted = type->kind == MIL_DICT ? 2 : 1;
    wire start = message;
    wire_field field;
    while (model_next(reader, &message, &field, "ValueType")) {
        if (field.type != WIRE_BYTES)
            continue;
        if (type->kind == MIL_LIST && field.number == 2) {
            type->length = read_dimension(reader, field.bytes);
            continue;
        }
        mil_type item = model_read_type(reader, field.bytes);
        model_push(reader, &item, sizeof item);
    }
    type->items = model_collect(reader, mark, sizeof *type->items, &type->item_count);
    if (type->kind == MIL_TUPLE ? type->item_count == 0 : type->item_count != wanted)
        model_fail(reader, "ValueType", start.at, "it does not have the types that it needs");
}

mil_type model_read_type(model_reader *reader, wire message)
{
    mil_type type = {.kind = MIL_TENSOR, .length = MIL_UNKNOWN};
    static const mil_type_kind kinds[] = {MIL_TENSOR, MIL_LIST, MIL_TUPLE, MIL_DICT, MIL_STATE};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    wire start = message;
    wire_field field;
    bool found = false;
    if (!model_enter(reader, &message, "ValueType"))
        return type;
    while (model_next(reader, &message, &field, "ValueType")) {
        if (field.type != WIRE_BYTES || field.number > KINDS)
            continue;
        if (found)
            model_fail(reader, "ValueType", message.at, "more than one type");
        found = true;
        type.kind = kinds[field.number - 1];
        if (type.kind == MIL_TENSOR)
            read_tensor(reader, field.bytes, &type);
        else
            read_items(reader, field.bytes, &type);
    }
    if (!found)
        model_fail(reader, "ValueType", start.at, "missing, or not one that yoke knows");
    model_leave(reader);
    return type;
}
