#include "files/coreml/scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "files/text.h"

static const mil_variable *entry_output(const scope_entry *entry)
{
    return &entry->operation->outputs[entry->output];
}

static bool entry_has_name(const void *owner, size_t number, const char *name, size_t length)
{
    const char *own = entry_output(&((const scope *)owner)->entries[number])->name;
    return strlen(own) == length && memcmp(own, name, length) == 0;
}

static bool scope_grow(scope *s)
{
    scope_entry *entries = memory_room(s->entries, s->count, &s->capacity, sizeof *s->entries);
    if (entries)
        s->entries = entries;
    return entries != NULL;
}

static yoke_status scope_add(scope *s, scope_entry entry, const char *path, yoke_error *err)
{
    const char *name = entry_output(&entry)->name;
    if (scope_find(s, name))
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: byte %zu: \"%s\" is defined twice", path,
                              entry.operation->at, text_shown(name, strlen(name)).text);
    if (scope_grow(s)) {
        s->entries[s->count] = entry;
        if (names_add(&s->names, name, strlen(name), s->count)) {
            s->count++;
            return YOKE_OK;
        }
    }
    return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its names", path);
}

static yoke_status scope_add_block(scope *s, const mil_block *block, const char *path,
                                   yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < block->operation_count && status == YOKE_OK; i++) {
        const mil_operation *operation = &block->operations[i];
        for (size_t o = 0; o < operation->output_count && status == YOKE_OK; o++)
            status = scope_add(s, (scope_entry){.operation = operation, .output = o}, path, err);
        for (size_t b = 0; b < operation->block_count && status == YOKE_OK; b++)
            status = scope_add_block(s, &operation->blocks[b], path, err);
    }
    return status;
}

yoke_status scope_create(const mil_function *function, uint64_t seed, const char *path, scope *out,
                         yoke_error *err)
{
    *out = (scope){.names = {.seed = seed}};
    yoke_status status = scope_add_block(out, &function->body, path, err);
    if (status != YOKE_OK)
        scope_free(out);
    return status;
}

void scope_free(scope *s)
{
    free(s->entries);
    names_free(&s->names);
    *s = (scope){0};
}

scope_entry *scope_find(const scope *s, const char *name)
{
    size_t number = names_find(&s->names, name, strlen(name), entry_has_name, s);
    return number == NAMES_NONE ? NULL : &s->entries[number];
}

const char *scope_variable(const mil_operation *operation, const char *name)
{
    const mil_argument *argument = mil_find_argument(operation, name);
    return argument && argument->count == 1 ? argument->bindings[0].variable : NULL;
}

/* A const's value stands among its attributes. */
static const mil_value *const_value(const mil_operation *operation)
{
    return strcmp(operation->kind, "const") == 0 ? mil_find_attribute(&operation->attributes, "val")
                                                 : NULL;
}

const mil_value *scope_value(const scope *s, const mil_operation *operation, const char *name)
{
    const mil_argument *argument = mil_find_argument(operation, name);
    if (!argument)
        return mil_find_attribute(&operation->attributes, name);
    if (argument->count != 1)
        return NULL;
    if (!argument->bindings[0].variable)
        return argument->bindings[0].value;
    const scope_entry *entry = scope_find(s, argument->bindings[0].variable);
    return entry ? const_value(entry->operation) : NULL;
}

bool scope_bool(const scope *s, const mil_operation *operation, const char *name, bool missing)
{
    const mil_value *value = scope_value(s, operation, name);
    if (!value || value->kind != MIL_DATA || value->count != 1 || value->type.element != MIL_BOOL)
        return missing;
    return *(const uint8_t *)value->data != 0;
}

int64_t scope_integer(const scope *s, const mil_operation *operation, const char *name,
                      int64_t missing)
{
    const mil_value *value = scope_value(s, operation, name);
    int32_t number;
    if (!value || value->kind != MIL_DATA || value->count != 1 || value->type.element != MIL_INT32)
        return missing;
    memcpy(&number, value->data, sizeof number);
    return number;
}

bool scope_is_constexpr(const mil_operation *operation)
{
    return strncmp(operation->kind, "constexpr_", strlen("constexpr_")) == 0;
}
