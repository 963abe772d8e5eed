#include "engines/ane/bank.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/size.h"
#include "engines/ane/text.h"
#include "files/coreml/blob.h"

/* A program, and its text, which the framework goes on to hold. */
typedef struct compiled {
    ane_program program;
    char *text;
} compiled;

struct ane_bank {
    size_t groups;
    atomic_size_t users, remembered; /* groups that have not left it, or not been forgotten */
    void *file; /* the weight file, shared by the programs; NULL: there is none */
    size_t file_bytes;
    compiled compiled[ANE_SIZES_MOST];
};

/* What is being made. */
typedef struct order {
    const ane_maker *maker;
    ane_prepared_group *const *groups;
    size_t count;
    ane_bank *bank;
} order;

/* The groups' files one behind the other, as one. */
static bool place_groups(const order *o)
{
    size_t bytes = BLOB_HEADER_BYTES;
    for (size_t i = 0; i < o->count; i++)
        if (!ane_layout_move(o->groups[i]->group, &bytes))
            return false;
    o->bank->file_bytes = bytes > BLOB_HEADER_BYTES ? bytes : 0;
    return true;
}

static yoke_status fill_file(const order *o, yoke_error *err)
{
    ane_bank *b = o->bank;
    if (!place_groups(o))
        return yoke_error_set(err, YOKE_ERR_SHAPE, "engine ane: the weights are too large");
    if (b->file_bytes == 0)
        return YOKE_OK;
    b->file = memory_map(b->file_bytes);
    if (!b->file)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: no %zu bytes for a weight file",
                              b->file_bytes);
    uint32_t blobs = 0;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < o->count && status == YOKE_OK; i++) {
        ane_prepared_group *g = o->groups[i];
        status = ane_layout_fill(g->group, g->encoding, b->file, &blobs, &g->largest_sum, err);
        g->at_fault = status != YOKE_OK;
    }
    blob_write_header(b->file, blobs);
    return status;
}

/* In the spelling to try first, or the other one. */
static yoke_status compile_as(const order *o, size_t size, bool other, yoke_error *err)
{
    const ane_options *options = o->maker->options;
    compiled *c = &o->bank->compiled[size];
    ane_text text;
    ane_text_begin(o->count, &text);
    for (size_t i = 0; i < o->count; i++)
        ane_text_add(&text, o->groups[i]->group, o->groups[i]->encoding, options->surface,
                     options->rows[size]);
    const bool old = (ane_text_spelling(&text) == ANE_SPELLING_1_0) != other;
    yoke_status status =
        ane_text_end(&text, old ? ANE_SPELLING_1_0 : ANE_SPELLING_1_3, &c->text, err);
    if (status != YOKE_OK)
        return status;
    const ane_source source = {c->text, strlen(c->text), o->bank->file, o->bank->file_bytes};
    status = ane_program_make(o->maker, &source, &c->program, err);
    if (status != YOKE_OK) {
        free(c->text);
        c->text = NULL;
    }
    return status;
}

/* Systems differ in the spelling they take, and do not always say that this is why they refuse. */
static yoke_status compile(const order *o, size_t size, yoke_error *err)
{
    yoke_error why = {0};
    yoke_status status = compile_as(o, size, false, &why);
    if (o->bank->compiled[size].program.refused)
        status = compile_as(o, size, true, NULL);
    return status == YOKE_OK ? YOKE_OK : yoke_error_set(err, why.status, "%s", why.text);
}

static ane_procedure describe_ports(const ane_group *g, bool surface, size_t m)
{
    ane_procedure p = {.input_count = surface ? 2 : 1, .output_count = g->part_count};
    p.inputs[0].tensor = (ane_tensor){.channels = g->k_padded, .width = m};
    if (surface) {
        p.inputs[1].tensor = (ane_tensor){.channels = g->k_padded, .width = g->parts[0].padded};
        p.outputs[0].tensor = (ane_tensor){.channels = m, .width = g->parts[0].padded};
        return p;
    }
    for (size_t i = 0; i < g->part_count; i++)
        p.outputs[i].tensor = (ane_tensor){.channels = g->parts[i].padded, .width = m};
    return p;
}

/* w as an input: columns to channels, as x. */
static yoke_status write_surface(const ane_framework *f, ane_prepared_group *made,
                                 const ane_port *port, yoke_error *err)
{
    const ane_group *g = made->group;
    uint16_t *row = calloc(g->k_padded, sizeof *row);
    char *memory = row ? ane_surface_lock(f, &port->surface, false) : NULL;
    yoke_status status = YOKE_OK;
    if (!memory)
        status = yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: w: no surface to write");
    for (size_t i = 0; i < g->count && status == YOKE_OK; i++) {
        double sum;
        status = ane_encoding_write(made->encoding, g->begin + i, g->k_begin, g->k_count, row, &sum,
                                    err);
        for (size_t k = 0; k < g->k_count && status == YOKE_OK; k++)
            memcpy(memory + k * port->tensor.plane_bytes + 2 * i, &row[k], sizeof *row);
        made->largest_sum = sum > made->largest_sum ? sum : made->largest_sum;
    }
    made->at_fault = status != YOKE_OK;
    if (memory)
        ane_surface_unlock(f, &port->surface, false);
    free(row);
    return status;
}

static yoke_status bind(const order *o, size_t size, yoke_error *err)
{
    const ane_options *options = o->maker->options;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < o->count && status == YOKE_OK; i++) {
        ane_procedure *p = &o->groups[i]->procedures[size];
        *p = describe_ports(o->groups[i]->group, options->surface, options->rows[size]);
        status =
            ane_procedure_bind(o->maker, &o->bank->compiled[size].program, i, o->count, p, err);
        if (status == YOKE_OK && options->surface)
            status = write_surface(o->maker->framework, o->groups[i], &p->inputs[1], err);
    }
    return status;
}

static yoke_status make(const order *o, bool *refused, yoke_error *err)
{
    yoke_status status = fill_file(o, err);
    for (size_t size = 0; size < o->maker->options->size_count && status == YOKE_OK; size++) {
        status = compile(o, size, err);
        *refused = o->bank->compiled[size].program.refused;
        if (status == YOKE_OK)
            status = bind(o, size, err);
    }
    return status;
}

yoke_status ane_bank_make(const ane_maker *maker, ane_prepared_group *const *groups, size_t count,
                          bool *refused, yoke_error *err)
{
    *refused = false;
    ane_bank *made = calloc(1, sizeof *made);
    if (!made)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: preparing w: out of memory");
    made->groups = count;
    atomic_init(&made->users, count);
    atomic_init(&made->remembered, count);
    for (size_t i = 0; i < count; i++)
        groups[i]->bank = made;
    const order o = {maker, groups, count, made};
    return make(&o, refused, err);
}

bool ane_bank_is_shared(const ane_prepared_group *g)
{
    return g->bank->groups > 1;
}

void ane_bank_forget(ane_prepared_group *g)
{
    ane_bank *b = g->bank;
    if (!b || atomic_fetch_sub(&b->remembered, 1) > 1)
        return;
    for (size_t i = 0; i < ANE_SIZES_MOST; i++)
        if (b->compiled[i].program.model.folder)
            ane_folder_remove(b->compiled[i].program.model.folder);
}

static void free_bank(const ane_framework *f, ane_bank *b)
{
    for (size_t i = 0; i < ANE_SIZES_MOST; i++) {
        ane_program_free(f, &b->compiled[i].program);
        free(b->compiled[i].text);
    }
    memory_unmap(b->file, b->file_bytes);
    free(b);
}

void ane_bank_leave(const ane_framework *f, ane_prepared_group *g)
{
    if (!g->bank)
        return;
    for (size_t i = 0; i < ANE_SIZES_MOST; i++)
        ane_procedure_free(f, &g->procedures[i]);
    if (atomic_fetch_sub(&g->bank->users, 1) == 1)
        free_bank(f, g->bank);
    g->bank = NULL;
}
