#include "engines/handle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/context.h"
#include "engines/specification.h"

yoke_status handle_check(const yoke_engine *engine, yoke_error *err)
{
    if (!atomic_load(&engine->lost))
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_ENGINE,
                          "engine %s: lost: an earlier call to it was given up", engine->info.name);
}

/* Names what could have been meant: the engines listed, ready or not. */
static yoke_status not_found(const yoke_context *context, const char *name, yoke_error *err)
{
    char known[384];
    size_t used = 0;
    known[0] = '\0';
    for (size_t i = 0; i < context->info_count && used < sizeof known; i++) {
        int wrote = snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                             context->infos[i].name);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "no engine is called \"%s\"; known: %s", name,
                          known);
}

/* What a class left out of its description. */
static void complete_info(yoke_engine_info *info, const specification *parsed)
{
    if (!info->name[0])
        snprintf(info->name, sizeof info->name, "%s%s%s", parsed->name,
                 *parsed->config.device ? ":" : "", parsed->config.device);
    info->ready = true;
    if (info->facts.granule_m == 0)
        info->facts.granule_m = 1;
    if (info->facts.granule_n == 0)
        info->facts.granule_n = 1;
}

static yoke_status open_parsed(const yoke_context *context, const specification *parsed,
                               const char *text, yoke_engine **engine, yoke_error *err)
{
    const yoke_engine_class *class = context_find_class(context, parsed->name);
    if (!class)
        return not_found(context, parsed->name, err);
    yoke_engine *made = calloc(1, sizeof *made);
    if (!made)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: out of memory", parsed->name);
    made->class = class;
    atomic_init(&made->lost, false);
    made->specification = strdup(text);
    yoke_status status =
        made->specification
            ? class->open(&parsed->config, &made->self, &made->info, err)
            : yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: out of memory", parsed->name);
    if (status != YOKE_OK) {
        free(made->specification);
        free(made);
        return status;
    }
    complete_info(&made->info, parsed);
    *engine = made;
    return YOKE_OK;
}

yoke_status yoke_engine_open(yoke_context *context, const char *text, yoke_engine **engine,
                             yoke_error *err)
{
    if (!context || !text || !engine)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_engine_open: an argument is NULL");
    *engine = NULL;
    specification parsed;
    yoke_status status = specification_parse(text, &parsed, err);
    if (status != YOKE_OK)
        return status;
    status = open_parsed(context, &parsed, text, engine, err);
    specification_free(&parsed);
    return status;
}

void yoke_engine_free(yoke_engine *engine)
{
    if (!engine)
        return;
    engine->class->close(engine->self);
    free(engine->specification);
    free(engine);
}

const yoke_engine_info *yoke_engine_describe(const yoke_engine *engine)
{
    return engine ? &engine->info : NULL;
}

const char *yoke_engine_specification(const yoke_engine *engine)
{
    return engine ? engine->specification : NULL;
}

void yoke_engine_heed(yoke_engine *engine, const volatile bool *stop)
{
    if (engine && engine->class->heed)
        engine->class->heed(engine->self, stop);
}

yoke_status yoke_engine_limit(yoke_engine *engine, const yoke_limit_request *request,
                              double *per_second, yoke_error *err)
{
    if (!engine || !request || !per_second)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_engine_limit: an argument is NULL");
    if (request->size < sizeof *request)
        return yoke_error_set(err, YOKE_ERR_USAGE,
                              "yoke_engine_limit: request->size is %u, not %zu",
                              (unsigned)request->size, sizeof *request);
    if (request->limit == YOKE_LIMIT_READ && (!request->bytes || request->byte_count == 0))
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_engine_limit: nothing to read");
    yoke_status status = handle_check(engine, err);
    if (status != YOKE_OK)
        return status;
    if (!engine->class->limit)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine %s: its limits are not known",
                              engine->info.name);
    return engine->class->limit(engine->self, request, per_second, err);
}
