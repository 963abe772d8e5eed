#include "engines/coreml/prepare.h"

#include <stdio.h>
#include <stdlib.h>

#include "yoke/measure.h"

const char *coreml_placement_name(coreml_placement placement)
{
    static const char *const names[] = {
        [COREML_PLACED_UNKNOWN] = "not known",
        [COREML_PLACED_ANE] = "ANE",
        [COREML_PLACED_GPU] = "GPU",
        [COREML_PLACED_CPU] = "CPU",
        [COREML_PLACED_SEVERAL] = "several devices",
    };
    return names[placement];
}

static yoke_status compile(worker_job *job, yoke_error *err)
{
    coreml_prepared *p = (coreml_prepared *)job;
    const coreml_options *options = &p->engine->options;
    const apple *a = &p->engine->objc;
    void *pool = apple_pool_push(a);
    yoke_status status =
        coreml_form_make(a, options->units, p->layout, &p->package, 1, &p->one, err);
    if (status == YOKE_OK && options->rows > 1)
        status = coreml_form_make(a, options->units, p->layout, &p->package, options->rows,
                                  &p->many, err);
    apple_pool_pop(a, pool);
    coreml_folder_remove(p->package.path); /* what was compiled has all of it */
    return status;
}

/* Does nothing the second time. */
static void remove_files(coreml_prepared *p)
{
    if (p->one.compiled[0])
        coreml_folder_remove(p->one.compiled);
    if (p->many.compiled[0])
        coreml_folder_remove(p->many.compiled);
    coreml_package_remove(&p->package);
}

static void destroy(worker_thing *thing)
{
    coreml_prepared *p = (coreml_prepared *)thing;
    const apple *a = &p->engine->objc;
    remove_files(p);
    void *pool = apple_pool_push(a);
    if (p->one.rows)
        coreml_form_free(a, p->layout, &p->one);
    if (p->many.rows)
        coreml_form_free(a, p->layout, &p->many);
    apple_pool_pop(a, pool);
    worker_job_destroy(&p->job);
    free(p->layout);
    free(p);
}

/* What a product that was given up may still use stays, but not on disk. */
void coreml_release(void *engine, void *prepared)
{
    coreml_prepared *p = prepared;
    remove_files(p);
    worker_discard(((coreml_engine *)engine)->worker, &p->job.thing);
}

static void fill_report(const coreml_prepared *p, const yoke_matrix *w, yoke_prepare_report *report)
{
    report->format = p->layout->format;
    report->prepared_bytes = p->layout->file_bytes;
    report->copied_bytes = yoke_matrix_bytes(w);
    const bool differ = p->many.rows && p->many.placement != p->one.placement;
    snprintf(report->layout, sizeof report->layout, "a program, by its plan on: %s%s%s",
             coreml_placement_name(p->one.placement), differ ? "; more rows on " : "",
             differ ? coreml_placement_name(p->many.placement) : "");
}

/* When the compiler is given up it may still write into p, so that only the package is removed. */
static yoke_status compile_in_time(coreml_engine *e, coreml_prepared *p, yoke_error *err)
{
    worker_start(e->worker, &p->job);
    yoke_status status =
        worker_wait(e->worker, &p->job, "compileModelAtURL:error:", YOKE_WAIT_BLOCK, 0,
                    yoke_clock_ns() + e->options.compile_ns, err);
    if (p->job.given_up)
        coreml_folder_remove(p->package.folder);
    return status;
}

static yoke_status prepare_stored(coreml_engine *e, const yoke_matrix *w, coreml_prepared **out,
                                  yoke_prepare_report *report, yoke_error *err)
{
    coreml_prepared *p = calloc(1, sizeof *p);
    if (!p)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine coreml: preparing w: out of memory");
    p->engine = e;
    worker_job_init(&p->job, compile, destroy);
    yoke_status status = coreml_layout_make(w, &p->layout, err);
    if (status == YOKE_OK)
        status = coreml_package_create(p->layout, w, &p->package, err);
    if (status == YOKE_OK)
        status = compile_in_time(e, p, err);
    if (status != YOKE_OK) {
        worker_discard(e->worker, &p->job.thing);
        return status;
    }
    fill_report(p, w, report);
    *out = p;
    return YOKE_OK;
}

/* Only f16 reaches the Neural Engine, of formats that are not compressed. */
static yoke_status prepare_rounded(coreml_engine *e, const yoke_matrix *w, coreml_prepared **out,
                                   yoke_prepare_report *report, yoke_error *err)
{
    yoke_matrix halves;
    yoke_status status = yoke_matrix_create(YOKE_F16, w->rows, w->cols, &halves, err);
    if (status != YOKE_OK)
        return status;
    status = yoke_matrix_convert(w, &halves, err);
    if (status == YOKE_OK)
        status = prepare_stored(e, &halves, out, report, err);
    yoke_matrix_free(&halves);
    return status;
}

yoke_status coreml_prepare(coreml_engine *e, const yoke_matrix *w, coreml_prepared **out,
                           yoke_prepare_report *report, yoke_error *err)
{
    yoke_error why = {0};
    yoke_status status = YOKE_ERR_UNSUPPORTED;
    const bool round = e->options.round && yoke_format_get(w->format)->readable;
    if (!round || w->format != YOKE_F32)
        status = prepare_stored(e, w, out, report, &why);
    if (round && status == YOKE_ERR_UNSUPPORTED)
        return prepare_rounded(e, w, out, report, err);
    return status == YOKE_OK ? YOKE_OK : yoke_error_set(err, status, "%s", why.text);
}
