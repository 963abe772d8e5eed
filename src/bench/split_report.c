#include <math.h>
#include <stdio.h>

#include "bench/split.h"

static void report_single(split_single *one)
{
    if (one->product.failure.status != YOKE_OK && !one->row->failed)
        yoke_record_row_fail(one->row, one->product.failure.text);
    bench_product_report(&one->engine, &one->product, one->row);
}

/* How much longer the engine takes beside the others that have a share. */
static double slowdown(const split *s, size_t engine)
{
    yoke_curve_key key = {.engine = s->of[engine]->engine.specification,
                          .format = s->w.format,
                          .k = s->w.cols,
                          .x_format = s->b->options.x_format,
                          .precision = s->b->options.precision};
    double by_all = 1;
    for (size_t i = 0; i < s->run.part_count && s->profile; i++)
        if (s->run.parts[i].engine != engine)
            by_all *= yoke_profile_contention(s->profile, &key, s->m,
                                              s->of[s->run.parts[i].engine]->engine.specification);
    return by_all;
}

static double ideal_ns(const split *s)
{
    double rate = 0;
    for (size_t i = 0; i < s->run.part_count; i++) {
        size_t engine = s->run.parts[i].engine;
        rate += 1 / (s->of[engine]->row->time.median * slowdown(s, engine));
    }
    return 1 / rate;
}

static const split_single *best_single(const split *s)
{
    const split_single *best = NULL;
    for (size_t i = 0; i < s->usable_count; i++)
        if (!s->of[i]->row->failed &&
            (!best || s->of[i]->row->time.median < best->row->time.median))
            best = s->of[i];
    return best;
}

static yoke_status report_window(split *s, const yoke_run_part *part, yoke_error *err)
{
    yoke_record_row *row;
    yoke_status status =
        bench_add_row(s->b, &s->of[part->engine]->engine, "split", "window", &row, err);
    if (status != YOKE_OK)
        return status;
    bool along_m = s->run.axis == YOKE_AXIS_M;
    row->m = along_m ? part->count : s->m;
    row->n = along_m ? s->w.rows : part->count;
    row->k = s->w.cols;
    row->share = (double)part->count / (double)(along_m ? s->m : s->w.rows);
    row->predicted_ns = part->predicted_ns;
    row->wait[0] = '\0'; /* the plan's own way */
    snprintf(row->axis, sizeof row->axis, "%s", along_m ? "M" : "N");
    snprintf(row->check, sizeof row->check, "%s", yoke_verdict_name(part->verdict));
    if (part->failed != YOKE_OK)
        yoke_record_row_fail(row, s->run.note);
    else
        row->window_ns = (double)(part->timing.done_ns - part->timing.submit_ns);
    return YOKE_OK;
}

/* One more product, with every window checked: an engine that is wrong is then a FAILED window, and
 * the product is right all the same. */
static yoke_status report_windows(split *s, yoke_error *err)
{
    const yoke_matmul_options checked = {.check = true};
    if (yoke_matmul(s->plan, &s->x, &s->y, &checked, &s->run, &s->failure) != YOKE_OK)
        return YOKE_OK;
    bool right = true;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < s->run.part_count && status == YOKE_OK; i++) {
        right = right && s->run.parts[i].verdict == YOKE_VERDICT_RIGHT;
        status = report_window(s, &s->run.parts[i], err);
    }
    snprintf(s->row->check, sizeof s->row->check, "%s",
             yoke_verdict_name(right ? YOKE_VERDICT_RIGHT : YOKE_VERDICT_UNCHECKED));
    return status;
}

static void report_figures(const split *s)
{
    yoke_record_row *row = s->row;
    const split_single *best = best_single(s);
    row->naive_gbps = yoke_gbps((double)row->bytes, row->time.median);
    row->tflops = 2.0 * (double)row->m * (double)row->n * (double)row->k / row->time.median * 1e-3;
    row->predicted_ns = s->run.predicted_ns;
    row->ideal_ns = ideal_ns(s);
    row->efficiency = row->ideal_ns / row->time.median;
    if (!best)
        return;
    row->best_single_ns = best->row->time.median;
    snprintf(row->best_single, sizeof row->best_single, "%s", best->engine.specification);
}

yoke_status split_report(split *s, yoke_error *err)
{
    for (size_t i = 0; i < s->usable_count; i++)
        report_single(s->of[i]);
    yoke_status status = s->plan && s->failure.status == YOKE_OK ? report_windows(s, err) : YOKE_OK;
    if (status == YOKE_OK && s->failure.status == YOKE_OK)
        status = yoke_record_row_summarise(s->row, err);
    if (status != YOKE_OK)
        return status;
    if (s->failure.status != YOKE_OK)
        yoke_record_row_fail(s->row, s->failure.text);
    else
        report_figures(s);
    return YOKE_OK;
}
