#include "engines/ane/program.h"

#include <time.h>

#include "engines/ane/helper.h"
#include "engines/ane/limits.h"

#define TRIES    8
#define RETRY_NS 100000000 /* a load that failed works after so long at times */

static yoke_status compile_here(const ane_maker *maker, ane_program *p, yoke_error *err)
{
    yoke_status status = ane_limits_compile(err);
    p->compiled = true;
    return status == YOKE_OK ? ane_model_compile(maker->framework, &p->model, err) : status;
}

static yoke_status compile(const ane_maker *maker, ane_program *p, yoke_error *err)
{
    if (ane_model_is_compiled(maker->framework, &p->model))
        return YOKE_OK;
    if (!maker->helper[0])
        return compile_here(maker, p, err);
    return ane_helper_compile(maker->helper, p->model.folder, maker->options, err);
}

/* Whoever has the same program removes the folder when it is done, and may make it anew. */
static yoke_status compile_from_folder(const ane_maker *maker, ane_program *p, yoke_error *err)
{
    yoke_error why = {0};
    yoke_status status = YOKE_ERR_IO;
    for (int i = 0; i < TRIES && status == YOKE_ERR_IO; i++) {
        status = ane_folder_write(p->model.folder, &p->model.source, &why);
        if (status == YOKE_OK)
            status = compile(maker, p, &why);
    }
    return status == YOKE_OK ? YOKE_OK : yoke_error_set(err, status, "%s", why.text);
}

/* Another process may compile the same program and have removed the folder since. */
static yoke_status load_once(const ane_maker *maker, const ane_program *p, yoke_error *err)
{
    yoke_status status = ane_folder_write(p->model.folder, &p->model.source, err);
    if (status == YOKE_OK)
        status = ane_model_load(maker->framework, &p->model, maker->options->statistics, err);
    return status;
}

/* What another process compiled, the helper or one before, is found by its content. Where it is not
 * found, or does not load, this process compiles too. */
static yoke_status load(const ane_maker *maker, ane_program *p, yoke_error *err)
{
    if (load_once(maker, p, NULL) == YOKE_OK)
        return YOKE_OK;
    nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
    yoke_status status = load_once(maker, p, err);
    if (status == YOKE_OK || p->compiled || compile_here(maker, p, NULL) != YOKE_OK)
        return status;
    return load_once(maker, p, err);
}

static yoke_status compile_and_load(const ane_maker *maker, ane_program *p, yoke_error *err)
{
    yoke_status status = compile_from_folder(maker, p, err);
    p->refused = status == YOKE_ERR_ENGINE;
    if (status == YOKE_OK)
        status = ane_limits_load(err);
    if (status != YOKE_OK)
        return status;
    status = load(maker, p, err);
    p->loaded = status == YOKE_OK;
    if (!p->loaded)
        ane_limits_unload();
    return status;
}

yoke_status ane_program_make(const ane_maker *maker, const ane_source *source, ane_program *p,
                             yoke_error *err)
{
    const ane_framework *f = maker->framework;
    yoke_status status = ane_model_create(f, source, &p->model, err);
    if (status != YOKE_OK)
        return status;
    void *pool = apple_pool_push(&f->objc);
    status = compile_and_load(maker, p, err);
    apple_pool_pop(&f->objc, pool);
    if (status != YOKE_OK)
        ane_program_free(f, p);
    return status;
}

void ane_program_free(const ane_framework *f, ane_program *p)
{
    if (p->loaded) {
        ane_model_unload(f, &p->model);
        ane_limits_unload();
    }
    p->loaded = false;
    if (p->model.folder)
        ane_folder_remove(p->model.folder);
    ane_model_free(f, &p->model);
}
