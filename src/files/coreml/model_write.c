/* The numbers of fields are those that model.c, model_type.c and model_value.c read. */
#include "files/coreml/model_write.h"

#include <stdlib.h>
#include <string.h>

#include "files/coreml/wire_write.h"

/* ArrayFeatureType.ArrayDataType; 0 when a model's input cannot be one. */
static uint64_t array_type(mil_element element)
{
    switch (element) {
    case MIL_FP16: return 65552;
    case MIL_FP32: return 65568;
    case MIL_FP64: return 65600;
    case MIL_INT8: return 131080;
    case MIL_INT32: return 131104;
    default: return 0;
    }
}

static void put_type(wire_writer *to, uint32_t number, const mil_type *type);
static void put_value(wire_writer *to, uint32_t number, const mil_value *value);

static void put_dimension(wire_writer *to, uint32_t number, uint64_t extent)
{
    size_t dimension = wire_begin(to, number);
    size_t inner = wire_begin(to, extent == MIL_UNKNOWN ? 2 : 1);
    if (extent != MIL_UNKNOWN)
        wire_put_integer(to, 1, extent);
    wire_end(to, inner);
    wire_end(to, dimension);
}

static void put_tensor_type(wire_writer *to, const mil_type *type)
{
    wire_put_integer(to, 1, mil_element_get(type->element)->proto);
    wire_put_integer(to, 2, type->rank);
    for (unsigned i = 0; i < type->rank; i++)
        put_dimension(to, 3, type->shape[i]);
}

/* ValueType: 1 tensor, 2 list, 3 tuple, 4 dictionary, 5 state. A dictionary's items are its fields
 * 1 and 2; all others are in field 1. */
static void put_type(wire_writer *to, uint32_t number, const mil_type *type)
{
    static const uint32_t kinds[] = {
        [MIL_TENSOR] = 1, [MIL_LIST] = 2, [MIL_TUPLE] = 3, [MIL_DICT] = 4, [MIL_STATE] = 5};
    size_t outer = wire_begin(to, number), inner = wire_begin(to, kinds[type->kind]);
    if (type->kind == MIL_TENSOR)
        put_tensor_type(to, type);
    for (size_t i = 0; i < type->item_count; i++)
        put_type(to, type->kind == MIL_DICT ? 1 + (uint32_t)i : 1, &type->items[i]);
    if (type->kind == MIL_LIST)
        put_dimension(to, 2, type->length);
    wire_end(to, inner);
    wire_end(to, outer);
}

/* Elements below a byte, packed from the low bit on. */
static void put_packed(wire_writer *to, const mil_value *value, unsigned bits)
{
    const uint8_t *elements = value->data;
    unsigned pending = 0, have = 0;
    for (size_t i = 0; i < value->count; i++) {
        pending |= (elements[i] & ((1u << bits) - 1)) << have;
        for (have += bits; have >= 8; have -= 8, pending >>= 8)
            wire_put_raw(to, &(uint8_t){(uint8_t)pending}, 1);
    }
    if (have > 0)
        wire_put_raw(to, &(uint8_t){(uint8_t)pending}, 1);
}

/* int32 with its sign, int64, uint64 and bool. */
static void put_varints(wire_writer *to, const mil_value *value)
{
    size_t bytes = mil_element_bytes(value->type.element);
    for (size_t i = 0; i < value->count; i++) {
        uint64_t number = 0;
        memcpy(&number, (const uint8_t *)value->data + i * bytes, bytes);
        if (value->type.element == MIL_INT32)
            number = (uint64_t)(int64_t)(int32_t)number;
        wire_put_varint(to, number);
    }
}

/* Of TensorValue: floats, ints, bools, strings, longInts, doubles; bytes for all other types. */
static uint32_t list_of(mil_element element)
{
    switch (element) {
    case MIL_FP32: return 1;
    case MIL_INT32: return 2;
    case MIL_BOOL: return 3;
    case MIL_STRING: return 4;
    case MIL_INT64:
    case MIL_UINT64: return 5;
    case MIL_FP64: return 6;
    default: return 7;
    }
}

static void put_elements(wire_writer *to, const mil_value *value)
{
    mil_element element = value->type.element;
    unsigned bits = mil_element_get(element)->bits;
    uint32_t list = list_of(element);
    size_t outer = wire_begin(to, list);
    if (list == 4) {
        for (size_t i = 0; i < value->count; i++)
            wire_put_bytes(to, 1, value->strings[i].text, value->strings[i].length);
    } else if (value->count > 0 || list == 7) {
        size_t inner = wire_begin(to, 1);
        if (list == 2 || list == 3 || list == 5)
            put_varints(to, value);
        else if (bits < 8)
            put_packed(to, value, bits);
        else
            wire_put_raw(to, value->data, value->count * mil_element_bytes(element));
        wire_end(to, inner);
    }
    wire_end(to, outer);
}

/* ListValue and TupleValue: repeated Value. DictionaryValue: repeated {1 key, 2 value}. */
static void put_items(wire_writer *to, const mil_value *value)
{
    for (size_t i = 0; i < value->count; i++) {
        if (value->kind == MIL_ITEMS) {
            put_value(to, 1, &value->items[i]);
            continue;
        }
        size_t pair = wire_begin(to, 1);
        put_value(to, 1, &value->items[2 * i]);
        put_value(to, 2, &value->items[2 * i + 1]);
        wire_end(to, pair);
    }
}

/* Value: 2 type; 3 the value itself, of its type's kind, or 5 where it is in a file. */
static void put_value(wire_writer *to, uint32_t number, const mil_value *value)
{
    static const uint32_t kinds[] = {
        [MIL_TENSOR] = 1, [MIL_LIST] = 3, [MIL_TUPLE] = 2, [MIL_DICT] = 4, [MIL_STATE] = 0};
    size_t outer = wire_begin(to, number);
    put_type(to, 2, &value->type);
    size_t content = wire_begin(to, value->kind == MIL_BLOB ? 5 : 3);
    if (value->kind == MIL_BLOB) {
        wire_put_bytes(to, 1, value->path.text, value->path.length);
        wire_put_integer(to, 2, value->offset);
    } else {
        size_t inner = wire_begin(to, kinds[value->type.kind]);
        if (value->type.kind == MIL_TENSOR)
            put_elements(to, value);
        else
            put_items(to, value);
        wire_end(to, inner);
    }
    wire_end(to, content);
    wire_end(to, outer);
}

static void put_attributes(wire_writer *to, uint32_t number, const mil_attributes *attributes)
{
    for (size_t i = 0; i < attributes->count; i++) {
        size_t entry = wire_begin(to, number);
        wire_put_text(to, 1, attributes->list[i].name);
        put_value(to, 2, &attributes->list[i].value);
        wire_end(to, entry);
    }
}

static void put_variables(wire_writer *to, uint32_t number, const mil_variable *variables,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t variable = wire_begin(to, number);
        wire_put_text(to, 1, variables[i].name);
        put_type(to, 2, &variables[i].type);
        wire_end(to, variable);
    }
}

static void put_argument(wire_writer *to, const mil_argument *argument)
{
    size_t entry = wire_begin(to, 2);
    wire_put_text(to, 1, argument->name);
    size_t bindings = wire_begin(to, 2);
    for (size_t i = 0; i < argument->count; i++) {
        const mil_binding *binding = &argument->bindings[i];
        size_t one = wire_begin(to, 1);
        if (binding->variable)
            wire_put_text(to, 1, binding->variable);
        else
            put_value(to, 2, binding->value);
        wire_end(to, one);
    }
    wire_end(to, bindings);
    wire_end(to, entry);
}

/* `inputs` only within operations: a function's stand on the function. */
static void put_block(wire_writer *to, uint32_t number, const mil_block *block, bool inputs)
{
    size_t outer = wire_begin(to, number);
    if (inputs)
        put_variables(to, 1, block->inputs, block->input_count);
    for (size_t i = 0; i < block->output_count; i++)
        wire_put_text(to, 2, block->outputs[i]);
    for (size_t i = 0; i < block->operation_count; i++) {
        const mil_operation *operation = &block->operations[i];
        size_t one = wire_begin(to, 3);
        wire_put_text(to, 1, operation->kind);
        for (size_t a = 0; a < operation->argument_count; a++)
            put_argument(to, &operation->arguments[a]);
        put_variables(to, 3, operation->outputs, operation->output_count);
        for (size_t b = 0; b < operation->block_count; b++)
            put_block(to, 4, &operation->blocks[b], true);
        put_attributes(to, 5, &operation->attributes);
        wire_end(to, one);
    }
    wire_end(to, outer);
}

static void put_function(wire_writer *to, const mil_function *function)
{
    size_t entry = wire_begin(to, 2);
    wire_put_text(to, 1, function->name);
    size_t value = wire_begin(to, 2);
    put_variables(to, 1, function->body.inputs, function->body.input_count);
    wire_put_text(to, 2, function->opset);
    size_t specialisation = wire_begin(to, 3);
    wire_put_text(to, 1, function->opset);
    put_block(to, 2, &function->body, false);
    wire_end(to, specialisation);
    put_attributes(to, 4, &function->attributes);
    wire_end(to, value);
    wire_end(to, entry);
}

/* FeatureDescription{1 name, 3 type{5 multiArrayType{1 shape, 2 dataType}}}. */
static void put_feature(wire_writer *to, uint32_t number, const mil_variable *variable)
{
    const mil_type *type = &variable->type;
    size_t feature = wire_begin(to, number);
    wire_put_text(to, 1, variable->name);
    size_t outer = wire_begin(to, 3), inner = wire_begin(to, 5);
    size_t shape = wire_begin(to, 1);
    for (unsigned i = 0; i < type->rank; i++)
        wire_put_varint(to, type->shape[i]);
    wire_end(to, shape);
    wire_put_integer(to, 2, array_type(type->element));
    wire_end(to, inner);
    wire_end(to, outer);
    wire_end(to, feature);
}

static const mil_variable *find_output(const mil_block *block, const char *name)
{
    for (size_t i = block->operation_count; i-- > 0;)
        for (size_t o = 0; o < block->operations[i].output_count; o++)
            if (strcmp(block->operations[i].outputs[o].name, name) == 0)
                return &block->operations[i].outputs[o];
    return NULL;
}

/* ModelDescription{1 input, 10 output}. */
static void put_description(wire_writer *to, const mil_block *body)
{
    size_t description = wire_begin(to, 2);
    for (size_t i = 0; i < body->input_count; i++)
        put_feature(to, 1, &body->inputs[i]);
    for (size_t i = 0; i < body->output_count; i++) {
        const mil_variable *output = find_output(body, body->outputs[i]);
        if (output)
            put_feature(to, 10, output);
    }
    wire_end(to, description);
}

yoke_status model_write(const mil_program *program, uint64_t specification, uint8_t **bytes,
                        size_t *size, yoke_error *err)
{
    wire_writer to = {0};
    wire_put_integer(&to, 1, specification);
    if (program->function_count > 0)
        put_description(&to, &program->functions[0].body);
    size_t outer = wire_begin(&to, 502);
    wire_put_integer(&to, 1, 1);
    for (size_t i = 0; i < program->function_count; i++)
        put_function(&to, &program->functions[i]);
    put_attributes(&to, 4, &program->attributes);
    wire_end(&to, outer);
    if (to.failed) {
        free(to.bytes);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for the specification of a model");
    }
    *bytes = to.bytes;
    *size = to.used;
    return YOKE_OK;
}
