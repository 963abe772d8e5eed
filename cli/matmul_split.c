/* The split as one more entry, and how good it is. */
#include <math.h>
#include <stdio.h>

#include "cli.h"
#include "matmul.h"

/* Products until the borders rest, before any is timed. */
enum { SETTLING_MOST = 30, SETTLED = 6 };

static yoke_curve_key key_of(const matmul_product *p, const matmul_entry *e)
{
    return (yoke_curve_key){.engine = e->name,
                            .format = p->w.format,
                            .k = p->w.cols,
                            .x_format = p->x.format,
                            .precision = p->precision};
}

/* No profile is no harm: the plan then measures in brief. One that is there and useless is. */
yoke_status matmul_load_profile(matmul *all, const char *path, yoke_error *err)
{
    yoke_error why = {0};
    yoke_status status = yoke_profile_load(path, &all->profile, &why);
    bool none = status == YOKE_ERR_NOT_FOUND && !path;
    if (status == YOKE_OK || none)
        return YOKE_OK;
    if (status == YOKE_ERR_UNSUPPORTED && !path) {
        fprintf(stderr, "yoke: matmul: without the profile: %s\n", why.text);
        return YOKE_OK;
    }
    return yoke_error_set(err, status, "%s", why.text);
}

/* What any of the engines may do, the split may do. */
static yoke_error_model worst_model(const matmul *all)
{
    yoke_error_model worst = {0};
    for (size_t i = 0; i + 1 < all->count; i++) {
        const yoke_error_model *model = &all->entries[i].model;
        worst.unit = fmax(worst.unit, model->unit);
        worst.input = fmax(worst.input, model->input);
        if (model->saturation > 0 &&
            (worst.saturation <= 0 || model->saturation < worst.saturation))
            worst.saturation = model->saturation;
    }
    return worst;
}

static yoke_status create_plan(matmul *all, const matmul_request *what, yoke_error *err)
{
    yoke_engine *engines[YOKE_SPLIT_MAX_ENGINES];
    size_t count = all->count - 1;
    for (size_t i = 0; i < count; i++) {
        const matmul_entry *e = &all->entries[i];
        if (!e->engine)
            return yoke_error_set(err, e->failure.status, "split: %s", e->failure.text);
        engines[i] = e->engine;
    }
    yoke_plan_options options = {.m = what->m,
                                 .x_format = what->x_format,
                                 .precision = what->precision,
                                 .solve = {.axis = what->axis}};
    return yoke_plan_create(engines, count, &all->product.w, all->profile, &options,
                            &all->split->plan, err);
}

static void settle(matmul_entry *split)
{
    size_t resting = 0;
    for (size_t i = 0; i < SETTLING_MOST && resting < SETTLED && !cli_stopped; i++) {
        const matmul_product *p = split->of;
        if (yoke_matmul(split->plan, &p->x, &split->y, NULL, &split->run, &split->failure) !=
            YOKE_OK)
            return;
        resting = split->run.border_moved ? 0 : resting + 1;
    }
}

void matmul_open_split(matmul *all, const matmul_request *what)
{
    matmul_entry *split = &all->entries[all->count++];
    *split = (matmul_entry){.of = &all->product, .name = "split"};
    all->split = split;
    split->model = worst_model(all);
    if (create_plan(all, what, &split->failure) != YOKE_OK)
        return;
    matmul_first(split);
    if (split->failure.status == YOKE_OK)
        settle(split);
}

/* The time of an entry's engine for the whole, with the others of the split at work. */
static double contended_ns(const matmul *all, size_t engine, bool *contended)
{
    const matmul_entry *e = &all->entries[engine];
    const yoke_run *run = &all->split->run;
    yoke_curve_key key = key_of(&all->product, e);
    double ns = matmul_median(e);
    for (size_t i = 0; i < run->part_count && all->profile; i++) {
        if (run->parts[i].engine == engine)
            continue;
        double slowdown = yoke_profile_contention(all->profile, &key, all->product.x.rows,
                                                  all->entries[run->parts[i].engine].name);
        *contended = *contended || slowdown > 1;
        ns *= slowdown;
    }
    return ns;
}

static double ideal_ns(const matmul *all, bool *contended)
{
    double rate = 0;
    for (size_t i = 0; i < all->split->run.part_count; i++)
        rate += 1 / contended_ns(all, all->split->run.parts[i].engine, contended);
    return 1 / rate;
}

matmul_figures matmul_figure(const matmul *all)
{
    matmul_figures f = {.best_single_ns = (double)NAN};
    for (size_t i = 0; i + 1 < all->count; i++) {
        double ns = matmul_median(&all->entries[i]);
        if (!(ns >= f.best_single_ns)) { /* also when there was none */
            if (isnan(ns))
                continue;
            f.best_single = i;
            f.best_single_ns = ns;
        }
    }
    f.ideal_ns = ideal_ns(all, &f.contended);
    f.reached_ns = matmul_median(all->split);
    f.efficiency = f.ideal_ns / f.reached_ns;
    return f;
}
