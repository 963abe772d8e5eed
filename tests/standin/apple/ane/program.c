#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../foundation/control.h"
#include "chip.h"
#include "files/coreml/mil_parse.h"
#include "port.h"
#include "spelling.h"

#define MODEL  "model.mil"
#define FOLDER "@model_path/"

enum { PROCEDURES = 128 };

static program_fault say(char *why, size_t room, program_fault fault, const char *text)
{
    snprintf(why, room, "%s", text);
    return fault;
}

static program_fault parse(const image *files, arena *memory, mil_program *parsed, char *why,
                           size_t room)
{
    size_t size;
    yoke_error err;
    const char *text = (const char *)image_find(files, MODEL, &size);
    if (!text)
        return say(why, room, PROGRAM_NO_FILE, MODEL);
    if (!spelling_fits(text, size, !standin_switch("old_spelling_only")))
        return say(why, room, PROGRAM_INVALID_MIL, "spelling");
    if (mil_parse(text, size, MODEL, memory, parsed, &err) != YOKE_OK)
        return say(why, room, PROGRAM_INVALID_MIL, err.text);
    return PROGRAM_FINE;
}

static bool gather_blob(image *files, const char *folder, const mil_value *value)
{
    size_t size;
    if (!value || value->kind != MIL_BLOB || image_find(files, value->path.text, &size))
        return true;
    return strncmp(value->path.text, FOLDER, strlen(FOLDER)) == 0 &&
           image_add(files, folder, value->path.text, value->path.text + strlen(FOLDER));
}

static bool gather_of_operation(image *files, const char *folder, const mil_operation *operation)
{
    bool found = true;
    for (size_t i = 0; i < operation->attributes.count; i++)
        found &= gather_blob(files, folder, &operation->attributes.list[i].value);
    for (size_t i = 0; i < operation->argument_count; i++)
        for (size_t b = 0; b < operation->arguments[i].count; b++)
            found &= gather_blob(files, folder, operation->arguments[i].bindings[b].value);
    return found;
}

program_fault program_gather(const char *folder, image *out, char *why, size_t room)
{
    arena memory = {0};
    mil_program parsed;
    bool found = true;
    *out = (image){0};
    image_add(out, folder, MODEL, MODEL);
    program_fault fault = parse(out, &memory, &parsed, why, room);
    for (size_t f = 0; fault == PROGRAM_FINE && f < parsed.function_count; f++)
        for (size_t i = 0; i < parsed.functions[f].body.operation_count; i++)
            found &= gather_of_operation(out, folder, &parsed.functions[f].body.operations[i]);
    if (fault == PROGRAM_FINE && !found)
        fault = say(why, room, PROGRAM_NO_FILE, "a blob file that the program names");
    arena_free(&memory);
    if (fault != PROGRAM_FINE)
        image_free(out);
    return fault;
}

static bool is_known(const mil_operation *operation, const operation_kind *kind)
{
    const bool compressed = strncmp(operation->kind, "constexpr_", 10) == 0;
    return kind && operation->output_count == 1 &&
           !(compressed && standin_switch("no_compressed_weights"));
}

/* Adds the operation's result; a string is not computed. */
static bool run_operation(variables *s, const mil_operation *operation, const operation_kind *kind)
{
    const mil_type *type = &operation->outputs[0].type;
    const mil_value *val = mil_find_attribute(&operation->attributes, "val");
    const bool is_text = kind->constant && val && val->kind == MIL_STRINGS;
    tensor out;
    if (!tensor_make(type, kind->constant || !s->shapes_only, &out))
        return variables_refuse(s, operation, "is too large");
    if (port_axes_fit(&out) ? is_text || kind->run(s, operation, &out)
                            : variables_refuse(s, operation, "has an axis beyond the limit"))
        if (variables_add(s, operation->outputs[0].name, out,
                          is_text ? val->strings[0] : (mil_text){"", 0}))
            return true;
    free(out.values);
    return false;
}

/* Those that are constant, or the others. */
static bool run_operations(variables *s, const mil_block *body, bool constants)
{
    for (size_t i = 0; i < body->operation_count; i++) {
        const mil_operation *operation = &body->operations[i];
        const operation_kind *kind = operation_find(operation->kind);
        if (!is_known(operation, kind))
            return variables_refuse(s, operation, "is not known");
        if (kind->constant == constants && !run_operation(s, operation, kind))
            return false;
    }
    return true;
}

static bool add_inputs(variables *s, const procedure *of, const tensor *inputs)
{
    const mil_block *body = &of->function->body;
    for (size_t i = 0; i < of->input_count; i++) {
        tensor copy;
        if (!tensor_make(&body->inputs[i].type, !s->shapes_only, &copy))
            return false;
        if (copy.values)
            memcpy(copy.values, inputs[i].values, copy.count * sizeof *copy.values);
        if (!variables_add(s, body->inputs[i].name, copy, (mil_text){"", 0}))
            return free(copy.values), false;
    }
    return true;
}

/* A dry run: do all operations get what they need, and give what they say? */
static program_fault check_procedure(program *p, procedure *of)
{
    variables dry = {.outer = &of->constants,
                     .files = &p->files,
                     .shapes_only = true,
                     .why = p->why,
                     .room = sizeof p->why};
    of->constants = (variables){.files = &p->files, .why = p->why, .room = sizeof p->why};
    const bool fits =
        run_operations(&of->constants, &of->function->body, true) && add_inputs(&dry, of, NULL) &&
        run_operations(&dry, &of->function->body, false) && ports_of_outputs(of, &dry);
    variables_free(&dry);
    return fits ? PROGRAM_FINE : PROGRAM_REFUSED;
}

program_fault program_load(image *files, program *out)
{
    mil_program parsed;
    *out = (program){.files = *files};
    *files = (image){0};
    program_fault fault = parse(&out->files, &out->memory, &parsed, out->why, sizeof out->why);
    if (fault != PROGRAM_FINE)
        return fault;
    if (out->files.size > standin_number("program_bytes", 2147483648u))
        return say(out->why, sizeof out->why, PROGRAM_REFUSED, "the program is too large");
    if (parsed.function_count > standin_number("functions", PROCEDURES))
        return say(out->why, sizeof out->why, PROGRAM_INVALID_MIL, "too many functions");
    out->procedures = calloc(parsed.function_count, sizeof *out->procedures);
    if (!out->procedures)
        return PROGRAM_REFUSED;
    out->procedure_count = parsed.function_count;
    for (size_t f = 0; f < parsed.function_count && fault == PROGRAM_FINE; f++) {
        procedure *of = &out->procedures[f];
        of->function = &parsed.functions[f];
        of->name = of->function->name;
        fault = ports_of_inputs(of) ? check_procedure(out, of)
                                    : say(out->why, sizeof out->why, PROGRAM_REFUSED,
                                          "an input that surfaces cannot hold");
    }
    return fault;
}

bool program_run(const program *p, const procedure *of, const tensor *inputs, tensor *outputs,
                 char *why, size_t room)
{
    variables live = {.outer = &of->constants, .files = &p->files, .why = why, .room = room};
    why[0] = '\0';
    bool done = add_inputs(&live, of, inputs) && run_operations(&live, &of->function->body, false);
    for (size_t i = 0; done && i < of->output_count; i++) {
        const tensor *result = &variables_find(&live, of->outputs[i].name)->value;
        memcpy(outputs[i].values, result->values, result->count * sizeof *result->values);
    }
    variables_free(&live);
    return done;
}

void program_free(program *p)
{
    for (size_t i = 0; i < p->procedure_count; i++) {
        variables_free(&p->procedures[i].constants);
        free(p->procedures[i].inputs);
        free(p->procedures[i].outputs);
    }
    free(p->procedures);
    arena_free(&p->memory);
    image_free(&p->files);
    *p = (program){0};
}
