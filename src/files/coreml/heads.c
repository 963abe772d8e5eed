/* Heads that were cut into products over one input, because an engine takes no more outputs at
 * once: measured as the one weight that they are. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/coreml/tensors.h"
#include "files/coreml/weight.h"

/* Several products over one input are common (queries, keys, values); as outputs of a function only
 * many equal ones are taken for a head. */
enum { LEAST_JOINED = 2, LEAST_OUTPUTS = 4, MAX_STEPS = 8 };

typedef struct head {
    const weight **parts;
    const file_tensor **tensors;
    size_t count;
    const char *input; /* the variable that all parts multiply */
    size_t rows;
    uint64_t bytes;
    bool equal; /* parts of the same size */
} head;

static bool is_one_of(const char *kind, const char *const *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return true;
    return false;
}

/* The product that a variable is the result of, looking through what only changes its shape. */
static const mil_operation *find_product(const scope *definitions, const char *variable)
{
    static const char *const shapers[] = {"squeeze",   "expand_dims", "reshape",
                                          "transpose", "cast",        "identity"};
    for (unsigned step = 0; step < MAX_STEPS && variable; step++) {
        const scope_entry *entry = scope_find(definitions, variable);
        if (!entry)
            return NULL;
        const char *kind = entry->operation->kind;
        if (strcmp(kind, "conv") == 0 || strcmp(kind, "linear") == 0)
            return entry->operation;
        if (!is_one_of(kind, shapers, sizeof shapers / sizeof *shapers))
            return NULL;
        variable = scope_variable(entry->operation, "x");
    }
    return NULL;
}

/* The listed tensor that is the weight of a product, and its input; NULL when it is none. */
static const file_tensor *product_weight(const yoke_file *file, const scope *definitions,
                                         const mil_operation *product, const char **input)
{
    const char *variable = product ? scope_variable(product, "weight") : NULL;
    const scope_entry *entry = variable ? scope_find(definitions, variable) : NULL;
    *input = product ? scope_variable(product, "x") : NULL;
    if (!entry || !entry->product || !entry->tensor_plus_1 || !*input)
        return NULL;
    const file_tensor *tensor = &file->tensors[entry->tensor_plus_1 - 1];
    return tensor->source ? tensor : NULL;
}

/* Takes the weight behind a variable for the next part; false when it is none that fits. */
static bool take_part(const yoke_file *file, const scope *definitions, const char *variable,
                      head *out)
{
    const char *input;
    const file_tensor *tensor =
        product_weight(file, definitions, find_product(definitions, variable), &input);
    if (!tensor)
        return false;
    const weight *part = tensor->source;
    if (out->count > 0) {
        const weight *first = out->parts[0];
        if (strcmp(input, out->input) != 0 || part->cols != first->cols ||
            part->format != first->format)
            return false;
        out->equal = out->equal && part->rows == first->rows;
    }
    if (!size_add(out->rows, part->rows, &out->rows))
        return false;
    out->input = input;
    out->tensors[out->count] = tensor;
    out->parts[out->count++] = part;
    out->bytes += tensor->seen.bytes;
    return true;
}

/* What the names of all parts begin with, without the separator behind it; "" when too
 * little. */
static size_t common_length(const head *of)
{
    const yoke_tensor *first = &of->tensors[0]->seen;
    size_t length = first->name_length;
    for (size_t i = 1; i < of->count; i++) {
        const yoke_tensor *other = &of->tensors[i]->seen;
        size_t same = 0;
        while (same < length && same < other->name_length && first->name[same] == other->name[same])
            same++;
        length = same;
    }
    while (length > 0 && strchr("_.", first->name[length - 1]))
        length--;
    return length;
}

/* The parts' common name, or that of what joins them; in the arena. */
static char *head_name(yoke_file *file, const head *of, const char *joined)
{
    size_t length = common_length(of);
    const char *base = of->tensors[0]->seen.name;
    if (length == 0 || yoke_file_find(file, base, length)) {
        base = joined;
        length = strlen(joined);
    }
    static const char suffix[] = ".head";
    char *name = arena_take(&file->arena, length + sizeof suffix);
    if (!name)
        return NULL;
    memcpy(name, base, length);
    strcpy(name + length, yoke_file_find(file, base, length) ? suffix : "");
    return name;
}

static yoke_status head_memory(const bundle *from, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its weights", from->path);
}

static size_t common_divisor(size_t a, size_t b)
{
    while (b != 0) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* One format for all parts, whose table then has an entry for as many rows as divide those of each
 * part's. None when they differ, or when the table would outgrow the elements. */
static native joined_native(const head *of)
{
    native joined = of->parts[0]->native;
    for (size_t i = 1; i < of->count; i++) {
        if (of->parts[i]->native.format != joined.format)
            return (native){.format = YOKE_FORMAT_NONE};
        joined.table_rows = common_divisor(joined.table_rows, of->parts[i]->native.table_rows);
    }
    const yoke_format_info *info = yoke_format_get(joined.format);
    size_t cols = of->parts[0]->cols;
    if (joined.format == YOKE_FORMAT_NONE ||
        info->table_bytes / joined.table_rows > cols / info->block * info->block_bytes)
        return (native){.format = YOKE_FORMAT_NONE};
    return joined;
}

static weight *keep_weight(yoke_file *file, const head *of)
{
    weight *source = arena_take(&file->arena, sizeof *source);
    const weight **parts = arena_take(&file->arena, of->count * sizeof *parts);
    if (!source || !parts)
        return NULL;
    memcpy(parts, of->parts, of->count * sizeof *parts);
    *source = (weight){.parts = parts,
                       .part_count = of->count,
                       .native = joined_native(of),
                       .format = parts[0]->format,
                       .rows = of->rows,
                       .cols = parts[0]->cols};
    return source;
}

static yoke_status add_head(yoke_file *file, const bundle *from, const head *of, const char *joined,
                            yoke_error *err)
{
    weight *source = keep_weight(file, of);
    char *name = source ? head_name(file, of, joined) : NULL;
    const char *type_name = name ? weight_type_name(source, &file->arena) : NULL;
    if (!type_name)
        return head_memory(from, err);
    if (yoke_file_find(file, name, strlen(name)))
        return YOKE_OK; /* another function has the same head */
    const file_tensor *first = of->tensors[0];
    size_t part = first->part;
    uint64_t shape[2] = {of->rows, source->cols};
    yoke_tensor tensor = {.name = name,
                          .name_length = strlen(name),
                          .format = weight_format(source),
                          .type_name = type_name,
                          .rank = 2,
                          .shape = shape,
                          .offset = first->seen.offset,
                          .bytes = of->bytes,
                          .joined = true};
    yoke_status status = file_add_tensor(file, &tensor, 0, err);
    if (status != YOKE_OK)
        return status;
    file_tensor *added = &file->tensors[file->tensor_count - 1];
    added->part = part;
    added->seen.path = file->parts[part].path;
    added->source = source;
    weight_place(file, added);
    return YOKE_OK;
}

static bool head_create(head *out, size_t most)
{
    *out = (head){.equal = true};
    out->parts = calloc(most ? most : 1, sizeof *out->parts);
    out->tensors = calloc(most ? most : 1, sizeof *out->tensors);
    return out->parts && out->tensors;
}

static void head_free(head *of)
{
    free(of->parts);
    free(of->tensors);
}

/* Does the concat put the parts' outputs one behind the other, and nothing else? */
static bool joins(const scope *definitions, const mil_operation *concat, const head *of)
{
    const mil_type *type = &concat->outputs[0].type;
    int64_t axis = scope_integer(definitions, concat, "axis", INT64_MAX);
    if (axis < 0)
        axis += type->rank;
    return type->kind == MIL_TENSOR && axis >= 0 && axis < type->rank &&
           type->shape[axis] == of->rows && !scope_bool(definitions, concat, "interleave", false);
}

static yoke_status add_concat(yoke_file *file, const bundle *from, const scope *definitions,
                              const mil_operation *concat, yoke_error *err)
{
    const mil_argument *values = mil_find_argument(concat, "values");
    if (!values || values->count < LEAST_JOINED || concat->output_count != 1)
        return YOKE_OK;
    head found;
    bool memory = head_create(&found, values->count), whole = memory;
    for (size_t i = 0; i < values->count && whole; i++)
        whole = values->bindings[i].variable &&
                take_part(file, definitions, values->bindings[i].variable, &found);
    yoke_status status = memory ? YOKE_OK : head_memory(from, err);
    if (whole && joins(definitions, concat, &found))
        status = add_head(file, from, &found, concat->outputs[0].name, err);
    head_free(&found);
    return status;
}

static yoke_status add_outputs(yoke_file *file, const bundle *from, const mil_function *function,
                               const scope *definitions, yoke_error *err)
{
    const mil_block *body = &function->body;
    if (body->output_count < LEAST_OUTPUTS)
        return YOKE_OK;
    head found;
    bool memory = head_create(&found, body->output_count);
    for (size_t i = 0; i < body->output_count && memory; i++)
        take_part(file, definitions, body->outputs[i], &found);
    yoke_status status = memory ? YOKE_OK : head_memory(from, err);
    if (memory && found.count >= LEAST_OUTPUTS && found.equal)
        status = add_head(file, from, &found, body->outputs[0], err);
    head_free(&found);
    return status;
}

yoke_status heads_add(yoke_file *file, const bundle *from, const mil_function *function,
                      const scope *definitions, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < definitions->count && status == YOKE_OK; i++) {
        const scope_entry *entry = &definitions->entries[i];
        if (strcmp(entry->operation->kind, "concat") == 0)
            status = add_concat(file, from, definitions, entry->operation, err);
    }
    return status == YOKE_OK ? add_outputs(file, from, function, definitions, err) : status;
}
