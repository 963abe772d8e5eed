/* A model: the list of its products, and what is counted of its weights. */
#include "planner/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/text.h"

void model_copy_text(char *out, size_t room, const char *text)
{
    snprintf(out, room, "%s", text);
    bool utf8 = text_is_utf8(out, strlen(out));
    for (unsigned char *c = (unsigned char *)out; *c; c++)
        if (*c < ' ' || *c == 0x7f || (!utf8 && *c > 0x7f))
            *c = '?';
}

yoke_status yoke_planner_model_create(const char *name, yoke_planner_model **model, yoke_error *err)
{
    yoke_planner_model *created = calloc(1, sizeof *created);
    if (!created)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for the model", name);
    model_copy_text(created->info.name, sizeof created->info.name, name);
    *model = created;
    return YOKE_OK;
}

void yoke_planner_model_free(yoke_planner_model *model)
{
    if (!model)
        return;
    free(model->products);
    free(model);
}

const yoke_planner_model_info *yoke_planner_model_about(const yoke_planner_model *model)
{
    return &model->info;
}

const yoke_planner_product *yoke_planner_model_product(const yoke_planner_model *model,
                                                       size_t index)
{
    return index < model->count ? &model->products[index] : NULL;
}

yoke_status model_add_weights(yoke_planner_model *model, uint64_t elements, yoke_format format,
                              yoke_error *err)
{
    const yoke_format_info *info = yoke_format_get(format);
    uint64_t blocks = elements / info->block + (elements % info->block != 0), bytes;
    if (__builtin_mul_overflow(blocks, (uint64_t)info->block_bytes, &bytes) ||
        __builtin_add_overflow(model->info.bytes, bytes, &model->info.bytes) ||
        __builtin_add_overflow(model->info.parameters, elements, &model->info.parameters))
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%s: its weights are too many to count",
                              model->info.name);
    return YOKE_OK;
}

static bool alike(const yoke_planner_product *a, const yoke_planner_product *b)
{
    return strcmp(a->role, b->role) == 0 && a->n == b->n && a->k == b->k &&
           a->format == b->format && a->last_row == b->last_row && a->no_call == b->no_call &&
           a->attachment == b->attachment;
}

/* Whole blocks, and sizes that fit. */
static yoke_status check(const yoke_planner_model *model, const yoke_planner_product *product,
                         size_t *elements, yoke_error *err)
{
    const char *name = model->info.name;
    size_t bytes;
    if (product->n == 0 || product->k == 0 || product->count == 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%s, %s: an empty product", name, product->role);
    if (product->k % yoke_format_get(product->format)->block != 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%s, %s: %zu inputs do not fit blocks of %s",
                              name, product->role, product->k,
                              yoke_format_get(product->format)->name);
    if (yoke_format_bytes(product->format, product->n, product->k, &bytes, NULL) != YOKE_OK ||
        !size_mul(bytes, product->count, &bytes) || !size_mul(product->n, product->k, elements) ||
        !size_mul(*elements, product->count, elements))
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%s, %s: too large", name, product->role);
    return YOKE_OK;
}

static yoke_status make_room(yoke_planner_model *model, yoke_error *err)
{
    size_t larger = model->capacity ? 2 * model->capacity : 16, bytes;
    yoke_planner_product *moved = NULL;
    if (model->count < model->capacity)
        return YOKE_OK;
    if (size_mul(larger, sizeof *moved, &bytes))
        moved = realloc(model->products, bytes);
    if (!moved)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its products",
                              model->info.name);
    model->products = moved;
    model->capacity = larger;
    return YOKE_OK;
}

yoke_status model_add_product(yoke_planner_model *model, const yoke_planner_product *product,
                              yoke_error *err)
{
    size_t elements = 0;
    yoke_status status = check(model, product, &elements, err);
    if (status != YOKE_OK)
        return status;
    for (size_t i = 0; i < model->count; i++) {
        yoke_planner_product *same = &model->products[i];
        size_t sum;
        if (!alike(same, product) || !size_add(same->count, product->count, &sum))
            continue;
        same->count = sum;
        return YOKE_OK;
    }
    status = make_room(model, err);
    if (status == YOKE_OK)
        model->products[model->count++] = *product;
    return status;
}

yoke_status yoke_planner_model_add(yoke_planner_model *model, const yoke_planner_product *product,
                                   yoke_error *err)
{
    size_t elements = 0;
    yoke_status status = check(model, product, &elements, err);
    if (status == YOKE_OK && !product->attachment)
        status = model_add_weights(model, elements, product->format, err);
    return status == YOKE_OK ? model_add_product(model, product, err) : status;
}
