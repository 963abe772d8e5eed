#include "variables.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

bool variables_refuse(variables *s, const mil_operation *operation, const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    snprintf(s->why, s->room, "%s %s: %s", operation->kind, operation->outputs[0].name, reason);
    return false;
}

bool variables_add(variables *s, const char *name, tensor value, mil_text text)
{
    named_tensor **grown = realloc(s->list, (s->count + 1) * sizeof *grown);
    named_tensor *added = grown ? malloc(sizeof *added) : NULL;
    if (grown)
        s->list = grown;
    if (!added)
        return false;
    *added = (named_tensor){name, value, text};
    s->list[s->count++] = added;
    return true;
}

const named_tensor *variables_find(const variables *s, const char *name)
{
    for (const variables *in = s; in; in = in->outer)
        for (size_t i = 0; i < in->count; i++)
            if (in->list[i]->name && strcmp(in->list[i]->name, name) == 0)
                return in->list[i];
    return NULL;
}

static const named_tensor *of_value(variables *s, const mil_value *value)
{
    tensor made;
    if (!value_read(s->files, value, &made, s->why, s->room))
        return NULL;
    const mil_text none = {"", 0};
    if (!variables_add(s, NULL, made, value->kind == MIL_STRINGS ? value->strings[0] : none)) {
        free(made.values);
        return NULL;
    }
    return s->list[s->count - 1];
}

static const named_tensor *find_operand(variables *s, const mil_operation *operation,
                                        const char *name, size_t index)
{
    const mil_argument *argument = mil_find_argument(operation, name);
    const mil_value *value = mil_find_attribute(&operation->attributes, name);
    const named_tensor *found = NULL;
    s->why[0] = '\0';
    if (argument && index < argument->count) {
        const mil_binding *binding = &argument->bindings[index];
        found =
            binding->variable ? variables_find(s, binding->variable) : of_value(s, binding->value);
    } else if (!argument && value && index == 0) {
        found = of_value(s, value);
    }
    if (!found && !s->why[0])
        variables_refuse(s, operation, "no argument %s", name);
    return found;
}

bool variables_has(const mil_operation *operation, const char *name)
{
    return mil_find_argument(operation, name) || mil_find_attribute(&operation->attributes, name);
}

const tensor *variables_tuple_operand(variables *s, const mil_operation *operation,
                                      const char *name, size_t index)
{
    const named_tensor *found = find_operand(s, operation, name, index);
    return found ? &found->value : NULL;
}

const tensor *variables_operand(variables *s, const mil_operation *operation, const char *name)
{
    return variables_tuple_operand(s, operation, name, 0);
}

const char *variables_text(variables *s, const mil_operation *operation, const char *name)
{
    const named_tensor *found = find_operand(s, operation, name, 0);
    return found ? found->text.text : "";
}

bool variables_integers_are(variables *s, const mil_operation *operation, const char *name,
                            size_t count, long value)
{
    const tensor *t = variables_operand(s, operation, name);
    if (!t)
        return false;
    bool all = t->count == count && t->values;
    for (size_t i = 0; all && i < count; i++)
        all = t->values[i] == (float)value;
    return all || variables_refuse(s, operation, "%s is not %zu times %ld", name, count, value);
}

long variables_integer(variables *s, const mil_operation *operation, const char *name, long missing)
{
    const tensor *t = variables_operand(s, operation, name);
    if (t && t->count == 1 && t->values)
        return (long)t->values[0];
    if (t)
        variables_refuse(s, operation, "%s is not one number", name);
    return missing;
}

void variables_free(variables *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->list[i]->value.values);
        free(s->list[i]);
    }
    free(s->list);
    *s = (variables){0};
}
