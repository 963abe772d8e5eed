#include "files/coreml/mil_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/coreml/mil_number.h"

typedef struct printer {
    char *text;
    size_t used, capacity;
    bool failed;
    bool bare_scalars; /* fp16, not tensor<fp16, []> */
} printer;

static void put(printer *p, const char *text, size_t length)
{
    if (p->failed)
        return;
    if (length >= p->capacity - p->used) {
        size_t capacity;
        char *grown = NULL;
        if (size_add(p->capacity, length + 1024, &capacity) && size_mul(capacity, 2, &capacity))
            grown = realloc(p->text, capacity);
        if (!grown) {
            p->failed = true;
            return;
        }
        p->text = grown;
        p->capacity = capacity;
    }
    memcpy(p->text + p->used, text, length);
    p->used += length;
    p->text[p->used] = '\0';
}

static void say(printer *p, const char *text)
{
    put(p, text, strlen(text));
}

/* ", " before all but the first item of a list. */
static void separate(printer *p, size_t index)
{
    if (index > 0)
        say(p, ", ");
}

static void print_integer(printer *p, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    say(p, text);
}

static void print_extent(printer *p, uint64_t extent)
{
    if (extent == MIL_UNKNOWN)
        say(p, "?");
    else
        print_integer(p, extent);
}

static void print_tensor_type(printer *p, const mil_type *type)
{
    const char *element = mil_element_get(type->element)->name;
    if (type->rank == 0 && p->bare_scalars) {
        say(p, element);
        return;
    }
    say(p, "tensor<");
    say(p, element);
    say(p, ", [");
    for (unsigned i = 0; i < type->rank; i++) {
        separate(p, i);
        print_extent(p, type->shape[i]);
    }
    say(p, "]>");
}

static void print_type(printer *p, const mil_type *type)
{
    static const char *const names[] = {
        [MIL_LIST] = "list<", [MIL_TUPLE] = "tuple<", [MIL_DICT] = "dict<", [MIL_STATE] = "state<"};
    if (type->kind == MIL_TENSOR) {
        print_tensor_type(p, type);
        return;
    }
    say(p, names[type->kind]);
    for (size_t i = 0; i < type->item_count; i++) {
        separate(p, i);
        print_type(p, &type->items[i]);
    }
    if (type->kind == MIL_LIST) {
        say(p, ", ");
        print_extent(p, type->length);
    }
    say(p, ">");
}

static void print_string(printer *p, mil_text string)
{
    say(p, "\"");
    for (size_t i = 0; i < string.length; i++) {
        char c = string.text[i], escape[8];
        if (c == '"' || c == '\\')
            snprintf(escape, sizeof escape, "\\%c", c);
        else if ((unsigned char)c < 0x20 || c == 0x7f)
            snprintf(escape, sizeof escape, "\\x%02x", (unsigned)(unsigned char)c);
        else
            snprintf(escape, sizeof escape, "%c", c);
        say(p, escape);
    }
    say(p, "\"");
}

static void print_element(printer *p, const mil_value *value, size_t index)
{
    char text[MIL_NUMBER_LENGTH];
    if (value->kind == MIL_STRINGS) {
        print_string(p, value->strings[index]);
        return;
    }
    mil_element element = value->type.element;
    mil_number_write(element, (const char *)value->data + index * mil_element_bytes(element), text);
    say(p, text);
}

/* The brackets of dimension `depth`; *index counts the elements. */
static void print_level(printer *p, const mil_value *value, unsigned depth, size_t *index)
{
    say(p, "[");
    for (uint64_t i = 0; value->count > 0 && i < value->type.shape[depth]; i++) {
        if (i > 0)
            say(p, ", ");
        if (depth + 1 < value->type.rank)
            print_level(p, value, depth + 1, index);
        else
            print_element(p, value, (*index)++);
    }
    say(p, "]");
}

static void print_typed(printer *p, const mil_value *value);

static void print_blob(printer *p, const mil_value *value)
{
    const mil_type text = {.kind = MIL_TENSOR, .element = MIL_STRING};
    const mil_type number = {.kind = MIL_TENSOR, .element = MIL_UINT64};
    mil_value path = {.type = text, .kind = MIL_STRINGS, .count = 1, .strings = &value->path};
    mil_value offset = {.type = number, .kind = MIL_DATA, .count = 1, .data = &value->offset};
    say(p, "BLOBFILE(path = ");
    print_typed(p, &path);
    say(p, ", offset = ");
    print_typed(p, &offset);
    say(p, ")");
}

static void print_value(printer *p, const mil_value *value)
{
    size_t index = 0;
    switch (value->kind) {
    case MIL_BLOB: print_blob(p, value); return;
    case MIL_DATA:
    case MIL_STRINGS:
        if (value->type.rank == 0)
            print_element(p, value, 0);
        else
            print_level(p, value, 0, &index);
        return;
    case MIL_ITEMS:
        say(p, "(");
        for (size_t i = 0; i < value->count; i++) {
            separate(p, i);
            print_value(p, &value->items[i]);
        }
        say(p, ")");
        return;
    case MIL_PAIRS:
        say(p, "{");
        for (size_t i = 0; i < value->count; i++) {
            separate(p, i);
            say(p, "{");
            print_value(p, &value->items[2 * i]);
            say(p, ", ");
            print_value(p, &value->items[2 * i + 1]);
            say(p, "}");
        }
        say(p, "}");
    }
}

static void print_typed(printer *p, const mil_value *value)
{
    print_type(p, &value->type);
    say(p, "(");
    print_value(p, value);
    say(p, ")");
}

static void print_attributes(printer *p, const mil_attributes *attributes)
{
    say(p, "[");
    for (size_t i = 0; i < attributes->count; i++) {
        separate(p, i);
        say(p, attributes->list[i].name);
        say(p, " = ");
        print_typed(p, &attributes->list[i].value);
    }
    say(p, "]");
}

static void print_variables(printer *p, const mil_variable *variables, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        separate(p, i);
        print_type(p, &variables[i].type);
        say(p, " ");
        say(p, variables[i].name);
    }
}

static void print_argument(printer *p, const mil_argument *argument)
{
    say(p, argument->name);
    say(p, argument->tuple ? " = (" : " = ");
    for (size_t i = 0; i < argument->count; i++) {
        separate(p, i);
        if (argument->bindings[i].variable)
            say(p, argument->bindings[i].variable);
        else
            print_typed(p, argument->bindings[i].value);
    }
    if (argument->tuple)
        say(p, ")");
}

static void indent(printer *p, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        say(p, "    ");
}

static void print_body(printer *p, const mil_block *block, unsigned depth);

static void print_operation(printer *p, const mil_operation *operation, unsigned depth)
{
    indent(p, depth);
    print_variables(p, operation->outputs, operation->output_count);
    if (operation->output_count > 0)
        say(p, " = ");
    say(p, operation->kind);
    say(p, "(");
    for (size_t i = 0; i < operation->argument_count; i++) {
        separate(p, i);
        print_argument(p, &operation->arguments[i]);
    }
    say(p, ")");
    if (operation->attributes.count > 0)
        print_attributes(p, &operation->attributes);
    for (size_t i = 0; i < operation->block_count; i++) {
        say(p, " (");
        print_variables(p, operation->blocks[i].inputs, operation->blocks[i].input_count);
        say(p, ")");
        print_body(p, &operation->blocks[i], depth);
    }
    say(p, ";\n");
}

static void print_body(printer *p, const mil_block *block, unsigned depth)
{
    say(p, " {\n");
    for (size_t i = 0; i < block->operation_count; i++)
        print_operation(p, &block->operations[i], depth + 1);
    indent(p, depth);
    say(p, "} -> (");
    for (size_t i = 0; i < block->output_count; i++) {
        separate(p, i);
        say(p, block->outputs[i]);
    }
    say(p, ")");
}

static void print_function(printer *p, const mil_function *function)
{
    say(p, "    func ");
    say(p, function->name);
    say(p, "<");
    say(p, function->opset);
    say(p, ">(");
    print_variables(p, function->body.inputs, function->body.input_count);
    say(p, ")");
    if (function->attributes.count > 0) {
        say(p, " ");
        print_attributes(p, &function->attributes);
    }
    print_body(p, &function->body, 1);
    say(p, ";\n");
}

static bool has_bare_scalars(const char *version)
{
    return strcmp(version, "1.0") != 0;
}

yoke_status mil_print(const mil_program *program, char **text, yoke_error *err)
{
    printer p = {.bare_scalars = has_bare_scalars(program->version)};
    say(&p, "program(");
    say(&p, program->version);
    say(&p, ")\n");
    print_attributes(&p, &program->attributes);
    say(&p, "\n{\n");
    for (size_t i = 0; i < program->function_count; i++)
        print_function(&p, &program->functions[i]);
    say(&p, "}\n");
    if (p.failed) {
        free(p.text);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for the text of a program");
    }
    *text = p.text;
    return YOKE_OK;
}

char *mil_print_type(const mil_type *type, const char *version)
{
    printer p = {.bare_scalars = has_bare_scalars(version)};
    print_type(&p, type);
    if (!p.failed)
        return p.text;
    free(p.text);
    return NULL;
}
