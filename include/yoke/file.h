/* Weight files as named matrices: safetensors, GGUF, npy, Core ML bundles. */
#ifndef YOKE_FILE_H
#define YOKE_FILE_H

#include "yoke/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An open weight file, or a set of parts that belong together (opaque). Memory-mapped; everything
 * in its header is checked before anything is used. */
typedef struct yoke_file yoke_file;

typedef struct yoke_tensor {
    const char *name;      /* UTF-8, NUL-terminated; may hold further NULs before name_length */
    size_t name_length;    /* bytes */
    yoke_format format;    /* YOKE_FORMAT_NONE for an element type yoke has no name for */
    const char *type_name; /* as the file's format spells it: "F8_E4M3", "Q4_K", ">f4", "lut6" */
    unsigned rank;
    const uint64_t *shape; /* rank dimensions, outermost first, whatever order the file uses */
    const char *path;      /* the file (part) that holds its bytes */
    uint64_t offset;       /* of its first byte in that file */
    uint64_t bytes;        /* stored size */
    bool joined;           /* made of other tensors of the list, which hold its bytes */
    bool readable;         /* yoke_file_matrix gives it */
    const char *reason;    /* why not, when it is not; else NULL */
} yoke_tensor;

/* Opens a file by what it contains, not by its name: a .safetensors file or its
 * *.safetensors.index.json, a GGUF file (any part of a split set opens the set), a .npy array
 * (one tensor, named after the file), a Core ML bundle (a .mlmodelc or .mlpackage folder, the
 * program in it or its weight file; see yoke/coreml.h). A folder that holds one of the two
 * safetensors forms opens that. Free with yoke_file_free.
 *
 * Errors: YOKE_ERR_IO (cannot be opened or mapped, or a part is missing), YOKE_ERR_FORMAT
 * (malformed: the text names the file, the field and the byte offset), YOKE_ERR_UNSUPPORTED
 * (a version or container yoke does not read), YOKE_ERR_MEMORY. Thread-safe. */
YOKE_API yoke_status yoke_file_open(const char *path, yoke_file **file, yoke_error *err);

/* Unmaps; every name, tensor and view of the file ends. Takes NULL. */
YOKE_API void yoke_file_free(yoke_file *file);

/* "safetensors", "gguf v3", "npy v1", "coreml mil 1.3". Owned by the file. */
YOKE_API const char *yoke_file_kind(const yoke_file *file);

/* Bytes on disk of all parts together. */
YOKE_API uint64_t yoke_file_bytes(const yoke_file *file);

/* How many parts (files) it has, and the path of each. Owned by the file. */
YOKE_API size_t yoke_file_part_count(const yoke_file *file);
YOKE_API const char *yoke_file_part(const yoke_file *file, size_t index);

/* The tensors, in the order of the file. Owned by the file. NULL past the end. */
YOKE_API size_t yoke_file_tensor_count(const yoke_file *file);
YOKE_API const yoke_tensor *yoke_file_tensor(const yoke_file *file, size_t index);

/* The tensor of exactly that name (name_length bytes), or NULL. Constant time. */
YOKE_API const yoke_tensor *yoke_file_find(const yoke_file *file, const char *name,
                                           size_t name_length);

/* A tensor as a matrix: the last dimension is the columns, the others together are the rows;
 * rank 1 is one row, rank 0 is one element.
 *
 * The view is valid until yoke_file_free. It points into the mapping where the bytes can be used
 * as they are; big-endian and Fortran-order arrays, and Core ML weights that are sparse, turned
 * or cut, or have a table that is no yoke_matrix.table, are converted on first use into memory that
 * the file owns, and *copied (if not NULL) says how many bytes that took (0 for a plain view).
 * The file is checked again to be as long as it was when it was opened.
 *
 * Errors: YOKE_ERR_UNSUPPORTED (with the tensor's name and why), YOKE_ERR_IO (the file shrank),
 * YOKE_ERR_FORMAT (compressed data that contradict themselves), YOKE_ERR_MEMORY. Thread-safe. */
YOKE_API yoke_status yoke_file_matrix(yoke_file *file, const yoke_tensor *tensor,
                                      yoke_matrix *matrix, size_t *copied, yoke_error *err);

#ifdef __cplusplus
}
#endif
#endif
