/* The header of a GGUF file as a sequence of numbers and strings, each checked to lie in the file.
 */
#ifndef FILES_GGUF_VALUES_H
#define FILES_GGUF_VALUES_H

#include <stdbool.h>

#include "files/mapping.h"

typedef struct gguf_cursor {
    const mapping *map;
    const char *path;
    size_t at;
} gguf_cursor;

typedef struct gguf_string {
    const char *text; /* not NUL-terminated */
    size_t length;
} gguf_string;

/* "PATH: FIELD, byte AT: WHY". Errors: YOKE_ERR_FORMAT, always. */
yoke_status gguf_fail(const gguf_cursor *c, const char *field, size_t at, yoke_error *err,
                      const char *format, ...) YOKE_PRINTF(5, 6);

yoke_status gguf_u32(gguf_cursor *c, const char *field, uint32_t *value, yoke_error *err);
yoke_status gguf_u64(gguf_cursor *c, const char *field, uint64_t *value, yoke_error *err);
yoke_status gguf_text(gguf_cursor *c, const char *field, gguf_string *value, yoke_error *err);

/* A count of things that take at least `least` bytes each: no more than the file has room for. */
yoke_status gguf_count(gguf_cursor *c, const char *field, size_t least, uint64_t *value,
                       yoke_error *err);

/* Passes over the value of a key-value pair of that type. */
yoke_status gguf_skip(gguf_cursor *c, const char *key, uint32_t type, yoke_error *err);

/* The value of an integer type, >= 0. Errors: YOKE_ERR_FORMAT when it is something else. */
yoke_status gguf_integer(gguf_cursor *c, const char *key, uint32_t type, uint64_t *value,
                         yoke_error *err);

bool gguf_string_is(gguf_string string, const char *text);

#endif
