/* What came out, as JSON. What is not known is left out. */
#include <math.h>

#include "json_out.h"
#include "matmul.h"

static json_t *entry_json(const matmul_entry *e)
{
    json_t *object = json_object(), *samples = json_array();
    json_out_text(object, "engine", e->name);
    json_out_real(object, "median_ns", matmul_median(e));
    for (size_t i = 0; i < e->series.count && e->failure.status == YOKE_OK; i++)
        json_array_append_new(samples, json_real(e->series.samples_ns[i]));
    json_object_set_new(object, "samples_ns", samples);
    if (e->weight)
        json_out_text(object, "kept_as", yoke_format_get(e->report.format)->name);
    json_out_text(object, "path", e->path);
    json_out_text(object, "check", yoke_verdict_name(e->checked.verdict));
    if (e->failure.status != YOKE_OK)
        json_out_text(object, "failed", e->failure.text);
    return object;
}

static json_t *entries_json(const matmul *all)
{
    json_t *array = json_array();
    for (size_t i = 0; i < all->count; i++)
        if (&all->entries[i] != all->split)
            json_array_append_new(array, entry_json(&all->entries[i]));
    return array;
}

static json_t *window_json(const matmul *all, const yoke_run_part *part)
{
    json_t *object = json_object();
    json_out_text(object, "engine", all->entries[part->engine].name);
    json_out_size(object, "begin", part->begin);
    json_out_size(object, "count", part->count);
    json_out_real(object, "predicted_ns", part->predicted_ns);
    json_out_real(object, "took_ns", (double)(part->timing.done_ns - part->timing.submit_ns));
    json_out_text(object, "path", part->timing.path);
    return object;
}

static void set_split(json_t *object, const matmul *all)
{
    matmul_figures f = matmul_figure(all);
    const yoke_run *run = &all->split->run;
    json_t *windows = json_array();
    if (!isnan(f.best_single_ns))
        json_out_text(object, "best_single", all->entries[f.best_single].name);
    json_out_real(object, "best_single_ns", f.best_single_ns);
    json_out_real(object, "ideal_ns", f.ideal_ns);
    json_object_set_new(object, "ideal_contended", json_boolean(f.contended));
    json_out_real(object, "reached_ns", f.reached_ns);
    json_out_real(object, "predicted_ns", run->predicted_ns);
    json_out_real(object, "efficiency", f.efficiency);
    json_out_text(object, "axis", run->axis == YOKE_AXIS_M ? "m" : "n");
    for (size_t i = 0; i < run->part_count; i++)
        json_array_append_new(windows, window_json(all, &run->parts[i]));
    json_object_set_new(object, "windows", windows);
    json_out_text(object, "check", yoke_verdict_name(all->split->checked.verdict));
    json_out_size(object, "copied_bytes", run->copied_bytes);
    json_out_text(object, "note", run->note);
}

json_t *matmul_json(const matmul *all)
{
    const matmul_product *p = &all->product;
    json_t *object = json_object();
    json_out_size(object, "m", p->x.rows);
    json_out_size(object, "n", p->w.rows);
    json_out_size(object, "k", p->w.cols);
    json_out_text(object, "format", yoke_format_get(p->w.format)->name);
    json_out_text(object, "x_format", yoke_format_get(p->x.format)->name);
    json_object_set_new(object, "engines", entries_json(all));
    if (all->split)
        json_object_set_new(object, "split", entry_json(all->split));
    if (all->split && all->split->failure.status == YOKE_OK)
        set_split(object, all);
    return object;
}
