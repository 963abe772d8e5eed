#include "files/coreml/bundle.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/coreml/blob.h"
#include "files/text.h"

static const char MODEL_PATH[] = "@model_path/";

/* The first `length` bytes of `head`, and `tail`. NULL when memory is out. */
static char *join(const char *head, size_t length, const char *tail)
{
    char *path = malloc(length + strlen(tail) + 1);
    if (!path)
        return NULL;
    memcpy(path, head, length);
    strcpy(path + length, tail);
    return path;
}

static yoke_status no_memory(const char *path, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for a path", path);
}

static bool exists(const char *path)
{
    struct stat status;
    return path && stat(path, &status) == 0;
}

static bool holds(const char *folder, const char *name)
{
    char *path = join(folder, strlen(folder), name);
    bool is = exists(path);
    free(path);
    return is;
}

bool bundle_is_folder(const char *path)
{
    return holds(path, "/model.mil") || holds(path, "/Manifest.json") ||
           text_ends_with(path, ".mlmodelc") || text_ends_with(path, ".mlpackage");
}

static yoke_status manifest_fail(const char *path, const char *why, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: %s", path, why);
}

/* itemInfoEntries[rootModelIdentifier].path, which is inside Data/. */
static yoke_status read_manifest(const char *folder, const char *path, json_t *root, char **program,
                                 yoke_error *err)
{
    const char *id = json_string_value(json_object_get(root, "rootModelIdentifier"));
    if (!id)
        return manifest_fail(path, "rootModelIdentifier: missing, or not a string", err);
    json_t *item = json_object_get(json_object_get(root, "itemInfoEntries"), id);
    const char *inner = json_string_value(json_object_get(item, "path"));
    if (!inner)
        return manifest_fail(path, "itemInfoEntries: no path for the root model", err);
    if (!text_is_inner_path(inner))
        return manifest_fail(path, "itemInfoEntries: the root model's path leaves the package",
                             err);
    char *data = join(folder, strlen(folder), "/Data/");
    *program = data ? join(data, strlen(data), inner) : NULL;
    free(data);
    return *program ? YOKE_OK : no_memory(path, err);
}

static yoke_status open_manifest(const char *folder, const char *path, char **program,
                                 yoke_error *err)
{
    mapping map;
    yoke_status status = mapping_open(path, &map, err);
    if (status != YOKE_OK)
        return status;
    json_error_t error = {.text = "the file is empty"};
    json_t *root = NULL;
    if (map.size > 0)
        root = json_loadb((const char *)map.bytes, map.size, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        status = yoke_error_set(err, YOKE_ERR_FORMAT, "%s: JSON, byte %d: %s", path, error.position,
                                error.text);
    else
        status = read_manifest(folder, path, root, program, err);
    json_decref(root);
    mapping_close(&map);
    return status;
}

static yoke_status find_package(const char *folder, char **program, yoke_error *err)
{
    char *path = join(folder, strlen(folder), "/Manifest.json");
    yoke_status status = path ? open_manifest(folder, path, program, err) : no_memory(folder, err);
    free(path);
    return status;
}

yoke_status bundle_find(const char *folder, char **program, yoke_error *err)
{
    bool compiled = holds(folder, "/model.mil");
    *program = NULL;
    if (!compiled && holds(folder, "/model.espresso.net"))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "%s: a compiled neural network of the old kind, not an ML Program, "
                              "which is what yoke reads",
                              folder);
    if (!compiled && holds(folder, "/model0"))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "%s: a compiled pipeline of models, not an ML Program: name one of "
                              "them, as model0 in it",
                              folder);
    if (!compiled && (holds(folder, "/Manifest.json") || text_ends_with(folder, ".mlpackage")))
        return find_package(folder, program, err);
    *program = join(folder, strlen(folder), "/model.mil");
    return *program ? YOKE_OK : no_memory(folder, err);
}

yoke_status bundle_of_weights(const char *path, char **program, yoke_error *err)
{
    static const char *const candidates[] = {"model.mil", "model.mlmodel"};
    static const char folder[] = "weights/";
    size_t length = (size_t)(text_base_name(path) - path), folder_length = strlen(folder);
    *program = NULL;
    if (length < folder_length || memcmp(path + length - folder_length, folder, folder_length) != 0)
        return YOKE_OK;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        *program = join(path, length - folder_length, candidates[i]);
        if (!*program)
            return no_memory(path, err);
        if (exists(*program))
            return YOKE_OK;
        free(*program);
        *program = NULL;
    }
    return YOKE_OK;
}

yoke_status bundle_part(yoke_file *file, const bundle *from, mil_text path, size_t *part,
                        yoke_error *err)
{
    size_t prefix = strlen(MODEL_PATH);
    bool inside = path.length > prefix && memcmp(path.text, MODEL_PATH, prefix) == 0 &&
                  !memchr(path.text, '\0', path.length) && text_is_inner_path(path.text + prefix);
    if (!inside)
        return yoke_error_set(err, YOKE_ERR_FORMAT,
                              "%s: BLOBFILE: \"%s\" is not a path inside the bundle", from->path,
                              text_shown(path.text, path.length).text);
    const char *inner = path.text + prefix;
    for (*part = 1; *part < file->part_count; (*part)++)
        if (strcmp(file->parts[*part].path + from->root_length, inner) == 0)
            return YOKE_OK;
    yoke_status status = file_open_part(file, from->path, from->root_length, inner, err);
    if (status != YOKE_OK)
        return status;
    const file_part *added = &file->parts[*part];
    return blob_check_header(&added->map, added->path, err);
}
