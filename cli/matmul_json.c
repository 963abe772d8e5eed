/* What came out, as JSON. What is not known is left out. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "matmul.h"
#include "output.h"

static void set_real(json_t *object, const char *name, double value)
{
    if (isfinite(value))
        json_object_set_new(object, name, json_real(value));
}

static void set_size(json_t *object, const char *name, uint64_t value)
{
    json_object_set_new(object, name, json_integer((json_int_t)value));
}

static void set_text(json_t *object, const char *name, const char *text)
{
    if (text && *text)
        json_object_set_new(object, name, json_string(text));
}

static json_t *entry_json(const matmul_entry *e)
{
    json_t *object = json_object(), *samples = json_array();
    set_text(object, "engine", e->name);
    set_real(object, "median_ns", matmul_median(e));
    for (size_t i = 0; i < e->series.count && e->failure.status == YOKE_OK; i++)
        json_array_append_new(samples, json_real(e->series.samples_ns[i]));
    json_object_set_new(object, "samples_ns", samples);
    if (e->weight)
        set_text(object, "kept_as", yoke_format_get(e->report.format)->name);
    set_text(object, "path", e->path);
    set_text(object, "check", yoke_verdict_name(e->checked.verdict));
    if (e->failure.status != YOKE_OK)
        set_text(object, "failed", e->failure.text);
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
    set_text(object, "engine", all->entries[part->engine].name);
    set_size(object, "begin", part->begin);
    set_size(object, "count", part->count);
    set_real(object, "predicted_ns", part->predicted_ns);
    set_real(object, "took_ns", (double)(part->timing.done_ns - part->timing.submit_ns));
    set_text(object, "path", part->timing.path);
    return object;
}

static void set_split(json_t *object, const matmul *all)
{
    matmul_figures f = matmul_figure(all);
    const yoke_run *run = &all->split->run;
    json_t *windows = json_array();
    if (!isnan(f.best_single_ns))
        set_text(object, "best_single", all->entries[f.best_single].name);
    set_real(object, "best_single_ns", f.best_single_ns);
    set_real(object, "ideal_ns", f.ideal_ns);
    json_object_set_new(object, "ideal_contended", json_boolean(f.contended));
    set_real(object, "reached_ns", f.reached_ns);
    set_real(object, "predicted_ns", run->predicted_ns);
    set_real(object, "efficiency", f.efficiency);
    set_text(object, "axis", run->axis == YOKE_AXIS_M ? "m" : "n");
    for (size_t i = 0; i < run->part_count; i++)
        json_array_append_new(windows, window_json(all, &run->parts[i]));
    json_object_set_new(object, "windows", windows);
    set_text(object, "check", yoke_verdict_name(all->split->checked.verdict));
    set_size(object, "copied_bytes", run->copied_bytes);
    set_text(object, "note", run->note);
}

static json_t *matmul_json(const matmul *all)
{
    const matmul_product *p = &all->product;
    json_t *object = json_object();
    set_size(object, "m", p->x.rows);
    set_size(object, "n", p->w.rows);
    set_size(object, "k", p->w.cols);
    set_text(object, "format", yoke_format_get(p->w.format)->name);
    set_text(object, "x_format", yoke_format_get(p->x.format)->name);
    json_object_set_new(object, "engines", entries_json(all));
    if (all->split)
        json_object_set_new(object, "split", entry_json(all->split));
    if (all->split && all->split->failure.status == YOKE_OK)
        set_split(object, all);
    return object;
}

yoke_status matmul_write_json(const matmul *all, const char *path, yoke_error *err)
{
    json_t *object = matmul_json(all);
    char *text = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(object);
    if (!text)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "matmul: no memory for the JSON");
    output out;
    yoke_status status = output_open(&out, path, err);
    if (status == YOKE_OK) {
        fprintf(out.stream, "%s\n", text); /* output_commit notices what was not written */
        status = output_commit(&out, err);
    }
    free(text);
    return status;
}
