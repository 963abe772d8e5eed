/* The keys of a GGUF header so far: each may appear once. */
#ifndef FILES_GGUF_KEYS_SEEN_H
#define FILES_GGUF_KEYS_SEEN_H

#include "files/gguf_values.h"
#include "files/names.h"

/* Zero-initialise, then set names.seed. */
typedef struct gguf_keys_seen {
    gguf_string *keys;
    size_t count, capacity;
    names names;
} gguf_keys_seen;

/* Takes note of a key, which stands at byte `at`. Errors: YOKE_ERR_FORMAT when it was there before,
 * YOKE_ERR_MEMORY. */
yoke_status gguf_keys_see(gguf_keys_seen *seen, const gguf_cursor *c, gguf_string key, size_t at,
                          yoke_error *err);

void gguf_keys_free(gguf_keys_seen *seen);

#endif
