#include "engines/ane/weight.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"

#define SMALLEST_PART ((size_t)256) /* rows: smaller ones are not tried when larger are refused */

enum { SIMPLER_MOST = 3 }; /* times another way to cut is tried: a refusal may take seconds */

void ane_weight_clear(ane_weight *w)
{
    for (size_t i = 0; w->groups && i < w->layout.group_count; i++)
        ane_bank_leave(w->framework, &w->groups[i]);
    free(w->groups);
    free(w->rows);
    free(w->sums);
    free(w->outputs);
    ane_layout_free(&w->layout);
    *w = (ane_weight){.n = 0};
}

static void destroy(worker_thing *thing)
{
    ane_weight *w = (ane_weight *)thing;
    ane_weight_clear(w);
    free(w);
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

static yoke_status take_room(const ane_options *options, const ane_encoding *e, ane_weight *w,
                             yoke_error *err)
{
    const size_t rows = options->rows[options->size_count - 1];
    size_t count;
    w->groups = calloc(w->layout.group_count, sizeof *w->groups);
    w->rows = calloc(rows, sizeof *w->rows);
    if (size_mul(rows, w->layout.most_rows, &count))
        w->sums = calloc(count, sizeof *w->sums);
    if (!w->groups || !w->rows || !w->sums)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: preparing w: out of memory");
    for (size_t i = 0; i < w->layout.group_count; i++)
        w->groups[i] = (ane_prepared_group){.group = &w->layout.groups[i], .encoding = e};
    return YOKE_OK;
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
    const size_t count = w->layout.group_count;
    const bool shared = ane_bank_is_shared(&w->groups[0]);
    report->format = e->kind == ANE_F16 ? YOKE_F16 : e->w->format;
    report->prepared_bytes = prepared_bytes(w);
    report->copied_bytes = yoke_matrix_bytes(e->w);
    snprintf(report->layout, sizeof report->layout, "%zu %s%s%s%s", count,
             shared ? "procedure" : "program", count == 1 ? "" : "s",
             shared ? " of shared programs" : "", w->surface ? ", w on a surface" : "");
}

yoke_status ane_weight_plan(const ane_maker *maker, const ane_encoding *e, ane_weight *w,
                            yoke_error *err)
{
    *w = (ane_weight){.framework = maker->framework,
                      .n = e->w->rows,
                      .k = e->w->cols,
                      .surface = maker->options->surface,
                      .path = path_of(e, maker->options->surface)};
    yoke_status status = ane_layout_make(maker->options, e, &w->layout, err);
    if (status == YOKE_OK)
        status = take_room(maker->options, e, w, err);
    return status == YOKE_OK ? take_outputs(e, w, err) : status;
}

void ane_weight_finish(const ane_maker *maker, const ane_encoding *e, ane_weight *w,
                       yoke_prepare_report *report)
{
    for (size_t i = 0; i < w->layout.group_count; i++) {
        const double sum = w->groups[i].largest_sum;
        if (maker->options->guard && sum > w->largest_sum)
            w->largest_sum = sum;
        w->groups[i].encoding = NULL;
    }
    describe(e, w, report);
}

/* One part a program, f16, then smaller parts: which of them a system's compiler takes is not
 * known. False when nothing is left to try. */
static bool simplify(ane_options *options, ane_encoding *e, const ane_weight *w, bool refused)
{
    if (!w->groups)
        return false;
    const size_t smaller = w->layout.groups[0].parts[0].padded / 2 / SMALLEST_PART * SMALLEST_PART;
    if (w->layout.groups[0].part_count > 1) {
        options->parts = 1;
        return true;
    }
    if (refused && e->kind != ANE_F16) {
        ane_encoding_expand(e);
        return true;
    }
    if (!refused || smaller == 0)
        return false;
    options->part_rows = smaller;
    return true;
}

/* A program for each group. */
static yoke_status prepare_once(const ane_maker *maker, const ane_encoding *e, ane_weight *w,
                                bool *refused, yoke_error *err)
{
    yoke_status status = ane_weight_plan(maker, e, w, err);
    for (size_t i = 0; i < w->layout.group_count && status == YOKE_OK; i++)
        status = ane_bank_make(maker, &(ane_prepared_group *){&w->groups[i]}, 1, refused, err);
    return status;
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
    const ane_maker trying = {maker->framework, &options, maker->helper, maker->worker};
    yoke_error why = {0};
    bool refused = false;
    status = prepare_once(&trying, &e, made, &refused, &why);
    for (int i = 0;
         i < SIMPLER_MOST && status == YOKE_ERR_ENGINE && simplify(&options, &e, made, refused);
         i++) {
        ane_weight_clear(made);
        status = prepare_once(&trying, &e, made, &refused, NULL);
    }
    if (status != YOKE_OK) {
        ane_weight_discard(made, maker->worker);
        return yoke_error_set(err, why.status, "%s", why.text);
    }
    ane_weight_finish(&trying, &e, made, report);
    *out = made;
    return YOKE_OK;
}

/* What a product that was given up may still use stays, but not on disk. */
void ane_weight_discard(ane_weight *w, worker *of)
{
    for (size_t i = 0; w->groups && i < w->layout.group_count; i++)
        ane_bank_forget(&w->groups[i]);
    w->thing.destroy = destroy;
    worker_discard(of, &w->thing);
}
