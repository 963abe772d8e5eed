#include "files/gguf_keys_seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "files/text.h"

static bool key_is(const void *owner, size_t number, const char *name, size_t length)
{
    gguf_string key = ((const gguf_keys_seen *)owner)->keys[number];
    return key.length == length && memcmp(key.text, name, length) == 0;
}

static bool grow(gguf_keys_seen *seen)
{
    gguf_string *keys = memory_room(seen->keys, seen->count, &seen->capacity, sizeof *seen->keys);
    if (keys)
        seen->keys = keys;
    return keys != NULL;
}

yoke_status gguf_keys_see(gguf_keys_seen *seen, const gguf_cursor *c, gguf_string key, size_t at,
                          yoke_error *err)
{
    if (names_find(&seen->names, key.text, key.length, key_is, seen) != NAMES_NONE)
        return gguf_fail(c, text_shown(key.text, key.length).text, at, err,
                         "the key appears twice");
    if (!grow(seen) || !names_add(&seen->names, key.text, key.length, seen->count))
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its keys", c->path);
    seen->keys[seen->count++] = key;
    return YOKE_OK;
}

void gguf_keys_free(gguf_keys_seen *seen)
{
    free(seen->keys);
    names_free(&seen->names);
}
