/* The dictionary of an npy header: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}. */
#ifndef FILES_NPY_HEADER_H
#define FILES_NPY_HEADER_H

#include <stdbool.h>

#include "files/file.h"

typedef struct npy_header {
    char descr[16]; /* an element type in quotes; "[" for a structure */
    bool fortran;
    unsigned rank;
    uint64_t shape[FILE_MAX_RANK];
} npy_header;

/* Reads exactly the three keys, once each, in any order, and blanks behind them.
 * `path` and `start`, the offset of text in the file, are for messages.
 * Errors: YOKE_ERR_FORMAT, YOKE_ERR_UNSUPPORTED. */
yoke_status npy_header_parse(const char *text, size_t length, const char *path, size_t start,
                             npy_header *header, yoke_error *err);

#endif
