/* Files and folders that are made: each error says which. */
#ifndef FILES_COREML_CREATED_H
#define FILES_COREML_CREATED_H

#include <stddef.h>
#include <stdint.h>

#include "yoke/status.h"

typedef struct created {
    const char *path;
    int descriptor;
} created;

/* Creates a file that is not there yet. Errors: YOKE_ERR_IO. */
yoke_status created_open(created *out, const char *path, yoke_error *err);

/* Writes bytes at a place in it. Errors: YOKE_ERR_IO (the disk is full). */
yoke_status created_write(const created *to, const void *bytes, size_t size, uint64_t at,
                          yoke_error *err);

/* Closes it, and passes the status on; what only shows now is an error when it was YOKE_OK. */
yoke_status created_close(created *file, yoke_status status, yoke_error *err);

/* A file of these bytes; a folder. Errors: YOKE_ERR_IO. */
yoke_status created_file(const char *path, const void *bytes, size_t size, yoke_error *err);
yoke_status created_folder(const char *path, yoke_error *err);

#endif
