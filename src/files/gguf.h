/* GGUF, versions 2 and 3: key-value pairs, tensor descriptions, the data.
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
#ifndef FILES_GGUF_H
#define FILES_GGUF_H

#include "files/file.h"

/* What a part says about the set it belongs to. */
typedef struct gguf_split {
    uint64_t no, count; /* part number from 0 on, parts; count 0: not split */
    uint64_t tensors;   /* in all parts; 0: not said */
} gguf_split;

/* Reads the newest part of `file`: adds its tensors and says which part of a set it is. */
yoke_status gguf_read_part(yoke_file *file, gguf_split *split, yoke_error *err);

/* The same for a file on its own. */
yoke_status gguf_read(yoke_file *file, yoke_error *err);

/* Is this a sound GGUF header that says it is one of several parts? */
bool gguf_is_split(const mapping *map, const char *path, gguf_split *split);

/* Adds and reads all parts of the set, first part first. `path` is that of the part which said
 * `split`. */
yoke_status gguf_split_read(yoke_file *file, const char *path, const gguf_split *split,
                            yoke_error *err);

/* Has `file` as many tensors as a part says that all parts have? Errors: YOKE_ERR_FORMAT. */
yoke_status gguf_split_check(const yoke_file *file, const gguf_split *split, yoke_error *err);

#endif
