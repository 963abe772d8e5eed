#include <stdlib.h>

#include "engines/weight.h"
#include "yoke/measure.h"

static void free_all(yoke_weight **weights, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        yoke_weight_free(weights[i]);
        weights[i] = NULL;
    }
}

static bool can_go_together(const yoke_engine *engine, const yoke_matrix *w, size_t count)
{
    if (!engine->class->prepare_several || count < 2)
        return false;
    for (size_t i = 0; i < count; i++)
        if (weight_check(engine, &w[i], NULL) != YOKE_OK || w[i].rows == 0 || w[i].cols == 0)
            return false;
    return true;
}

/* Weights with nothing prepared yet. */
static bool make_weights(yoke_engine *engine, const yoke_matrix *w, size_t count,
                         yoke_weight **weights)
{
    for (size_t i = 0; i < count; i++) {
        weights[i] = calloc(1, sizeof *weights[i]);
        if (!weights[i]) {
            free_all(weights, i);
            return false;
        }
        *weights[i] = (yoke_weight){.engine = engine, .rows = w[i].rows, .cols = w[i].cols};
    }
    return true;
}

/* By the engine's own way; false, with nothing left, when it does not get through. */
static bool prepare_together(yoke_engine *engine, const yoke_matrix *w, size_t count,
                             yoke_weight **weights, yoke_prepare_report *reports, size_t *at)
{
    void **prepared = calloc(count, sizeof *prepared);
    yoke_prepare_report *made = calloc(count, sizeof *made);
    const uint64_t begin = yoke_clock_ns();
    bool done = prepared && made && make_weights(engine, w, count, weights);
    if (done && engine->class->prepare_several(engine->self, w, count, prepared, made, at, NULL) !=
                    YOKE_OK) {
        free_all(weights, count);
        done = false;
    }
    const uint64_t took = yoke_clock_ns() - begin;
    for (size_t i = 0; done && i < count; i++) {
        weights[i]->prepared = prepared[i];
        made[i].elapsed_ns = took / count;
        if (made[i].format == YOKE_FORMAT_NONE)
            made[i].format = w[i].format;
        if (reports)
            reports[i] = made[i];
    }
    free(prepared);
    free(made);
    return done;
}

static yoke_status prepare_one(yoke_engine *engine, const yoke_matrix *w, size_t i,
                               yoke_weight **weight, yoke_prepare_report *report, yoke_error *err)
{
    yoke_error why = {0};
    yoke_status status = yoke_weight_prepare(engine, &w[i], weight, report, &why);
    return status == YOKE_OK ? YOKE_OK : yoke_error_set(err, status, "w[%zu]: %s", i, why.text);
}

static yoke_status prepare_one_by_one(yoke_engine *engine, const yoke_matrix *w, size_t count,
                                      yoke_weight **weights, yoke_prepare_report *reports,
                                      yoke_error *err)
{
    for (size_t i = 0; i < count; i++) {
        yoke_status status =
            prepare_one(engine, w, i, &weights[i], reports ? &reports[i] : NULL, err);
        if (status != YOKE_OK) {
            free_all(weights, i);
            return status;
        }
    }
    return YOKE_OK;
}

yoke_status yoke_weights_prepare(yoke_engine *engine, const yoke_matrix *w, size_t count,
                                 yoke_weight **weights, yoke_prepare_report *reports,
                                 yoke_error *err)
{
    if (!engine || !w || !weights)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_weights_prepare: an argument is NULL");
    for (size_t i = 0; i < count; i++)
        weights[i] = NULL;
    size_t at = count;
    if (can_go_together(engine, w, count) &&
        prepare_together(engine, w, count, weights, reports, &at))
        return YOKE_OK;
    if (at < count) { /* else the engine might have no room left when it gets there */
        yoke_weight *alone;
        yoke_status status = prepare_one(engine, w, at, &alone, NULL, err);
        if (status != YOKE_OK)
            return status;
        yoke_weight_free(alone);
    }
    return prepare_one_by_one(engine, w, count, weights, reports, err);
}
