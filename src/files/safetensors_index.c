/* Sharded safetensors: a JSON index says which file holds which tensor. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/safetensors.h"
#include "files/text.h"

static yoke_status index_fail(const char *path, const char *why, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: weight_map: %s", path, why);
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The shards that the map names, sorted, each once; the texts belong to the map. */
static yoke_status list_shards(const char *path, json_t *map, const char ***shards, size_t *count,
                               yoke_error *err)
{
    const char **list = malloc((json_object_size(map) + 1) * sizeof *list);
    if (!list)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its shards", path);
    *shards = list;
    *count = 0;
    const char *key;
    json_t *value;
    json_object_foreach(map, key, value)
    {
        const char *shard = json_string_value(value);
        if (!shard || !text_is_inner_path(shard))
            return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: weight_map: tensor \"%s\": %s", path,
                                  text_shown(key, strlen(key)).text,
                                  shard ? "its file is not a path inside the folder"
                                        : "its file is not a string");
        list[(*count)++] = shard;
    }
    qsort(list, *count, sizeof *list, compare_texts);
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (kept == 0 || strcmp(list[kept - 1], list[i]) != 0)
            list[kept++] = list[i];
    *count = kept;
    return YOKE_OK;
}

/* Each tensor of the map is in the shard that the map names. */
static yoke_status check_map(const yoke_file *file, const char *path, json_t *map, yoke_error *err)
{
    size_t folder = (size_t)(text_base_name(path) - path);
    const char *key;
    json_t *value;
    json_object_foreach(map, key, value)
    {
        const char *shard = json_string_value(value);
        const yoke_tensor *tensor = yoke_file_find(file, key, strlen(key));
        if (!tensor || strcmp(tensor->path + folder, shard) != 0)
            return yoke_error_set(err, YOKE_ERR_FORMAT,
                                  "%s: weight_map: tensor \"%s\" is not in %s", path,
                                  text_shown(key, strlen(key)).text, shard);
    }
    return YOKE_OK;
}

static yoke_status read_map(yoke_file *file, const char *path, json_t *map, yoke_error *err)
{
    if (!json_is_object(map))
        return index_fail(path, "missing, or not an object", err);
    if (json_object_size(map) == 0)
        return index_fail(path, "names no tensor", err);
    const char **shards = NULL;
    size_t count = 0;
    yoke_status status = list_shards(path, map, &shards, &count, err);
    size_t folder = (size_t)(text_base_name(path) - path);
    for (size_t i = 0; i < count && status == YOKE_OK; i++) {
        status = file_open_part(file, path, folder, shards[i], err);
        if (status == YOKE_OK)
            status = safetensors_read_part(file, err);
    }
    free(shards);
    return status == YOKE_OK ? check_map(file, path, map, err) : status;
}

yoke_status safetensors_index_read(yoke_file *file, const char *path, const mapping *index,
                                   yoke_error *err)
{
    if (index->size > SAFETENSORS_HEADER_LIMIT)
        return yoke_error_set(err, YOKE_ERR_FORMAT,
                              "%s: an index of %zu bytes is over the limit of %u", path,
                              index->size, SAFETENSORS_HEADER_LIMIT);
    json_error_t error;
    json_t *root =
        json_loadb((const char *)index->bytes, index->size, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return yoke_error_set(err,
                              json_error_code(&error) == json_error_out_of_memory ? YOKE_ERR_MEMORY
                                                                                  : YOKE_ERR_FORMAT,
                              "%s: JSON, byte %d: %s", path, error.position, error.text);
    snprintf(file->kind, sizeof file->kind, "safetensors");
    yoke_status status = read_map(file, path, json_object_get(root, "weight_map"), err);
    json_decref(root);
    return status;
}
