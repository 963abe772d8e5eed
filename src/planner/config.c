/* config.json, as Hugging Face has it: the name of the architecture, and what tensors do not tell.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/mapping.h"
#include "planner/model.h"

enum { CONFIG_LIMIT = 1 << 24 }; /* bytes; those that are published have some thousands */

/* The value of a key, in the part for text or for experts of a model that has such as well. */
static const json_t *value_of(const json_t *root, const char *key)
{
    static const char *const parts[] = {"text_config", "llm_config", "language_config",
                                        "ffn_config", "thinker_config"};
    const json_t *value = json_object_get(root, key);
    for (size_t i = 0; !value && i < sizeof parts / sizeof *parts; i++) {
        const json_t *part = json_object_get(root, parts[i]);
        value = json_object_get(part, key);
        if (!value)
            value = json_object_get(json_object_get(part, "text_config"), key);
    }
    return value;
}

static size_t size_of(const json_t *root, const char *const *keys)
{
    for (; *keys; keys++) {
        json_int_t value = json_integer_value(value_of(root, *keys));
        if (value > 0)
            return (size_t)value;
    }
    return 0;
}

static void take_facts(const json_t *root, model_facts *facts)
{
    static const char *const experts[] = {"num_local_experts", "num_experts", "n_routed_experts",
                                          "moe_num_experts", NULL};
    static const char *const used[] = {"num_experts_per_tok",
                                       "num_experts_per_token",
                                       "experts_per_token",
                                       "moe_top_k",
                                       "moe_topk",
                                       "moe_k",
                                       NULL};
    const char *name = json_string_value(json_object_get(root, "model_type"));
    snprintf(facts->name, sizeof facts->name, "%s", name ? name : "");
    facts->experts = size_of(root, experts);
    facts->experts_used = size_of(root, used);
    /* What is not said is true, as the library that wrote the file has it. */
    facts->tied = !json_is_false(value_of(root, "tie_word_embeddings"));
}

/* Python writes NaN and Infinity, which are no JSON: makes them 0. */
static void remove_python_numbers(char *text, size_t size)
{
    static const char *const words[] = {"NaN", "Infinity"};
    bool quoted = false;
    for (size_t at = 0; at < size; at++) {
        if (quoted && text[at] == '\\')
            at++;
        else if (text[at] == '"')
            quoted = !quoted;
        for (size_t i = 0; !quoted && at < size && i < sizeof words / sizeof *words; i++) {
            size_t length = strlen(words[i]);
            if (size - at < length || memcmp(text + at, words[i], length) != 0)
                continue;
            memset(text + at, ' ', length);
            text[at] = '0';
        }
    }
}

static yoke_status take_text(const char *path, const char *text, size_t size, model_facts *facts,
                             yoke_error *err)
{
    json_error_t reason;
    json_t *root = json_loadb(text, size, 0, &reason);
    yoke_status status = YOKE_OK;
    if (!root)
        status = yoke_error_set(err, YOKE_ERR_FORMAT, "%s: byte %d: %s", path, reason.position,
                                reason.text);
    else if (!json_is_object(root))
        status = yoke_error_set(err, YOKE_ERR_FORMAT, "%s: byte 0: not an object", path);
    else
        take_facts(root, facts);
    json_decref(root);
    return status;
}

static yoke_status parse(const char *path, const mapping *map, model_facts *facts, yoke_error *err)
{
    if (map->size == 0)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: the file is empty", path);
    if (map->size > CONFIG_LIMIT)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: %zu bytes are over the limit of %d", path,
                              map->size, CONFIG_LIMIT);
    char *text = malloc(map->size);
    if (!text)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its text", path);
    memcpy(text, map->bytes, map->size);
    remove_python_numbers(text, map->size);
    yoke_status status = take_text(path, text, map->size, facts, err);
    free(text);
    return status;
}

/* How much of the path is the folder, with its '/'. */
static size_t folder_length(const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return strlen(path);
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

yoke_status config_read(const char *path, model_facts *facts, yoke_error *err)
{
    static const char file[] = "config.json";
    size_t length = folder_length(path), room = length + 1 + sizeof file;
    char *name = malloc(room);
    if (!name)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its name", path);
    bool slash = length > 0 && path[length - 1] != '/';
    snprintf(name, room, "%.*s%s%s", (int)length, path, slash ? "/" : "", file);
    mapping map;
    yoke_status status = mapping_open(name, &map, err);
    if (status == YOKE_OK) {
        status = parse(name, &map, facts, err);
        mapping_close(&map);
    }
    free(name);
    return status;
}
