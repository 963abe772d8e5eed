#include "files/coreml/mil_parse.h"

#include <string.h>

#include "files/coreml/mil_reader.h"

static mil_attributes read_attributes(mil_reader *reader)
{
    mil_attributes attributes = {0};
    size_t mark = reader->build.used;
    mil_expect_sign(reader, '[');
    if (!mil_is_sign(reader, ']')) {
        do {
            mil_attribute attribute = {.name = mil_expect_name(reader, "an attribute")};
            mil_expect_sign(reader, '=');
            mil_read_typed(reader, &attribute.value, 0);
            mil_reader_push(reader, &attribute, sizeof attribute);
        } while (mil_take_comma(reader));
    }
    mil_expect_sign(reader, ']');
    attributes.list = mil_reader_collect(reader, mark, sizeof *attributes.list, &attributes.count);
    return attributes;
}

/* type name {"," type name} */
static const mil_variable *read_variables(mil_reader *reader, size_t *count)
{
    size_t mark = reader->build.used;
    do {
        mil_variable variable;
        mil_read_type(reader, &variable.type, 0);
        variable.name = mil_expect_name(reader, "a variable");
        mil_reader_push(reader, &variable, sizeof variable);
    } while (mil_take_comma(reader));
    return mil_reader_collect(reader, mark, sizeof(mil_variable), count);
}

static const mil_variable *read_parameters(mil_reader *reader, size_t *count)
{
    const mil_variable *parameters = NULL;
    mil_expect_sign(reader, '(');
    *count = 0;
    if (!mil_is_sign(reader, ')'))
        parameters = read_variables(reader, count);
    mil_expect_sign(reader, ')');
    return parameters;
}

/* A name is a variable, unless a type's value follows it. */
static mil_binding read_binding(mil_reader *reader)
{
    mil_lexer ahead = reader->lexer;
    mil_token after = mil_next_token(&ahead);
    bool typed = after.kind == MIL_TOKEN_SIGN && (*after.text == '(' || *after.text == '<');
    if (!typed)
        return (mil_binding){.variable = mil_expect_name(reader, "a variable or a value")};
    mil_value value, *copy = arena_take(reader->build.arena, sizeof *copy);
    mil_read_typed(reader, &value, 0);
    if (!copy)
        mil_fail_memory(reader);
    else
        *copy = value;
    return (mil_binding){.value = copy};
}

static void read_argument(mil_reader *reader)
{
    mil_argument argument = {.name = mil_expect_name(reader, "an argument")};
    mil_expect_sign(reader, '=');
    size_t mark = reader->build.used;
    argument.tuple = mil_take_sign(reader, '(');
    if (!argument.tuple || !mil_is_sign(reader, ')')) {
        do {
            mil_binding binding = read_binding(reader);
            mil_reader_push(reader, &binding, sizeof binding);
        } while (argument.tuple && mil_take_comma(reader));
    }
    if (argument.tuple)
        mil_expect_sign(reader, ')');
    argument.bindings =
        mil_reader_collect(reader, mark, sizeof *argument.bindings, &argument.count);
    mil_reader_push(reader, &argument, sizeof argument);
}

/* A name and '(' begin an operation without outputs: write_state is one. */
static bool has_outputs(const mil_reader *reader)
{
    mil_lexer ahead = reader->lexer;
    mil_token after = mil_next_token(&ahead);
    return reader->next.kind != MIL_TOKEN_NAME || after.kind != MIL_TOKEN_SIGN ||
           *after.text != '(';
}

static void read_body(mil_reader *reader, mil_block *block, unsigned depth);

static void read_operation(mil_reader *reader, unsigned depth)
{
    mil_operation operation = {.at = mil_reader_at(reader)};
    if (has_outputs(reader)) {
        operation.outputs = read_variables(reader, &operation.output_count);
        mil_expect_sign(reader, '=');
    }
    operation.kind = mil_expect_name(reader, "an operation");
    mil_expect_sign(reader, '(');
    size_t mark = reader->build.used;
    if (!mil_is_sign(reader, ')')) {
        do {
            read_argument(reader);
        } while (mil_take_comma(reader));
    }
    mil_expect_sign(reader, ')');
    operation.arguments =
        mil_reader_collect(reader, mark, sizeof *operation.arguments, &operation.argument_count);
    if (mil_is_sign(reader, '['))
        operation.attributes = read_attributes(reader);
    while (mil_is_sign(reader, '(')) {
        mil_block block = {0};
        block.inputs = read_parameters(reader, &block.input_count);
        read_body(reader, &block, depth + 1);
        mil_reader_push(reader, &block, sizeof block);
    }
    operation.blocks =
        mil_reader_collect(reader, mark, sizeof *operation.blocks, &operation.block_count);
    mil_expect_sign(reader, ';');
    mil_reader_push(reader, &operation, sizeof operation);
}

static void read_outputs(mil_reader *reader, mil_block *block)
{
    size_t mark = reader->build.used;
    mil_expect_word(reader, "->");
    mil_expect_sign(reader, '(');
    do {
        const char *name = mil_expect_name(reader, "an output");
        mil_reader_push(reader, &name, sizeof name);
    } while (mil_take_comma(reader));
    mil_expect_sign(reader, ')');
    block->outputs = mil_reader_collect(reader, mark, sizeof *block->outputs, &block->output_count);
}

static void read_body(mil_reader *reader, mil_block *block, unsigned depth)
{
    if (depth > MIL_MAX_DEPTH) {
        mil_fail(reader, "blocks more than %d deep", MIL_MAX_DEPTH);
        return;
    }
    size_t mark = reader->build.used;
    mil_expect_sign(reader, '{');
    while (mil_reader_ok(reader) && !mil_take_sign(reader, '}'))
        read_operation(reader, depth);
    block->operations =
        mil_reader_collect(reader, mark, sizeof *block->operations, &block->operation_count);
    read_outputs(reader, block);
}

static void read_function(mil_reader *reader)
{
    mil_function function = {0};
    mil_expect_word(reader, "func");
    function.name = mil_expect_name(reader, "a function");
    mil_expect_sign(reader, '<');
    function.opset = mil_expect_name(reader, "an opset");
    mil_expect_sign(reader, '>');
    function.body.inputs = read_parameters(reader, &function.body.input_count);
    if (mil_is_sign(reader, '['))
        function.attributes = read_attributes(reader);
    read_body(reader, &function.body, 0);
    mil_expect_sign(reader, ';');
    mil_reader_push(reader, &function, sizeof function);
}

static const char *read_version(mil_reader *reader)
{
    mil_expect_word(reader, "program");
    mil_expect_sign(reader, '(');
    const char *version = arena_text(reader->build.arena, reader->next.text, reader->next.length);
    if (reader->next.kind != MIL_TOKEN_NUMBER)
        mil_fail(reader, "a version is expected");
    else if (!version)
        mil_fail_memory(reader);
    mil_advance(reader);
    mil_expect_sign(reader, ')');
    return version;
}

static void read_program(mil_reader *reader, mil_program *program)
{
    *program = (mil_program){.version = read_version(reader)};
    if (mil_is_sign(reader, '['))
        program->attributes = read_attributes(reader);
    size_t mark = reader->build.used;
    mil_expect_sign(reader, '{');
    while (mil_reader_ok(reader) && !mil_take_sign(reader, '}'))
        read_function(reader);
    program->functions =
        mil_reader_collect(reader, mark, sizeof *program->functions, &program->function_count);
    if (program->function_count == 0)
        mil_fail(reader, "a program without functions");
    if (reader->next.kind != MIL_TOKEN_END)
        mil_fail(reader, "the text goes on behind the program");
}

yoke_status mil_parse(const char *text, size_t size, const char *path, arena *memory,
                      mil_program *program, yoke_error *err)
{
    mil_reader reader = {.lexer = {.text = text, .size = size},
                         .next = {.text = text},
                         .build = {.arena = memory},
                         .path = path,
                         .err = err};
    mil_advance(&reader);
    read_program(&reader, program);
    mil_build_free(&reader.build);
    return reader.status;
}
