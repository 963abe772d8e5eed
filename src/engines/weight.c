#include "engines/weight.h"

#include <stdlib.h>

#include "engines/narrow.h"
#include "yoke/measure.h"

static yoke_status check_limits(const yoke_engine *engine, const yoke_matrix *w, yoke_error *err)
{
    const yoke_engine_facts *facts = &engine->info.facts;
    if (facts->max_n > 0 && w->rows > facts->max_n)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "engine %s: w has %zu rows, its limit is %zu",
                              engine->info.name, w->rows, facts->max_n);
    if (facts->max_k > 0 && w->cols > facts->max_k)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "engine %s: w has %zu columns, its limit is %zu",
                              engine->info.name, w->cols, facts->max_k);
    return YOKE_OK;
}

yoke_status weight_check(const yoke_engine *engine, const yoke_matrix *w, yoke_error *err)
{
    yoke_status status = yoke_matrix_validate(w, "w", err);
    if (status == YOKE_OK)
        status = handle_check(engine, err);
    return status == YOKE_OK ? check_limits(engine, w, err) : status;
}

static bool takes(const yoke_engine *engine, yoke_format format)
{
    uint64_t native = engine->info.facts.native_formats;
    return native == 0 || (native >> format & 1u);
}

static yoke_status prepare_as(yoke_weight *weight, const yoke_matrix *w, yoke_format format,
                              yoke_prepare_report *report, yoke_error *err)
{
    yoke_matrix converted;
    yoke_status status = yoke_matrix_create(format, w->rows, w->cols, &converted, err);
    if (status != YOKE_OK)
        return status;
    status = yoke_matrix_convert(w, &converted, err);
    if (status == YOKE_OK)
        status = weight->engine->class->prepare(weight->engine->self, &converted, &weight->prepared,
                                                report, err);
    yoke_matrix_free(&converted);
    if (status == YOKE_OK) {
        if (report->format == YOKE_FORMAT_NONE)
            report->format = format;
        size_t read = 0;
        if (yoke_format_bytes(w->format, w->rows, w->cols, &read, NULL) == YOKE_OK)
            report->copied_bytes = read;
    }
    return status;
}

/* In w's own format, else in the smallest one that holds all its values; what is wider than f32
 * (f64, wide integers) is what yoke_matrix_read makes of it. */
static yoke_status prepare_in_some_format(yoke_weight *weight, const yoke_matrix *w,
                                          yoke_prepare_report *report, yoke_error *err)
{
    static const yoke_format candidates[] = {YOKE_F16, YOKE_F32};
    const yoke_engine *engine = weight->engine;
    yoke_error why = {0}; /* the caller's stays as it is when another format will do */
    yoke_status status = engine->class->prepare(engine->self, w, &weight->prepared, report, &why);
    for (size_t i = 0; i < 2 && status == YOKE_ERR_UNSUPPORTED; i++) {
        yoke_format format = candidates[i];
        bool lossless = format == YOKE_F32 || narrow_fits_f16(w->format);
        if (lossless && format != w->format && takes(engine, format) &&
            yoke_format_get(w->format)->readable)
            status = prepare_as(weight, w, format, report, &why);
    }
    return status == YOKE_OK ? YOKE_OK : yoke_error_set(err, status, "%s", why.text);
}

yoke_status yoke_weight_prepare(yoke_engine *engine, const yoke_matrix *w, yoke_weight **weight,
                                yoke_prepare_report *report, yoke_error *err)
{
    if (!engine || !weight)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_weight_prepare: an argument is NULL");
    *weight = NULL;
    yoke_status status = weight_check(engine, w, err);
    if (status != YOKE_OK)
        return status;

    yoke_weight *made = calloc(1, sizeof *made);
    if (!made)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "preparing w: out of memory");
    *made = (yoke_weight){.engine = engine, .rows = w->rows, .cols = w->cols};
    yoke_prepare_report local = {0};
    uint64_t begin = yoke_clock_ns();
    if (w->rows > 0 && w->cols > 0) /* an empty weight needs no engine: multiply sees to it */
        status = prepare_in_some_format(made, w, &local, err);
    if (status != YOKE_OK) {
        free(made);
        return status;
    }
    local.elapsed_ns = yoke_clock_ns() - begin;
    if (local.format == YOKE_FORMAT_NONE)
        local.format = w->format;
    if (report)
        *report = local;
    *weight = made;
    return YOKE_OK;
}

void yoke_weight_free(yoke_weight *weight)
{
    if (!weight)
        return;
    if (weight->prepared)
        weight->engine->class->release(weight->engine->self, weight->prepared);
    free(weight);
}

size_t yoke_weight_outputs(const yoke_weight *weight)
{
    return weight ? weight->rows : 0;
}

size_t yoke_weight_inputs(const yoke_weight *weight)
{
    return weight ? weight->cols : 0;
}
