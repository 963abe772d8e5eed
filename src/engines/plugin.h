/* Engine plug-ins: shared objects of a folder that the user names. */
#ifndef ENGINES_PLUGIN_H
#define ENGINES_PLUGIN_H

#include "yoke/engine.h"

typedef struct plugin {
    void *library;           /* NULL when it could not be used; then reason says why */
    yoke_engine_class table; /* as large as ours whatever the plug-in's own size */
    char file[256];          /* its name within the folder */
    char reason[240];
} plugin;

/* Loads every *.so and *.dylib of the folder, in the order of their names. What cannot be used is
 * in the list too, with the reason. Errors: YOKE_ERR_IO (the folder cannot be read),
 * YOKE_ERR_MEMORY. */
yoke_status plugin_load_all(const char *folder, plugin **plugins, size_t *count, yoke_error *err);
void plugin_free_all(plugin *plugins, size_t count);

/* Closes one and notes why it is not used after all. */
void plugin_reject(plugin *p, const char *reason);

#endif
