/* The few keys of a GGUF file that its tensors do not tell. */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "files/gguf_values.h"
#include "planner/model.h"

enum { TYPE_STRING = 8 };

static bool ends_with(gguf_string name, const char *end)
{
    size_t length = strlen(end);
    return name.length > length && memcmp(name.text + name.length - length, end, length) == 0;
}

static yoke_status read_size(gguf_cursor *c, const char *key, uint32_t type, size_t *value,
                             yoke_error *err)
{
    uint64_t read;
    yoke_status status = gguf_integer(c, key, type, &read, err);
    if (status == YOKE_OK)
        *value = (size_t)read;
    return status;
}

static yoke_status read_pair(gguf_cursor *c, model_facts *facts, yoke_error *err)
{
    gguf_string name, text;
    uint32_t type;
    yoke_status status = gguf_text(c, "key", &name, err);
    if (status == YOKE_OK)
        status = gguf_u32(c, "type", &type, err);
    if (status != YOKE_OK)
        return status;
    if (ends_with(name, ".expert_count"))
        return read_size(c, "expert_count", type, &facts->experts, err);
    if (ends_with(name, ".expert_used_count"))
        return read_size(c, "expert_used_count", type, &facts->experts_used, err);
    if (!gguf_string_is(name, "general.architecture") || type != TYPE_STRING)
        return gguf_skip(c, "value", type, err);
    status = gguf_text(c, "general.architecture", &text, err);
    if (status == YOKE_OK)
        snprintf(facts->name, sizeof facts->name, "%.*s",
                 (int)size_min(text.length, sizeof facts->name), text.text);
    return status;
}

static yoke_status read_pairs(const mapping *map, const char *path, model_facts *facts,
                              yoke_error *err)
{
    gguf_cursor c = {.map = map, .path = path, .at = 8}; /* behind magic and version */
    uint64_t tensors, pairs;
    yoke_status status = gguf_u64(&c, "tensor count", &tensors, err);
    if (status == YOKE_OK)
        status = gguf_u64(&c, "key-value count", &pairs, err);
    for (uint64_t i = 0; status == YOKE_OK && i < pairs; i++)
        status = read_pair(&c, facts, err);
    return status;
}

yoke_status gguf_keys_read(const char *path, model_facts *facts, yoke_error *err)
{
    mapping map;
    yoke_status status = mapping_open(path, &map, err);
    if (status != YOKE_OK)
        return status;
    if (map.size < 8)
        status = yoke_error_set(err, YOKE_ERR_FORMAT, "%s: not a GGUF file", path);
    else
        status = read_pairs(&map, path, facts, err);
    mapping_close(&map);
    return status;
}
