/* The first part of a GGUF file: version, counts, and the few keys that say where things are. */
#ifndef FILES_GGUF_HEADER_H
#define FILES_GGUF_HEADER_H

#include "files/gguf.h"
#include "files/gguf_values.h"

typedef struct gguf_header {
    uint32_t version;
    uint64_t tensor_count, pair_count;
    size_t alignment;
    gguf_split split;
} gguf_header;

/* Reads from the start of the file up to the first tensor's description; tensor_count fits the rest
 * of the file. Errors: YOKE_ERR_FORMAT, YOKE_ERR_UNSUPPORTED, YOKE_ERR_MEMORY. */
yoke_status gguf_read_header(gguf_cursor *c, gguf_header *header, yoke_error *err);

#endif
