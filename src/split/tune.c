/* The whole of a tuning: the engines made ready, then one M after the other. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "measure/wander.h"
#include "split/tuning.h"
#include "yoke/measure.h"

#define DEFAULT_SECONDS 50.0
#define LEAST_SECONDS   0.05 /* with less left, an M is not begun */
#define CURVES_PART     0.6  /* of the time; the pairs have the rest */

static const size_t default_m[] = {1, 8, 64, 512};

bool tuning_stopped(const tuning *t)
{
    return t->options->stop && *t->options->stop;
}

static double seconds_spent(const tuning *t)
{
    return (double)(yoke_clock_ns() - t->begin_ns) * 1e-9;
}

double tuning_seconds_left(const tuning *t)
{
    return fmax(t->options->seconds - seconds_spent(t), 0.0);
}

void tuning_progress(const tuning *t, const char *format, ...)
{
    if (!t->options->progress)
        return;
    char what[320];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    double done = fmin(seconds_spent(t) / t->options->seconds, 1.0);
    t->options->progress(t->options->progress_arg, what, done);
}

load tuning_load(const tuning *t, const tuning_engine *e, size_t m, size_t n, size_t which)
{
    load l = {.engine = e->engine,
              .weight = e->weight,
              .x = yoke_matrix_rows(&t->x, 0, m),
              .y = {.format = YOKE_F32, .rows = m, .data = t->y[which].data},
              .precision = t->options->precision,
              .wait = YOKE_WAIT_SLEEP_POLL};
    load_resize(&l, n);
    return l;
}

size_t tuning_window(const tuning_engine *e, size_t m, double wanted)
{
    size_t most = TUNING_Y_BYTES / sizeof(float) / m;
    size_t granule = yoke_engine_describe(e->engine)->facts.granule_n;
    size_t n = wanted < (double)most ? (size_t)fmax(wanted, 1.0) : most;
    return wander_size(yoke_weight_outputs(e->weight), n, granule);
}

void tuning_drop(tuning *t, tuning_engine *e, const yoke_error *why)
{
    e->error = *why;
    if (why->status == YOKE_ERR_INTERRUPTED) /* no fault of the engine's: its curve stays */
        return;
    yoke_profile_drop(t->profile, &e->key);
    tuning_progress(t, "%s: left out: %s", e->key.engine, why->text);
}

static yoke_tune_options with_defaults(const yoke_tune_options *given)
{
    yoke_tune_options o = given ? *given : (yoke_tune_options){0};
    if (o.seconds == 0)
        o.seconds = DEFAULT_SECONDS;
    if (o.m_count == 0) {
        o.m = default_m;
        o.m_count = sizeof default_m / sizeof *default_m;
    }
    if (o.x_format == YOKE_FORMAT_NONE)
        o.x_format = YOKE_F32;
    return o;
}

static yoke_status refuse_unusable(const yoke_tune_options *o, yoke_error *err)
{
    if (!(o->seconds > 0) || !isfinite(o->seconds))
        return yoke_error_set(err, YOKE_ERR_USAGE, "tuning: %g seconds", o->seconds);
    if (o->x_format != YOKE_F32 && o->x_format != YOKE_F16 && o->x_format != YOKE_BF16)
        return yoke_error_set(err, YOKE_ERR_USAGE, "tuning: x cannot be %s",
                              yoke_format_get(o->x_format)->name);
    if (!o->m)
        return yoke_error_set(err, YOKE_ERR_USAGE, "tuning: %zu rows and no list", o->m_count);
    for (size_t i = 0; i < o->m_count; i++) {
        if (o->m[i] == 0 || (i > 0 && o->m[i] <= o->m[i - 1]))
            return yoke_error_set(err, YOKE_ERR_USAGE, "tuning: M = %zu: not positive and rising",
                                  o->m[i]);
        if (o->m[i] > TUNING_Y_BYTES / sizeof(float))
            return yoke_error_set(err, YOKE_ERR_USAGE, "tuning: M = %zu is too large", o->m[i]);
    }
    return YOKE_OK;
}

static yoke_status take_engines(tuning *t, yoke_engine *const *engines, size_t count,
                                yoke_error *err)
{
    if (!engines || count == 0 || count > YOKE_SPLIT_MAX_ENGINES)
        return yoke_error_set(err, YOKE_ERR_USAGE, "tuning: %zu engines: from 1 to %d", count,
                              YOKE_SPLIT_MAX_ENGINES);
    for (size_t i = 0; i < count; i++) {
        const char *name = yoke_engine_specification(engines[i]);
        for (size_t j = 0; j < i; j++)
            if (strcmp(name, t->engines[j].key.engine) == 0)
                return yoke_error_set(err, YOKE_ERR_USAGE, "tuning: engine %s twice", name);
        t->engines[i] = (tuning_engine){
            .engine = engines[i],
            .key = {.engine = name,
                    .description = yoke_engine_describe(engines[i])->description,
                    .format = t->w->format,
                    .k = t->w->cols,
                    .x_format = t->options->x_format,
                    .precision = t->options->precision},
        };
    }
    t->count = count;
    return YOKE_OK;
}

static yoke_status make_matrices(tuning *t, yoke_error *err)
{
    const yoke_tune_options *o = t->options;
    yoke_status status =
        yoke_matrix_create(o->x_format, o->m[o->m_count - 1], t->w->cols, &t->x, err);
    if (status == YOKE_OK)
        status = yoke_matrix_fill_random(&t->x, 2, err);
    for (size_t i = 0; i < 2 && status == YOKE_OK; i++)
        status = yoke_matrix_create(YOKE_F32, 1, TUNING_Y_BYTES / sizeof(float), &t->y[i], err);
    return status;
}

/* All of w, or as much as the engine takes at once. */
static yoke_status prepare(const tuning *t, tuning_engine *e, yoke_error *err)
{
    const yoke_engine_facts *facts = &yoke_engine_describe(e->engine)->facts;
    size_t most = facts->max_n > 0 ? facts->max_n : t->w->rows;
    yoke_matrix part = yoke_matrix_rows(t->w, 0, wander_size(t->w->rows, most, facts->granule_n));
    return yoke_weight_prepare(e->engine, &part, &e->weight, NULL, err);
}

/* An engine that cannot prepare w is out; the others go on. */
static yoke_status prepare_all(tuning *t, yoke_error *err)
{
    tuning_progress(t, "preparing the check of w");
    yoke_status status = yoke_check_create(t->w, 1, &t->check, err);
    for (size_t i = 0; i < t->count && status == YOKE_OK; i++) {
        tuning_engine *e = &t->engines[i];
        yoke_error failure = {0};
        if (tuning_stopped(t))
            return yoke_error_set(err, YOKE_ERR_INTERRUPTED, "tuning: stopped on request");
        tuning_progress(t, "%s: preparing w", e->key.engine);
        if (prepare(t, e, &failure) != YOKE_OK)
            tuning_drop(t, e, &failure);
    }
    return status;
}

/* Every M gets an even part of what is left, so that what the small ones leave over is used. */
static yoke_status measure_all(tuning *t, yoke_error *err)
{
    const yoke_tune_options *o = t->options;
    for (size_t i = 0; i < o->m_count; i++) {
        double seconds = tuning_seconds_left(t) / (double)(o->m_count - i);
        if (i > 0 && seconds < LEAST_SECONDS) {
            tuning_progress(t, "M = %zu and above left out: no time left", o->m[i]);
            return YOKE_OK;
        }
        yoke_status status = tuning_curves(t, o->m[i], CURVES_PART * seconds, err);
        if (status == YOKE_OK)
            status = tuning_pairs(t, o->m[i], (1 - CURVES_PART) * seconds, err);
        if (status != YOKE_OK)
            return status;
    }
    return YOKE_OK;
}

/* The first engine that is out gives the answer, when nothing worse happened. */
static yoke_status first_failure(const tuning *t, yoke_error *err)
{
    for (size_t i = 0; i < t->count; i++) {
        const yoke_error *e = &t->engines[i].error;
        if (e->status != YOKE_OK)
            return yoke_error_set(err, e->status, "%s", e->text);
    }
    return YOKE_OK;
}

static yoke_status tune(tuning *t, yoke_error *err)
{
    yoke_status status = make_matrices(t, err);
    if (status == YOKE_OK)
        status = prepare_all(t, err);
    if (status == YOKE_OK)
        status = measure_all(t, err);
    if (status == YOKE_OK)
        status = first_failure(t, err);
    for (size_t i = 0; i < t->count; i++)
        yoke_weight_free(t->engines[i].weight);
    yoke_check_free(t->check);
    yoke_matrix_free(&t->y[1]);
    yoke_matrix_free(&t->y[0]);
    yoke_matrix_free(&t->x);
    return status;
}

yoke_status yoke_tune(yoke_engine *const *engines, size_t count, const yoke_matrix *w,
                      const yoke_tune_options *options, yoke_profile *profile, yoke_error *err)
{
    if (!profile)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_tune: profile is NULL");
    yoke_tune_options o = with_defaults(options);
    tuning t = {.w = w, .options = &o, .profile = profile, .begin_ns = yoke_clock_ns()};
    yoke_status status = yoke_matrix_validate(w, "w", err);
    if (status == YOKE_OK && (w->rows == 0 || w->cols == 0))
        status = yoke_error_set(err, YOKE_ERR_SHAPE, "tuning: w is %zu by %zu", w->rows, w->cols);
    if (status == YOKE_OK)
        status = refuse_unusable(&o, err);
    if (status == YOKE_OK)
        status = take_engines(&t, engines, count, err);
    return status == YOKE_OK ? tune(&t, err) : status;
}
