/* From a name in a program to the tensor that it stands for, through the constexpr operations. */
#ifndef FILES_COREML_DECOMPRESS_H
#define FILES_COREML_DECOMPRESS_H

#include "files/coreml/bundle.h"
#include "files/coreml/dense.h"
#include "files/coreml/scope.h"

struct stored_tensor {
    const dense *values; /* in the file's arena; NULL when yoke does not decode it */
    const char *reason;  /*   and why not */
    bool in_blob;        /* some of it is in a weight file */
    size_t part;         /* where its elements, indices or mask are: */
    uint64_t offset;
    uint64_t bytes; /* stored, with tables, scales and masks */
};

/* What the const or constexpr operation of `entry` gives.
 * Errors: YOKE_ERR_FORMAT, those of bundle_part, YOKE_ERR_MEMORY. */
yoke_status decompress(yoke_file *file, const bundle *from, const scope *definitions,
                       scope_entry *entry, stored_tensor *out, yoke_error *err);

#endif
