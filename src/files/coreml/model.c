#include "files/coreml/model.h"

#include <string.h>

#include "files/coreml/model_reader.h"

enum { TEXT_1 = WIRE_KEY(1, WIRE_BYTES), BYTES_2 = WIRE_KEY(2, WIRE_BYTES) };

/* An entry of a map: 1 key, 2 value. The name is "" and the value empty when they are absent. */
typedef struct map_entry {
    const char *name;
    wire value;
} map_entry;

static map_entry read_entry(model_reader *reader, wire message, const char *what)
{
    map_entry entry = {.name = "", .value = {.at = message.end, .end = message.end}};
    wire_field field;
    while (model_next(reader, &message, &field, what)) {
        if (wire_key(&field) == TEXT_1)
            entry.name = model_name(reader, &field, what);
        else if (wire_key(&field) == BYTES_2)
            entry.value = field.bytes;
    }
    return entry;
}

/* The entries of the map in field `number`, in their order. */
static mil_attributes read_attributes(model_reader *reader, wire message, uint32_t number)
{
    mil_attributes attributes = {0};
    size_t mark = reader->build.used;
    wire_field field;
    while (model_next(reader, &message, &field, "attributes")) {
        if (wire_key(&field) != WIRE_KEY(number, WIRE_BYTES))
            continue;
        map_entry entry = read_entry(reader, field.bytes, "attributes");
        mil_attribute attribute = {.name = entry.name};
        if (model_ok(reader))
            attribute.value = model_read_value(reader, entry.value);
        model_push(reader, &attribute, sizeof attribute);
    }
    attributes.list = model_collect(reader, mark, sizeof *attributes.list, &attributes.count);
    return attributes;
}

/* NamedValueType: 1 name, 2 type; those in field `number` of the message. */
static const mil_variable *read_variables(model_reader *reader, wire message, uint32_t number,
                                          size_t *count)
{
    size_t mark = reader->build.used;
    wire_field field;
    while (model_next(reader, &message, &field, "NamedValueType")) {
        if (wire_key(&field) != WIRE_KEY(number, WIRE_BYTES))
            continue;
        map_entry entry = read_entry(reader, field.bytes, "NamedValueType");
        mil_variable variable = {.name = entry.name};
        if (model_ok(reader))
            variable.type = model_read_type(reader, entry.value);
        model_push(reader, &variable, sizeof variable);
    }
    return model_collect(reader, mark, sizeof(mil_variable), count);
}

/* Binding: 1 name, or 2 value. */
static mil_binding read_binding(model_reader *reader, wire message)
{
    mil_binding binding = {0};
    wire start = message;
    wire_field field;
    while (model_next(reader, &message, &field, "Binding")) {
        if (wire_key(&field) == TEXT_1) {
            binding.variable = model_name(reader, &field, "Binding.name");
        } else if (wire_key(&field) == BYTES_2) {
            mil_value value = model_read_value(reader, field.bytes);
            mil_value *copy = arena_take(reader->build.arena, sizeof *copy);
            if (!copy)
                model_fail_memory(reader);
            else
                *copy = value;
            binding.value = copy;
        }
    }
    if (!binding.variable == !binding.value)
        model_fail(reader, "Binding", start.at, "neither a name nor a value, or both");
    return binding;
}

/* Operation.inputs: a map from names to Argument{repeated Binding}. */
static void read_arguments(model_reader *reader, wire message, mil_operation *operation)
{
    size_t mark = reader->build.used;
    wire_field field;
    while (model_next(reader, &message, &field, "Operation.inputs")) {
        if (wire_key(&field) != BYTES_2)
            continue;
        map_entry entry = read_entry(reader, field.bytes, "Operation.inputs");
        mil_argument argument = {.name = entry.name};
        size_t bindings = reader->build.used;
        while (model_next(reader, &entry.value, &field, "Argument")) {
            if (wire_key(&field) != TEXT_1)
                continue;
            mil_binding binding = read_binding(reader, field.bytes);
            model_push(reader, &binding, sizeof binding);
        }
        argument.bindings =
            model_collect(reader, bindings, sizeof *argument.bindings, &argument.count);
        argument.tuple = argument.count != 1;
        model_push(reader, &argument, sizeof argument);
    }
    operation->arguments =
        model_collect(reader, mark, sizeof *operation->arguments, &operation->argument_count);
}

static mil_block read_block(model_reader *reader, wire message);

/* Operation: 1 type, 2 inputs, 3 outputs, 4 blocks, 5 attributes. */
static mil_operation read_operation(model_reader *reader, wire message)
{
    enum { BLOCK = WIRE_KEY(4, WIRE_BYTES) };
    mil_operation operation = {.kind = "", .at = (size_t)(message.at - reader->start)};
    wire start = message;
    wire_field field;
    size_t mark = reader->build.used;
    while (model_next(reader, &message, &field, "Operation")) {
        if (wire_key(&field) == TEXT_1) {
            operation.kind = model_name(reader, &field, "Operation.type");
        } else if (wire_key(&field) == BLOCK) {
            mil_block block = read_block(reader, field.bytes);
            model_push(reader, &block, sizeof block);
        }
    }
    operation.blocks =
        model_collect(reader, mark, sizeof *operation.blocks, &operation.block_count);
    read_arguments(reader, start, &operation);
    operation.outputs = read_variables(reader, start, 3, &operation.output_count);
    operation.attributes = read_attributes(reader, start, 5);
    return operation;
}

/* Block: 1 inputs, 2 outputs, 3 operations. */
static mil_block read_block(model_reader *reader, wire message)
{
    enum { OPERATION = WIRE_KEY(3, WIRE_BYTES) };
    mil_block block = {0};
    wire start = message;
    wire_field field;
    if (!model_enter(reader, &message, "Block"))
        return block;
    size_t mark = reader->build.used;
    while (model_next(reader, &message, &field, "Block")) {
        if (wire_key(&field) != OPERATION)
            continue;
        mil_operation operation = read_operation(reader, field.bytes);
        model_push(reader, &operation, sizeof operation);
    }
    block.operations =
        model_collect(reader, mark, sizeof *block.operations, &block.operation_count);
    block.inputs = read_variables(reader, start, 1, &block.input_count);
    message = start;
    while (model_next(reader, &message, &field, "Block")) {
        if (wire_key(&field) != BYTES_2)
            continue;
        const char *name = model_name(reader, &field, "Block.outputs");
        model_push(reader, &name, sizeof name);
    }
    block.outputs = model_collect(reader, mark, sizeof *block.outputs, &block.output_count);
    model_leave(reader);
    return block;
}

/* The block for the opset that the function says. */
static wire find_block(model_reader *reader, wire message, const char *opset)
{
    enum { SPECIALIZATION = WIRE_KEY(3, WIRE_BYTES) };
    wire found = {0}, start = message;
    wire_field field;
    while (model_next(reader, &message, &field, "Function")) {
        if (wire_key(&field) != SPECIALIZATION)
            continue;
        map_entry entry = read_entry(reader, field.bytes, "Function.block_specializations");
        if (strcmp(entry.name, opset) == 0)
            found = entry.value;
    }
    if (!found.at)
        model_fail(reader, "Function.block_specializations", start.at,
                   "none for the opset of the function");
    return found;
}

/* Function: 1 inputs, 2 opset, 3 block_specializations, 4 attributes. The inputs stand on the
 * function, so that those of its block are empty. */
static mil_function read_function(model_reader *reader, const map_entry *entry)
{
    mil_function function = {.name = entry->name, .opset = ""};
    wire message = entry->value;
    wire_field field;
    while (model_next(reader, &message, &field, "Function"))
        if (wire_key(&field) == BYTES_2)
            function.opset = model_name(reader, &field, "Function.opset");
    wire block = find_block(reader, entry->value, function.opset);
    if (model_ok(reader))
        function.body = read_block(reader, block);
    if (function.body.input_count == 0)
        function.body.inputs = read_variables(reader, entry->value, 1, &function.body.input_count);
    function.attributes = read_attributes(reader, entry->value, 4);
    return function;
}

/* Program: 1 version, 2 functions, 4 attributes. */
static void read_program(model_reader *reader, wire message, mil_program *program)
{
    wire start = message;
    wire_field field;
    size_t mark = reader->build.used;
    while (model_next(reader, &message, &field, "Program")) {
        if (wire_key(&field) != BYTES_2)
            continue;
        map_entry entry = read_entry(reader, field.bytes, "Program.functions");
        mil_function function = read_function(reader, &entry);
        model_push(reader, &function, sizeof function);
    }
    program->functions =
        model_collect(reader, mark, sizeof *program->functions, &program->function_count);
    program->attributes = read_attributes(reader, start, 4);
    if (program->function_count == 0)
        model_fail(reader, "Program.functions", start.at, "a program without functions");
}

typedef struct model_kind {
    uint32_t number; /* of the field of Model */
    const char *name;
} model_kind;

static const model_kind OTHERS[] = {
    {200, "a pipeline"},
    {201, "a pipeline"},
    {202, "a pipeline"},
    {300, "a generalised linear model"},
    {301, "a support vector machine"},
    {302, "a tree ensemble"},
    {303, "a neural network of the old kind"},
    {400, "a generalised linear model"},
    {401, "a support vector machine"},
    {402, "a tree ensemble"},
    {403, "a neural network of the old kind"},
    {404, "a nearest-neighbours classifier"},
    {500, "a neural network of the old kind"},
    {550, "a custom model"},
    {551, "a linked model"},
};

/* Model's kinds have numbers from 200 on. */
static const char *other_kind(uint32_t number)
{
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (OTHERS[i].number == number)
            return OTHERS[i].name;
    return number >= 200 ? "a model of some other kind" : NULL;
}

/* Model: 502 mlProgram, or another kind of model. */
static wire find_program(model_reader *reader, wire message)
{
    enum { ML_PROGRAM = WIRE_KEY(502, WIRE_BYTES) };
    wire found = {0}, start = message;
    const char *other = NULL;
    wire_field field;
    while (model_next(reader, &message, &field, "Model")) {
        if (wire_key(&field) == ML_PROGRAM)
            found = field.bytes;
        else if (other_kind(field.number))
            other = other_kind(field.number);
    }
    if (model_ok(reader) && !found.at && other)
        reader->status = yoke_error_set(reader->err, YOKE_ERR_UNSUPPORTED,
                                        "%s: Model, byte 0: %s, not an ML Program, which is what "
                                        "yoke reads",
                                        reader->path, other);
    else if (!found.at)
        model_fail(reader, "Model", start.at, "no ML Program in it");
    return found;
}

yoke_status model_parse(const uint8_t *bytes, size_t size, const char *path, arena *memory,
                        mil_program *program, yoke_error *err)
{
    model_reader reader = {.start = bytes, .build = {.arena = memory}, .path = path, .err = err};
    *program = (mil_program){.version = "1.0"};
    wire found = find_program(&reader, (wire){.at = bytes, .end = bytes + size});
    if (model_ok(&reader))
        read_program(&reader, found, program);
    mil_build_free(&reader.build);
    return reader.status;
}
