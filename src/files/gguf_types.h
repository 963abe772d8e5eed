/* The element types of GGUF. */
#ifndef FILES_GGUF_TYPES_H
#define FILES_GGUF_TYPES_H

#include <stdint.h>

#include "yoke/matrix.h"

typedef struct gguf_type {
    const char *name;   /* NULL: no such type */
    yoke_format format; /* NONE: the type was removed from ggml */
} gguf_type;

gguf_type gguf_type_get(uint32_t id);

#endif
