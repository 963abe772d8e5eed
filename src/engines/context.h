/* The engines that a context found. */
#ifndef ENGINES_CONTEXT_H
#define ENGINES_CONTEXT_H

#include "engines/plugin.h"
#include "yoke/yoke.h"

struct yoke_context {
    const yoke_engine_class **classes; /* built in, then plug-ins */
    size_t class_count;
    plugin *plugins;
    size_t plugin_count;
    yoke_engine_info *infos; /* what the classes that are not hidden found */
    size_t info_count;
};

/* The class of that name, hidden or not; NULL if there is none. */
const yoke_engine_class *context_find_class(const yoke_context *context, const char *name);

#endif
