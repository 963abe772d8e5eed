#include "files/coreml/coreml.h"

#include <stdio.h>
#include <string.h>

#include "files/coreml/blob.h"
#include "files/coreml/bundle.h"
#include "files/coreml/mil_parse.h"
#include "files/coreml/model.h"
#include "files/coreml/product.h"
#include "files/coreml/summary.h"
#include "files/coreml/tensors.h"
#include "files/text.h"

static bool is_text(const mapping *map)
{
    static const char start[] = "program(";
    size_t length = strlen(start);
    return map->size >= length && memcmp(map->bytes, start, length) == 0;
}

bool coreml_is_program(const mapping *map, const char *path)
{
    return is_text(map) || text_ends_with(path, ".mil") || text_ends_with(path, ".mlmodel");
}

static yoke_status read_program(yoke_file *file, bundle *of, yoke_error *err)
{
    const mapping *map = &file->parts[0].map;
    if (text_ends_with(of->path, ".mlmodel") && !is_text(map)) {
        snprintf(file->kind, sizeof file->kind, "coreml mlmodel");
        return model_parse(map->bytes, map->size, of->path, &file->arena, &of->program, err);
    }
    yoke_status status =
        mil_parse((const char *)map->bytes, map->size, of->path, &file->arena, &of->program, err);
    if (status == YOKE_OK)
        snprintf(file->kind, sizeof file->kind, "coreml mil %.8s", of->program.version);
    return status;
}

static yoke_status read_weights(yoke_file *file, const bundle *of, const mil_function *function,
                                yoke_error *err)
{
    scope definitions;
    yoke_status status = scope_create(function, file->names.seed, of->path, &definitions, err);
    if (status != YOKE_OK)
        return status;
    product_mark(function, &definitions);
    status = tensors_add(file, of, function, &definitions, err);
    if (status == YOKE_OK)
        status = heads_add(file, of, function, &definitions, err);
    scope_free(&definitions);
    return status;
}

yoke_status coreml_read(yoke_file *file, yoke_error *err)
{
    const char *path = file->parts[0].path;
    bundle *of = arena_take(&file->arena, sizeof *of);
    if (!of)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for the program", path);
    *of = (bundle){.path = path, .root_length = (size_t)(text_base_name(path) - path)};
    yoke_status status = read_program(file, of, err);
    if (status == YOKE_OK)
        status = summary_make(file, of, err);
    for (size_t i = 0; i < of->program.function_count && status == YOKE_OK; i++)
        status = read_weights(file, of, &of->program.functions[i], err);
    if (status == YOKE_OK)
        file->bundle = of;
    return status;
}

static yoke_status add_blob(yoke_file *file, uint64_t at, const blob *found, yoke_error *err)
{
    char name[32];
    int length = snprintf(name, sizeof name, "blob%ju", (uintmax_t)at);
    const mil_element_info *element = mil_element_get(found->element);
    yoke_tensor tensor = {.name = name,
                          .name_length = (size_t)length,
                          .format = element->format,
                          .type_name = element->name,
                          .rank = 1,
                          .shape = &found->elements,
                          .offset = found->offset,
                          .bytes = found->bytes};
    return file_add_tensor(file, &tensor, (size_t)at, err);
}

yoke_status coreml_read_blobs(yoke_file *file, yoke_error *err)
{
    const file_part *part = &file->parts[0];
    yoke_status status = blob_check_header(&part->map, part->path, err);
    blob found;
    uint64_t at = status == YOKE_OK ? blob_after(&part->map, NULL) : 0;
    snprintf(file->kind, sizeof file->kind, "coreml weights v2");
    while (at != 0 && status == YOKE_OK) {
        status = blob_read(&part->map, part->path, at, &found, err);
        if (status == YOKE_OK)
            status = add_blob(file, at, &found, err);
        if (status == YOKE_OK)
            at = blob_after(&part->map, &found);
    }
    /* Some writers count too few; those that are counted must be there. */
    if (status == YOKE_OK && file->tensor_count < blob_count(&part->map))
        status = yoke_error_set(err, YOKE_ERR_FORMAT,
                                "%s: count, byte 0: %ju blobs, but only %zu are there", part->path,
                                (uintmax_t)blob_count(&part->map), file->tensor_count);
    return status;
}
