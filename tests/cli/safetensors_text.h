/* A safetensors file from its header's JSON and its data: 8 bytes of length, header, data. */
#ifndef SAFETENSORS_TEXT_H
#define SAFETENSORS_TEXT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

static inline const char *safetensors_file(const char *name, const char *header, const void *data,
                                           size_t data_bytes)
{
    size_t header_bytes = strlen(header), total = 8 + header_bytes + data_bytes;
    unsigned char *bytes = malloc(total);
    if (!bytes)
        abort();
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)header_bytes >> (8 * i));
    memcpy(bytes + 8, header, header_bytes);
    memcpy(bytes + 8 + header_bytes, data, data_bytes);
    const char *path = program_file(name, bytes, total);
    free(bytes);
    return path;
}

#endif
