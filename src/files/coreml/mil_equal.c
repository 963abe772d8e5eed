/* Structural equality of programs. */
#include <string.h>

#include "files/coreml/mil.h"

static bool sizes_fit(const mil_type *a, const mil_type *b, bool open)
{
    if (a->element != b->element || a->rank != b->rank)
        return false;
    for (unsigned i = 0; i < a->rank; i++)
        if (a->shape[i] != b->shape[i] && !(open && b->shape[i] == MIL_UNKNOWN))
            return false;
    return true;
}

static bool fits(const mil_type *a, const mil_type *b, bool open)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == MIL_TENSOR)
        return sizes_fit(a, b, open);
    if (a->item_count != b->item_count)
        return false;
    if (a->kind == MIL_LIST && a->length != b->length && !(open && b->length == MIL_UNKNOWN))
        return false;
    for (size_t i = 0; i < a->item_count; i++)
        if (!fits(&a->items[i], &b->items[i], open))
            return false;
    return true;
}

bool mil_type_equal(const mil_type *a, const mil_type *b)
{
    return fits(a, b, false);
}

bool mil_type_fits(const mil_type *type, const mil_type *container)
{
    return fits(type, container, true);
}

static bool text_equal(mil_text a, mil_text b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool is_nan(mil_element element, const uint8_t *at)
{
    uint16_t half;
    float single;
    double wide;
    switch (element) {
    case MIL_FP16: memcpy(&half, at, sizeof half); return (half & 0x7fffu) > 0x7c00u;
    case MIL_BF16: memcpy(&half, at, sizeof half); return (half & 0x7fffu) > 0x7f80u;
    case MIL_FP32: memcpy(&single, at, sizeof single); return single != single;
    case MIL_FP64: memcpy(&wide, at, sizeof wide); return wide != wide;
    case MIL_FP8E4M3FN: return (*at & 0x7fu) == 0x7fu;
    case MIL_FP8E5M2: return (*at & 0x7fu) > 0x7cu;
    default: return false;
    }
}

/* Text has one NaN, so that all of them are the same. */
static bool data_equal(const mil_value *a, const mil_value *b)
{
    size_t bytes = mil_element_bytes(a->type.element);
    for (size_t i = 0; i < a->count; i++) {
        const uint8_t *left = (const uint8_t *)a->data + i * bytes;
        const uint8_t *right = (const uint8_t *)b->data + i * bytes;
        if (memcmp(left, right, bytes) != 0 &&
            !(is_nan(a->type.element, left) && is_nan(b->type.element, right)))
            return false;
    }
    return true;
}

static bool value_equal(const mil_value *a, const mil_value *b)
{
    if (!mil_type_equal(&a->type, &b->type) || a->kind != b->kind || a->count != b->count)
        return false;
    size_t items = a->kind == MIL_PAIRS ? 2 * a->count : a->count;
    switch (a->kind) {
    case MIL_DATA: return data_equal(a, b);
    case MIL_BLOB: return text_equal(a->path, b->path) && a->offset == b->offset;
    case MIL_STRINGS:
        for (size_t i = 0; i < items; i++)
            if (!text_equal(a->strings[i], b->strings[i]))
                return false;
        return true;
    default:
        for (size_t i = 0; i < items; i++)
            if (!value_equal(&a->items[i], &b->items[i]))
                return false;
        return true;
    }
}

static bool attributes_equal(const mil_attributes *a, const mil_attributes *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->list[i].name, b->list[i].name) != 0 ||
            !value_equal(&a->list[i].value, &b->list[i].value))
            return false;
    return true;
}

static bool variables_equal(const mil_variable *a, const mil_variable *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(a[i].name, b[i].name) != 0 || !mil_type_equal(&a[i].type, &b[i].type))
            return false;
    return true;
}

static bool argument_equal(const mil_argument *a, const mil_argument *b)
{
    if (strcmp(a->name, b->name) != 0 || a->count != b->count || a->tuple != b->tuple)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const mil_binding *left = &a->bindings[i], *right = &b->bindings[i];
        if (!left->variable != !right->variable)
            return false;
        if (left->variable ? strcmp(left->variable, right->variable) != 0
                           : !value_equal(left->value, right->value))
            return false;
    }
    return true;
}

static bool block_equal(const mil_block *a, const mil_block *b);

static bool operation_equal(const mil_operation *a, const mil_operation *b)
{
    if (strcmp(a->kind, b->kind) != 0 || a->output_count != b->output_count ||
        a->argument_count != b->argument_count || a->block_count != b->block_count ||
        !variables_equal(a->outputs, b->outputs, a->output_count) ||
        !attributes_equal(&a->attributes, &b->attributes))
        return false;
    for (size_t i = 0; i < a->argument_count; i++)
        if (!argument_equal(&a->arguments[i], &b->arguments[i]))
            return false;
    for (size_t i = 0; i < a->block_count; i++)
        if (!block_equal(&a->blocks[i], &b->blocks[i]))
            return false;
    return true;
}

static bool block_equal(const mil_block *a, const mil_block *b)
{
    if (a->input_count != b->input_count || a->operation_count != b->operation_count ||
        a->output_count != b->output_count ||
        !variables_equal(a->inputs, b->inputs, a->input_count))
        return false;
    for (size_t i = 0; i < a->operation_count; i++)
        if (!operation_equal(&a->operations[i], &b->operations[i]))
            return false;
    for (size_t i = 0; i < a->output_count; i++)
        if (strcmp(a->outputs[i], b->outputs[i]) != 0)
            return false;
    return true;
}

bool mil_equal(const mil_program *a, const mil_program *b)
{
    if (strcmp(a->version, b->version) != 0 || a->function_count != b->function_count ||
        !attributes_equal(&a->attributes, &b->attributes))
        return false;
    for (size_t i = 0; i < a->function_count; i++) {
        const mil_function *left = &a->functions[i], *right = &b->functions[i];
        if (strcmp(left->name, right->name) != 0 || strcmp(left->opset, right->opset) != 0 ||
            !attributes_equal(&left->attributes, &right->attributes) ||
            !block_equal(&left->body, &right->body))
            return false;
    }
    return true;
}
