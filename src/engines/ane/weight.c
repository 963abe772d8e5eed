#include "engines/ane/weight.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "base/memory.h"
#include "base/size.h"
#include "engines/ane/text.h"

#define SMALLEST_PART ((size_t)256) /* rows: smaller ones are not tried when larger are refused */

enum { SIMPLER_MOST = 3 }; /* times another way to cut is tried: a refusal may take seconds */

static void describe_ports(const ane_group *g, bool surface, size_t m, ane_program *p)
{
    *p = (ane_program){.input_count = surface ? 2 : 1, .output_count = g->part_count};
    p->inputs[0].tensor = (ane_tensor){.channels = g->k_padded, .width = m};
    if (surface) {
        p->inputs[1].tensor = (ane_tensor){.channels = g->k_padded, .width = g->parts[0].padded};
        p->outputs[0].tensor = (ane_tensor){.channels = m, .width = g->parts[0].padded};
        return;
    }
    for (size_t i = 0; i < g->part_count; i++)
        p->outputs[i].tensor = (ane_tensor){.channels = g->parts[i].padded, .width = m};
}

static yoke_status compile_as(const ane_maker *maker, const ane_group *g, const ane_encoding *e,
                              size_t m, ane_spelling spelling, const void *file, ane_compiled *c,
                              yoke_error *err)
{
    const bool surface = maker->options->surface;
    yoke_status status = ane_text_make(g, e, surface, m, spelling, &c->text, err);
    if (status != YOKE_OK)
        return status;
    describe_ports(g, surface, m, &c->program);
    const ane_source source = {c->text, strlen(c->text), file, g->file_bytes};
    status = ane_program_make(maker, &source, &c->program, err);
    if (status != YOKE_OK) {
        free(c->text);
        c->text = NULL;
    }
    return status;
}

/* Systems differ in the spelling they take, and do not always say that this is why they refuse. */
static yoke_status compile(const ane_maker *maker, const ane_group *g, const ane_encoding *e,
                           size_t m, const void *file, ane_compiled *c, yoke_error *err)
{
    const ane_spelling first = ane_text_spelling(e);
    yoke_error why = {0};
    yoke_status status = compile_as(maker, g, e, m, first, file, c, &why);
    if (c->program.refused)
        status = compile_as(maker, g, e, m,
                            first == ANE_SPELLING_1_3 ? ANE_SPELLING_1_0 : ANE_SPELLING_1_3, file,
                            c, NULL);
    return status == YOKE_OK ? YOKE_OK : yoke_error_set(err, why.status, "%s", why.text);
}

/* w as an input: columns to channels, as x. */
static yoke_status write_surface(const ane_framework *f, const ane_group *g, const ane_encoding *e,
                                 const ane_port *port, double *largest, yoke_error *err)
{
    uint16_t *row = calloc(g->k_padded, sizeof *row);
    char *memory = row ? ane_surface_lock(f, &port->surface, false) : NULL;
    yoke_status status = YOKE_OK;
    if (!memory)
        status = yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: w: no surface to write");
    for (size_t i = 0; i < g->count && status == YOKE_OK; i++) {
        double sum;
        status = ane_encoding_write(e, g->begin + i, g->k_begin, g->k_count, row, &sum, err);
        for (size_t k = 0; k < g->k_count && status == YOKE_OK; k++)
            memcpy(memory + k * port->tensor.plane_bytes + 2 * i, &row[k], sizeof *row);
        *largest = sum > *largest ? sum : *largest;
    }
    if (memory)
        ane_surface_unlock(f, &port->surface, false);
    free(row);
    return status;
}

static yoke_status prepare_group(const ane_maker *maker, const ane_encoding *e, ane_weight *w,
                                 size_t index, yoke_error *err)
{
    const ane_group *g = &w->layout.groups[index];
    ane_prepared_group *made = &w->groups[index];
    yoke_status status = ane_layout_fill(g, e, &made->file, &w->largest_sum, err);
    for (size_t i = 0; i < maker->options->size_count && status == YOKE_OK; i++) {
        ane_compiled *c = &made->compiled[i];
        status = compile(maker, g, e, maker->options->rows[i], made->file, c, err);
        w->refused = c->program.refused;
        if (status == YOKE_OK && w->surface)
            status =
                write_surface(maker->framework, g, e, &c->program.inputs[1], &w->largest_sum, err);
    }
    return status;
}

static yoke_status take_outputs(const ane_encoding *e, ane_weight *w, yoke_error *err)
{
    if (!e->scaled)
        return YOKE_OK;
    w->outputs = calloc(w->n, sizeof *w->outputs);
    if (!w->outputs)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: preparing w: out of memory");
    for (size_t row = 0; row < w->n; row++)
        w->outputs[row] = (ane_affine){ane_encoding_factor(e, row), ane_encoding_offset(e, row)};
    return YOKE_OK;
}

static yoke_status take_room(const ane_options *options, ane_weight *w, yoke_error *err)
{
    const size_t rows = options->rows[options->size_count - 1];
    size_t count;
    w->groups = calloc(w->layout.group_count, sizeof *w->groups);
    w->rows = calloc(rows, sizeof *w->rows);
    if (size_mul(rows, w->layout.most_rows, &count))
        w->sums = calloc(count, sizeof *w->sums);
    if (!w->groups || !w->rows || !w->sums)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: preparing w: out of memory");
    return YOKE_OK;
}

static yoke_status prepare_all(const ane_maker *maker, const ane_encoding *e, ane_weight *w,
                               yoke_error *err)
{
    yoke_status status = ane_layout_make(maker->options, e, &w->layout, err);
    if (status == YOKE_OK)
        status = take_room(maker->options, w, err);
    if (status == YOKE_OK)
        status = take_outputs(e, w, err);
    for (size_t i = 0; i < w->layout.group_count && status == YOKE_OK; i++)
        status = prepare_group(maker, e, w, i, err);
    if (!maker->options->guard)
        w->largest_sum = 0;
    return status;
}

static const char *path_of(const ane_encoding *e, bool surface)
{
    if (surface)
        return "ane matmul, w from a surface";
    switch (e->kind) {
    case ANE_INT8: return "ane conv, int8 weights";
    case ANE_LUT: return "ane conv, palettes";
    default: return "ane conv";
    }
}

static uint64_t prepared_bytes(const ane_weight *w)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < w->layout.group_count; i++) {
        const ane_group *g = &w->layout.groups[i];
        bytes += w->surface ? 2 * (uint64_t)g->k_padded * g->parts[0].padded : g->file_bytes;
    }
    return bytes;
}

static void describe(const ane_encoding *e, const ane_weight *w, yoke_prepare_report *report)
{
    report->format = e->kind == ANE_F16 ? YOKE_F16 : e->w->format;
    report->prepared_bytes = prepared_bytes(w);
    report->copied_bytes = yoke_matrix_bytes(e->w);
    snprintf(report->layout, sizeof report->layout, "%zu program%s%s", w->layout.group_count,
             w->layout.group_count == 1 ? "" : "s", w->surface ? ", w on a surface" : "");
}

/* One part a program, f16, then smaller parts: which of them a system's compiler takes is not
 * known. False when nothing is left to try. */
static bool simplify(ane_options *options, ane_encoding *e, const ane_weight *w)
{
    if (!w->groups)
        return false;
    const size_t smaller = w->layout.groups[0].parts[0].padded / 2 / SMALLEST_PART * SMALLEST_PART;
    if (w->layout.groups[0].part_count > 1) {
        options->parts = 1;
        return true;
    }
    if (w->refused && e->kind != ANE_F16) {
        ane_encoding_expand(e);
        return true;
    }
    if (!w->refused || smaller == 0)
        return false;
    options->part_rows = smaller;
    return true;
}

static void clear(ane_weight *w)
{
    for (size_t i = 0; w->groups && i < w->layout.group_count; i++) {
        for (size_t s = 0; s < ANE_SIZES_MOST; s++) {
            ane_program_free(w->framework, &w->groups[i].compiled[s].program);
            free(w->groups[i].compiled[s].text);
        }
        memory_unmap(w->groups[i].file, w->layout.groups[i].file_bytes);
    }
    free(w->groups);
    free(w->rows);
    free(w->sums);
    free(w->outputs);
    ane_layout_free(&w->layout);
}

static void destroy(worker_thing *thing)
{
    ane_weight *w = (ane_weight *)thing;
    clear(w);
    free(w);
}

static yoke_status prepare_once(const ane_maker *maker, const ane_encoding *e, ane_weight *w,
                                yoke_error *err)
{
    *w = (ane_weight){.thing.destroy = destroy,
                      .framework = maker->framework,
                      .n = e->w->rows,
                      .k = e->w->cols,
                      .surface = maker->options->surface,
                      .path = path_of(e, maker->options->surface)};
    return prepare_all(maker, e, w, err);
}

yoke_status ane_weight_prepare(const ane_maker *maker, const yoke_matrix *w, ane_weight **out,
                               yoke_prepare_report *report, yoke_error *err)
{
    ane_encoding e;
    yoke_status status = ane_encoding_choose(maker->options, w, &e, err);
    if (status != YOKE_OK)
        return status;
    ane_weight *made = calloc(1, sizeof *made);
    if (!made)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: preparing w: out of memory");
    ane_options options = *maker->options;
    const ane_maker trying = {maker->framework, &options, maker->helper};
    yoke_error why = {0};
    status = prepare_once(&trying, &e, made, &why);
    for (int i = 0; i < SIMPLER_MOST && status == YOKE_ERR_ENGINE && simplify(&options, &e, made);
         i++) {
        clear(made);
        status = prepare_once(&trying, &e, made, NULL);
    }
    if (status != YOKE_OK) {
        destroy(&made->thing);
        return yoke_error_set(err, why.status, "%s", why.text);
    }
    describe(&e, made, report);
    *out = made;
    return YOKE_OK;
}

/* What a product that was given up may still use stays, but not on disk. */
void ane_weight_discard(ane_weight *w, worker *of)
{
    for (size_t i = 0; i < w->layout.group_count; i++)
        for (size_t s = 0; s < ANE_SIZES_MOST; s++)
            if (w->groups[i].compiled[s].program.model.folder)
                ane_folder_remove(w->groups[i].compiled[s].program.model.folder);
    worker_discard(of, &w->thing);
}
