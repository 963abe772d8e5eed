#include "files/coreml/summary.h"

#include <stdlib.h>
#include <string.h>

#include "files/coreml/mil_print.h"

/* Every operation of a function, in any order. */
typedef struct tally {
    const mil_operation **operations;
    size_t count;
} tally;

static size_t count_operations(const mil_block *block)
{
    size_t count = block->operation_count;
    for (size_t i = 0; i < block->operation_count; i++)
        for (size_t b = 0; b < block->operations[i].block_count; b++)
            count += count_operations(&block->operations[i].blocks[b]);
    return count;
}

static void gather(tally *all, const mil_block *block)
{
    for (size_t i = 0; i < block->operation_count; i++) {
        all->operations[all->count++] = &block->operations[i];
        for (size_t b = 0; b < block->operations[i].block_count; b++)
            gather(all, &block->operations[i].blocks[b]);
    }
}

static int compare_kinds(const void *left, const void *right)
{
    return strcmp((*(const mil_operation *const *)left)->kind,
                  (*(const mil_operation *const *)right)->kind);
}

/* How many of each kind. */
static bool make_histogram(yoke_file *file, const mil_block *body, yoke_coreml_function *out)
{
    size_t count = count_operations(body);
    tally all = {.operations = malloc((count + 1) * sizeof *all.operations)};
    yoke_coreml_operation *kinds = arena_take(&file->arena, count * sizeof *kinds);
    if (all.operations && kinds) {
        gather(&all, body);
        qsort(all.operations, count, sizeof *all.operations, compare_kinds);
        for (size_t i = 0; i < count; i++) {
            const char *kind = all.operations[i]->kind;
            if (i == 0 || strcmp(kinds[out->operation_count - 1].name, kind) != 0)
                kinds[out->operation_count++] = (yoke_coreml_operation){.name = kind};
            kinds[out->operation_count - 1].count++;
        }
        out->operations = kinds;
    }
    bool good = all.operations && kinds;
    free(all.operations);
    return good;
}

static const char *type_text(yoke_file *file, const mil_type *type, const char *version)
{
    if (!type)
        return "";
    char *text = mil_print_type(type, version);
    const char *copy = text ? arena_text(&file->arena, text, strlen(text)) : NULL;
    free(text);
    return copy;
}

/* The type of an output is that of the operation, or the input, that gives it. */
static const mil_type *find_type(const mil_block *body, const char *name)
{
    for (size_t i = body->operation_count; i-- > 0;)
        for (size_t o = 0; o < body->operations[i].output_count; o++)
            if (strcmp(body->operations[i].outputs[o].name, name) == 0)
                return &body->operations[i].outputs[o].type;
    for (size_t i = 0; i < body->input_count; i++)
        if (strcmp(body->inputs[i].name, name) == 0)
            return &body->inputs[i].type;
    return NULL;
}

static bool make_variables(yoke_file *file, const mil_program *program, const mil_block *body,
                           yoke_coreml_function *out)
{
    yoke_coreml_variable *inputs = arena_take(&file->arena, body->input_count * sizeof *inputs);
    yoke_coreml_variable *outputs = arena_take(&file->arena, body->output_count * sizeof *outputs);
    bool good = inputs && outputs;
    for (size_t i = 0; i < body->input_count && good; i++) {
        inputs[i] = (yoke_coreml_variable){
            .name = body->inputs[i].name,
            .type = type_text(file, &body->inputs[i].type, program->version)};
        good = inputs[i].type != NULL;
    }
    for (size_t i = 0; i < body->output_count && good; i++) {
        outputs[i] = (yoke_coreml_variable){
            .name = body->outputs[i],
            .type = type_text(file, find_type(body, body->outputs[i]), program->version)};
        good = outputs[i].type != NULL;
    }
    out->inputs = inputs;
    out->input_count = body->input_count;
    out->outputs = outputs;
    out->output_count = body->output_count;
    return good;
}

yoke_status summary_make(yoke_file *file, bundle *of, yoke_error *err)
{
    const mil_program *program = &of->program;
    of->functions = arena_take(&file->arena, program->function_count * sizeof *of->functions);
    bool good = of->functions != NULL;
    for (size_t i = 0; i < program->function_count && good; i++) {
        const mil_function *function = &program->functions[i];
        of->functions[i] = (yoke_coreml_function){.name = function->name, .opset = function->opset};
        good = make_histogram(file, &function->body, &of->functions[i]) &&
               make_variables(file, program, &function->body, &of->functions[i]);
    }
    return good ? YOKE_OK
                : yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its functions", of->path);
}

size_t yoke_coreml_function_count(const yoke_file *file)
{
    return file->bundle ? file->bundle->program.function_count : 0;
}

const yoke_coreml_function *yoke_coreml_function_get(const yoke_file *file, size_t index)
{
    return index < yoke_coreml_function_count(file) ? &file->bundle->functions[index] : NULL;
}
