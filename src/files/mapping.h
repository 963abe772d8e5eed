/* A file mapped read-only into memory. */
#ifndef FILES_MAPPING_H
#define FILES_MAPPING_H

#include <stddef.h>
#include <stdint.h>

#include "yoke/status.h"

typedef struct mapping {
    const uint8_t *bytes; /* NULL when size is 0 */
    size_t size;
    int descriptor; /* -1 when the bytes are borrowed memory */
} mapping;

/* Maps a regular file. Errors: YOKE_ERR_IO. */
yoke_status mapping_open(const char *path, mapping *map, yoke_error *err);

/* Bytes of somebody else, which outlive the mapping. */
mapping mapping_borrow(const void *bytes, size_t size);

/* Fails with YOKE_ERR_IO when the file has shrunk since: touching the lost pages would kill us. */
yoke_status mapping_recheck(const mapping *map, const char *path, yoke_error *err);

void mapping_close(mapping *map);

#endif
