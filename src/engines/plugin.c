#include "engines/plugin.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "engines/specification.h"

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), ending_length = strlen(ending);
    return length > ending_length && strcmp(text + length - ending_length, ending) == 0;
}

static int by_file(const void *a, const void *b)
{
    return strcmp(((const plugin *)a)->file, ((const plugin *)b)->file);
}

static yoke_status add_file(const char *name, plugin **plugins, size_t *count, size_t *capacity,
                            yoke_error *err)
{
    if (*count == *capacity) {
        size_t wanted = *capacity ? *capacity * 2 : 8;
        plugin *grown = realloc(*plugins, wanted * sizeof **plugins);
        if (!grown)
            return yoke_error_set(err, YOKE_ERR_MEMORY, "engine plug-ins: out of memory");
        *plugins = grown;
        *capacity = wanted;
    }
    plugin *p = &(*plugins)[(*count)++];
    *p = (plugin){0};
    snprintf(p->file, sizeof p->file, "%s", name);
    return YOKE_OK;
}

static yoke_status find_files(const char *folder, plugin **plugins, size_t *count, yoke_error *err)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return yoke_error_set(err, YOKE_ERR_IO, "%s: plug-in folder: %s", folder, strerror(errno));
    yoke_status status = YOKE_OK;
    size_t capacity = 0;
    const struct dirent *entry;
    while (status == YOKE_OK && (entry = readdir(dir)) != NULL)
        if (ends_with(entry->d_name, ".so") || ends_with(entry->d_name, ".dylib"))
            status = add_file(entry->d_name, plugins, count, &capacity, err);
    closedir(dir);
    if (*count > 1)
        qsort(*plugins, *count, sizeof **plugins, by_file);
    return status;
}

void plugin_reject(plugin *p, const char *reason)
{
    snprintf(p->reason, sizeof p->reason, "%s", reason);
    if (p->library)
        dlclose(p->library);
    p->library = NULL;
}

static bool has_required_entries(const yoke_engine_class *table)
{
    return table->name && table->probe && table->open && table->close && table->prepare &&
           table->release && table->submit && table->wait;
}

/* Takes over the plug-in's table. A table of an older, smaller kind leaves the later entries NULL.
 */
static void adopt_table(plugin *p, const yoke_engine_class *theirs)
{
    char reason[sizeof p->reason];
    if (theirs->abi != YOKE_ENGINE_ABI) {
        snprintf(reason, sizeof reason, "its engine ABI is %u, this library's is %u",
                 (unsigned)theirs->abi, YOKE_ENGINE_ABI);
        plugin_reject(p, reason);
        return;
    }
    memcpy(&p->table, theirs, size_min(theirs->size, sizeof p->table));
    p->table.size = sizeof p->table;
    if (!has_required_entries(&p->table)) {
        snprintf(reason, sizeof reason, "its engine table (%u bytes) lacks required entries",
                 (unsigned)theirs->size);
        plugin_reject(p, reason);
    } else if (!specification_name_is_valid(p->table.name)) {
        plugin_reject(p, "its engine's name is not made of lower case letters, digits and '_'");
    }
}

static void load(const char *folder, plugin *p)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, p->file);
    if (length < 0 || (size_t)length >= sizeof path) {
        plugin_reject(p, "its path is too long");
        return;
    }
    p->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!p->library) {
        const char *why = dlerror();
        plugin_reject(p, why ? why : "it cannot be loaded");
        return;
    }
    /* ISO C has no cast from an object to a function pointer; POSIX promises this copy works. */
    void *symbol = dlsym(p->library, "yoke_engine_plugin");
    if (!symbol) {
        plugin_reject(p, "it does not export yoke_engine_plugin");
        return;
    }
    yoke_engine_plugin_function entry;
    memcpy(&entry, &symbol, sizeof entry);
    const yoke_engine_class *theirs = entry();
    if (theirs)
        adopt_table(p, theirs);
    else
        plugin_reject(p, "its yoke_engine_plugin answered NULL");
}

yoke_status plugin_load_all(const char *folder, plugin **plugins, size_t *count, yoke_error *err)
{
    *plugins = NULL;
    *count = 0;
    yoke_status status = find_files(folder, plugins, count, err);
    if (status != YOKE_OK) {
        free(*plugins);
        *plugins = NULL;
        *count = 0;
        return status;
    }
    for (size_t i = 0; i < *count; i++)
        load(folder, &(*plugins)[i]);
    return YOKE_OK;
}

void plugin_free_all(plugin *plugins, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (plugins[i].library)
            dlclose(plugins[i].library);
    free(plugins);
}
