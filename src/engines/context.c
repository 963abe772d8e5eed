#include "engines/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "engines/registry.h"

static yoke_status out_of_memory(yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_MEMORY, "finding the engines: out of memory");
}

const yoke_engine_class *context_find_class(const yoke_context *context, const char *name)
{
    for (size_t i = 0; i < context->class_count; i++)
        if (strcmp(context->classes[i]->name, name) == 0)
            return context->classes[i];
    return NULL;
}

static yoke_status collect_classes(yoke_context *context, yoke_error *err)
{
    size_t count;
    const yoke_engine_class *const *built_in = registry_classes(&count);
    context->classes = calloc(count + context->plugin_count, sizeof *context->classes);
    if (!context->classes)
        return out_of_memory(err);
    memcpy(context->classes, built_in, count * sizeof *built_in);
    context->class_count = count;

    for (size_t i = 0; i < context->plugin_count; i++) {
        plugin *p = &context->plugins[i];
        if (!p->library)
            continue;
        if (context_find_class(context, p->table.name))
            plugin_reject(p, "an engine of the same name is there already");
        else
            context->classes[context->class_count++] = &p->table;
    }
    return YOKE_OK;
}

/* Room for `more` infos after those there are. */
static yoke_engine_info *reserve_infos(yoke_context *context, size_t more)
{
    size_t total;
    if (!size_add(context->info_count, more, &total) || total > SIZE_MAX / sizeof *context->infos)
        return NULL;
    yoke_engine_info *grown = realloc(context->infos, total * sizeof *grown);
    if (!grown)
        return NULL;
    context->infos = grown;
    memset(grown + context->info_count, 0, more * sizeof *grown);
    return grown + context->info_count;
}

static yoke_status add_unready(yoke_context *context, const char *name, const char *reason,
                               yoke_error *err)
{
    yoke_engine_info *info = reserve_infos(context, 1);
    if (!info)
        return out_of_memory(err);
    snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1, name);
    snprintf(info->reason, sizeof info->reason, "%s", reason);
    context->info_count++;
    return YOKE_OK;
}

static yoke_status probe_class(yoke_context *context, const yoke_engine_class *class,
                               yoke_error *err)
{
    yoke_error reason = {0};
    size_t capacity = 8, count = 0;
    for (;;) {
        yoke_engine_info *infos = reserve_infos(context, capacity);
        if (!infos)
            return out_of_memory(err);
        if (class->probe(infos, capacity, &count, &reason) != YOKE_OK)
            return add_unready(context, class->name, reason.text, err);
        if (count <= capacity)
            break;
        capacity = count; /* there are more than we had room for: ask again */
    }
    context->info_count += count;
    return YOKE_OK;
}

static yoke_status find_engines(yoke_context *context, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < context->class_count && status == YOKE_OK; i++)
        if (!context->classes[i]->hidden)
            status = probe_class(context, context->classes[i], err);
    for (size_t i = 0; i < context->plugin_count && status == YOKE_OK; i++)
        if (!context->plugins[i].library)
            status =
                add_unready(context, context->plugins[i].file, context->plugins[i].reason, err);
    return status;
}

yoke_status yoke_context_create(const yoke_context_options *options, yoke_context **context,
                                yoke_error *err)
{
    if (!context)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_context_create: context is NULL");
    *context = NULL;
    yoke_context *made = calloc(1, sizeof *made);
    if (!made)
        return out_of_memory(err);

    yoke_status status = YOKE_OK;
    if (options && options->plugin_dir)
        status = plugin_load_all(options->plugin_dir, &made->plugins, &made->plugin_count, err);
    if (status == YOKE_OK)
        status = collect_classes(made, err);
    if (status == YOKE_OK)
        status = find_engines(made, err);
    if (status != YOKE_OK) {
        yoke_context_free(made);
        return status;
    }
    *context = made;
    return YOKE_OK;
}

void yoke_context_free(yoke_context *context)
{
    if (!context)
        return;
    plugin_free_all(context->plugins, context->plugin_count);
    free(context->classes);
    free(context->infos);
    free(context);
}

size_t yoke_context_engine_count(const yoke_context *context)
{
    return context ? context->info_count : 0;
}

const yoke_engine_info *yoke_context_engine_info(const yoke_context *context, size_t index)
{
    return index < yoke_context_engine_count(context) ? &context->infos[index] : NULL;
}
