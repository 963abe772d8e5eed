/* Curves: each engine alone, several windows, all in turns, so that a drift of the machine does not
 * favour one of them. */
#include <math.h>

#include "split/tuning.h"
#include "yoke/measure.h"

enum {
    SIZES = 4, /* windows of an engine at one M, each a quarter of the next */
    SIZE_STEP = 4,
    FIRST_PART = 64,  /* of w: the window that the first time is taken with */
    RUNS = 12,        /* for which a window's part of the time must do */
    LEAST_SAMPLES = 3 /* that make a point */
};

/* Products usually follow each other, and an engine's threads are then still awake. In the turns
 * here they have fallen asleep; a short product is therefore timed right after one like it. */
#define SHORT_NS 1e6

/* One point of a curve in the making. */
typedef struct cell {
    tuning_engine *engine;
    load load;
    double last_ns;
} cell;

/* Once an engine has failed its cells cost no time, so that the others' series go on; they claim a
 * time that ends their own. */
#define NOTHING_LEFT_NS 1e12

static yoke_status run_cell(void *arg, double *elapsed_ns, yoke_error *err)
{
    cell *c = arg;
    yoke_status status = c->load.failure.status;
    (void)err;
    if (status == YOKE_OK && c->last_ns < SHORT_NS)
        status = load_run(&c->load, &c->last_ns, NULL);
    if (status == YOKE_OK)
        status = load_run(&c->load, &c->last_ns, NULL);
    *elapsed_ns = status == YOKE_OK ? c->last_ns : NOTHING_LEFT_NS;
    return YOKE_OK;
}

/* The window to begin with at m rows: one whose time is known to be short enough, from fewer rows;
 * else a small part of w. */
static double first_window(const tuning *t, const tuning_engine *e, size_t m, double allowed_ns)
{
    double part = (double)t->w->rows / FIRST_PART;
    if (e->ns == 0)
        return part;
    double safe = (double)e->n * allowed_ns / (e->ns * (double)m / (double)e->m);
    return safe < part ? safe : part;
}

/* Checks a window, once. False when the engine is out. */
static bool check_window(tuning *t, tuning_engine *e, size_t m, size_t n, double *ns)
{
    load l = tuning_load(t, e, m, n, 0);
    yoke_error failure = {0};
    if (load_check(&l, t->check, ns, &failure) == YOKE_OK)
        return true;
    tuning_drop(t, e, &failure);
    return false;
}

/* Where the line through the times of two windows reaches the time allowed; not far beyond the
 * larger one, as a line through two single runs is no more than a guess. */
static double extrapolate(const size_t n[2], const double ns[2], double allowed_ns)
{
    double far = (double)n[1] * SIZE_STEP * SIZE_STEP;
    double slope = (ns[1] - ns[0]) / (double)(n[1] - n[0]);
    if (!(slope > 0))
        return far;
    double reach = (double)n[1] + (allowed_ns - ns[1]) / slope;
    return fmax(fmin(reach, far), (double)n[0]);
}

/* The largest window whose runs fit the time; 0 when none does, or the engine is out. */
static size_t largest_window(tuning *t, tuning_engine *e, size_t m, double allowed_ns)
{
    size_t max_m = yoke_engine_describe(e->engine)->facts.max_m;
    if (max_m > 0 && m > max_m)
        return 0;
    double ns[2], wanted = first_window(t, e, m, allowed_ns);
    size_t n[2] = {tuning_window(e, m, wanted)};
    n[1] = tuning_window(e, m, (double)n[0] * SIZE_STEP);
    if (e->ns > 0 && (double)n[0] > wanted * RUNS) {
        tuning_progress(t, "%s: M = %zu left out: it takes too long", e->key.engine, m);
        return 0;
    }
    if (!check_window(t, e, m, n[0], &ns[0]) || !check_window(t, e, m, n[1], &ns[1]))
        return 0;
    return n[0] == n[1] ? n[0] : tuning_window(e, m, extrapolate(n, ns, allowed_ns));
}

/* Adds the cells of one engine, smallest window first; how many. */
static size_t plan_engine(tuning *t, tuning_engine *e, size_t m, double allowed_ns, cell *cells)
{
    size_t count = 0, last = 0;
    double wanted = (double)largest_window(t, e, m, allowed_ns);
    for (size_t i = 1; i < SIZES; i++)
        wanted /= SIZE_STEP;
    for (size_t i = 0; i < SIZES && wanted > 0 && e->error.status == YOKE_OK;
         i++, wanted *= SIZE_STEP) {
        double ns;
        size_t n = tuning_window(e, m, wanted);
        if (n == last || !check_window(t, e, m, n, &ns))
            continue;
        cells[count++] = (cell){e, tuning_load(t, e, m, n, 0), ns};
        last = n;
    }
    return e->error.status == YOKE_OK ? count : 0;
}

static yoke_status add_point(tuning *t, const cell *c, const yoke_series *series, yoke_error *err)
{
    tuning_engine *e = c->engine;
    yoke_statistics s;
    if (series->count < LEAST_SAMPLES)
        return YOKE_OK;
    yoke_status status = yoke_statistics_of(series->samples_ns, series->count, &s, err);
    if (status != YOKE_OK)
        return status;
    if (!e->added) /* points of other windows and another day do not mix with these */
        yoke_profile_drop(t->profile, &e->key);
    e->added = true;
    yoke_curve_point point = {.m = c->load.x.rows,
                              .n = c->load.y.cols,
                              .median_ns = s.median,
                              .mad_ns = s.mad,
                              .count = s.count};
    e->m = point.m;
    e->n = point.n;
    e->ns = point.median_ns;
    return yoke_profile_add(t->profile, &e->key, &point, err);
}

/* What was measured is kept, also when the sampling was stopped. */
static yoke_status add_points(tuning *t, const cell *cells, const yoke_series *series, size_t count,
                              yoke_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (cells[i].load.failure.status != YOKE_OK && cells[i].engine->error.status == YOKE_OK)
            tuning_drop(t, cells[i].engine, &cells[i].load.failure);
    for (size_t i = 0; i < count; i++) {
        yoke_status status = YOKE_OK;
        if (cells[i].engine->error.status == YOKE_OK)
            status = add_point(t, &cells[i], &series[i], err);
        if (status != YOKE_OK)
            return status;
    }
    return YOKE_OK;
}

static yoke_status measure_cells(tuning *t, cell *cells, size_t count, double seconds,
                                 yoke_error *err)
{
    yoke_subject subjects[YOKE_SPLIT_MAX_ENGINES * SIZES];
    yoke_series series[YOKE_SPLIT_MAX_ENGINES * SIZES] = {{0}};
    yoke_sampling sampling = {.min_samples = 10,
                              .min_seconds = seconds / 4,
                              .max_samples = 1000,
                              .max_seconds = seconds,
                              .warmup_max = 10,
                              .warmup_window = 3,
                              .stop = t->options->stop};
    for (size_t i = 0; i < count; i++)
        subjects[i] = (yoke_subject){run_cell, &cells[i]};
    yoke_status status = yoke_sample(subjects, count, &sampling, series, err);
    yoke_status kept = add_points(t, cells, series, count, status == YOKE_OK ? err : NULL);
    for (size_t i = 0; i < count; i++)
        yoke_series_free(&series[i]);
    return status == YOKE_OK ? kept : status;
}

yoke_status tuning_curves(tuning *t, size_t m, double seconds, yoke_error *err)
{
    cell cells[YOKE_SPLIT_MAX_ENGINES * SIZES];
    size_t count = 0;
    double for_each = seconds / (double)(t->count * SIZES);
    for (size_t i = 0; i < t->count; i++) {
        tuning_engine *e = &t->engines[i];
        if (tuning_stopped(t))
            return yoke_error_set(err, YOKE_ERR_INTERRUPTED, "tuning: stopped on request");
        tuning_progress(t, "%s: M = %zu, checking", e->key.engine, m);
        if (e->error.status == YOKE_OK)
            count += plan_engine(t, e, m, for_each * 1e9 / RUNS, cells + count);
    }
    tuning_progress(t, "M = %zu, each engine alone", m);
    return measure_cells(t, cells, count, for_each, err);
}
