/* The products that a file's tensors are: every matrix but the tables, an expert as often as a
 * token uses one. */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "planner/model.h"
#include "planner/role.h"

typedef struct walk {
    yoke_planner_model *model;
    const model_facts *facts;
    yoke_format format;         /* of all matrices; NONE: as stored */
    const yoke_tensor *words;   /* the embedding */
    bool head;                  /* there is one */
    bool mixture;               /* there are experts */
    bool experts;               /* and how many of them are used is known */
    size_t packed, other_ranks; /* passed over */
    yoke_error *err;
} walk;

/* Can its elements be multiplied by, one by one? Not integers that hold several packed weights. */
static bool is_weight(yoke_format format)
{
    return format != YOKE_FORMAT_NONE && !(format >= YOKE_BOOL && format <= YOKE_C128);
}

static uint64_t elements_of(const yoke_tensor *tensor)
{
    uint64_t elements = 1;
    for (unsigned i = 0; i < tensor->rank; i++)
        elements *= tensor->shape[i]; /* the reader has checked that this fits */
    return elements;
}

static yoke_format format_of(const walk *w, const yoke_tensor *tensor)
{
    return w->format == YOKE_FORMAT_NONE ? tensor->format : w->format;
}

/* How many of the file's experts a token uses of this tensor's. */
static size_t used_experts(walk *w, size_t all)
{
    if (w->facts->experts_used == 0 || w->facts->experts_used > all)
        return all;
    w->experts = true;
    return w->facts->experts_used;
}

static yoke_status add_expert(walk *w, const yoke_tensor *tensor, yoke_planner_product *product)
{
    /* In one tensor all of a layer, or a tensor each. */
    size_t all = tensor->rank == 3 ? (size_t)tensor->shape[0] : 1;
    yoke_status status = model_add_weights(w->model, elements_of(tensor), product->format, w->err);
    if (tensor->rank == 3)
        product->count = used_experts(w, all);
    return status == YOKE_OK ? model_add_product(w->model, product, w->err) : status;
}

static yoke_status add_matrix(walk *w, const yoke_tensor *tensor, const role *r)
{
    const uint64_t *shape = tensor->shape + (tensor->rank - 2);
    yoke_planner_product product = {.n = (size_t)shape[r->turned ? 1 : 0],
                                    .k = (size_t)shape[r->turned ? 0 : 1],
                                    .count = 1,
                                    .format = format_of(w, tensor)};
    memcpy(product.role, r->text, sizeof product.role);
    product.last_row = strcmp(r->text, "head") == 0;
    w->head = w->head || product.last_row;
    w->mixture = w->mixture || r->expert;
    if (r->expert)
        return add_expert(w, tensor, &product);
    return yoke_planner_model_add(w->model, &product, w->err);
}

static yoke_status add_tensor(walk *w, const yoke_tensor *tensor)
{
    role r = role_of(tensor);
    if (!is_weight(tensor->format)) {
        w->packed++;
        return YOKE_OK;
    }
    bool matrix = tensor->rank == 2 || (tensor->rank == 3 && r.expert);
    if (matrix && !r.embedding && elements_of(tensor) > 0)
        return add_matrix(w, tensor, &r);
    if (r.words && tensor->rank == 2)
        w->words = tensor;
    w->other_ranks += tensor->rank > 2;
    yoke_format format = tensor->rank == 1 ? tensor->format : format_of(w, tensor);
    return model_add_weights(w->model, elements_of(tensor), format, w->err);
}

/* Does what is said of experts go together? */
static yoke_status check_experts(const walk *w)
{
    size_t all = w->facts->experts, used = w->facts->experts_used;
    if (all == 0 || used <= all)
        return YOKE_OK;
    return yoke_error_set(w->err, YOKE_ERR_FORMAT,
                          "%s: experts: a token uses %zu of a layer's, which has %zu",
                          w->model->info.source, used, all);
}

/* A file with a tensor for each expert names them all; only some are used. */
static yoke_status scale_experts(walk *w)
{
    size_t all = w->facts->experts, used = w->facts->experts_used;
    if (all == 0 || used == 0 || w->experts || !w->mixture)
        return YOKE_OK;
    for (size_t i = 0; i < w->model->count; i++) {
        yoke_planner_product *p = &w->model->products[i];
        if (strncmp(p->role, "expert ", 7) != 0)
            continue;
        if (p->count < all)
            return yoke_error_set(w->err, YOKE_ERR_FORMAT,
                                  "%s: experts: %zu are said to be in a layer, but there are %zu "
                                  "tensors \"%s\"",
                                  w->model->info.source, all, p->count, p->role);
        p->count = size_ceil_div(p->count, all) * used;
    }
    w->experts = true;
    return YOKE_OK;
}

static yoke_status add_tied_head(walk *w)
{
    if (w->head || !w->words || !w->facts->tied)
        return YOKE_OK;
    yoke_planner_product head = {.role = "head",
                                 .n = (size_t)w->words->shape[0],
                                 .k = (size_t)w->words->shape[1],
                                 .count = 1,
                                 .format = format_of(w, w->words),
                                 .last_row = true};
    return model_add_product(w->model, &head, w->err);
}

/* Keys and values of a position, from the products that make them. */
static void find_cache(yoke_planner_model *model)
{
    size_t elements = 0, layers = 0;
    for (size_t i = 0; i < model->count; i++) {
        const yoke_planner_product *p = &model->products[i];
        bool fused = strcmp(p->role, "qkv") == 0 && p->n > p->k, k = strcmp(p->role, "k") == 0;
        if (fused)
            elements += (p->n - p->k) * p->count; /* there are as many queries as inputs */
        else if (k || strcmp(p->role, "v") == 0)
            elements += p->n * p->count;
        layers += fused || k ? p->count : 0;
    }
    model->info.kv_layers = layers;
    model->info.kv_width = layers > 0 ? elements / layers : 0;
}

static void write_note(const walk *w)
{
    char *note = w->model->info.note;
    size_t room = sizeof w->model->info.note, used = 0;
    if (w->packed > 0)
        used = (size_t)snprintf(note, room, "not counted, packed integers: %zu; ", w->packed);
    if (w->other_ranks > 0)
        used +=
            (size_t)snprintf(note + used, room - used,
                             "no products, of three dimensions and more: %zu; ", w->other_ranks);
    if (w->experts)
        used += (size_t)snprintf(note + used, room - used,
                                 "a token uses %zu experts of a layer; a prompt reads more; ",
                                 w->facts->experts_used);
    else if (w->mixture)
        used += (size_t)snprintf(note + used, room - used,
                                 "all experts counted: how many a token uses is not known; ");
    if (used > 0)
        note[used - 2] = '\0'; /* the last "; " */
}

yoke_status model_add_tensors(yoke_planner_model *model, const yoke_file *file,
                              const model_facts *facts, yoke_format format, yoke_error *err)
{
    walk w = {.model = model, .facts = facts, .format = format, .err = err};
    yoke_status status = check_experts(&w);
    const yoke_tensor *tensor;
    for (size_t i = 0; status == YOKE_OK && (tensor = yoke_file_tensor(file, i)); i++)
        status = add_tensor(&w, tensor);
    if (status == YOKE_OK)
        status = scale_experts(&w);
    if (status == YOKE_OK)
        status = add_tied_head(&w);
    if (status != YOKE_OK)
        return status;
    find_cache(model);
    write_note(&w);
    if (model->count == 0)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "%s: no weight products in its %zu tensors", model->info.source,
                              yoke_file_tensor_count(file));
    return YOKE_OK;
}
