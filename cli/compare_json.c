/* A comparison as JSON. */
#include "compare.h"
#include "json_out.h"

static void set_row(json_t *object, const yoke_record_row *row)
{
    json_out_text(object, "suite", row->suite);
    json_out_text(object, "case", row->what);
    json_out_text(object, "engine", row->engine);
    json_out_text(object, "other", row->other);
    json_out_text(object, "wait", row->wait);
    if (row->m > 0)
        json_out_size(object, "m", row->m);
    if (row->n > 0)
        json_out_size(object, "n", row->n);
    if (row->k > 0)
        json_out_size(object, "k", row->k);
}

static json_t *row_json(const yoke_compared_row *row)
{
    json_t *object = json_object();
    set_row(object, row->a ? row->a : row->b);
    json_out_real(object, "a_median_ns", row->a_median_ns);
    json_out_real(object, "b_median_ns", row->b_median_ns);
    json_out_real(object, "ratio", row->ratio);
    json_out_real(object, "ratio_low", row->low);
    json_out_real(object, "ratio_high", row->high);
    json_out_text(object, "verdict", yoke_compared_name(row->verdict));
    json_out_text(object, "reason", row->reason);
    return object;
}

static json_t *comparison_json(const compare_sides *sides, const yoke_comparison *c)
{
    json_t *object = json_object(), *rows = json_array(), *notes = json_array();
    json_out_text(object, "a", sides->names[0]);
    json_out_text(object, "b", sides->names[1]);
    json_out_size(object, "a_runs", sides->runs[0].count);
    json_out_size(object, "b_runs", sides->runs[1].count);
    json_out_real(object, "threshold", c->threshold);
    json_out_text(object, "interval",
                  compare_has_runs(sides)
                      ? "95 %, Student's t over runs, ratio of medians, B over A"
                      : "95 %, Price and Bonett 2002, ratio of medians, B over A");
    for (yoke_compared v = YOKE_COMPARED_SAME; v < YOKE_COMPARED_NOT; v++)
        json_out_size(object, yoke_compared_name(v), yoke_comparison_count(c, v));
    json_out_size(object, "not_comparable", yoke_comparison_count(c, YOKE_COMPARED_NOT));
    json_out_size(object, "failed_in_b", compare_failed(sides));
    for (size_t i = 0; i < c->row_count; i++)
        json_array_append_new(rows, row_json(&c->rows[i]));
    json_object_set_new(object, "rows", rows);
    for (size_t i = 0; i < c->notes.count; i++)
        json_array_append_new(notes, json_string(c->notes.texts[i]));
    json_object_set_new(object, "notes", notes);
    return object;
}

yoke_status compare_write_json(const compare_sides *sides, const yoke_comparison *c,
                               const char *path, yoke_error *err)
{
    return json_out_write(comparison_json(sides, c), path, err);
}
