/* An open file as its readers fill it. */
#ifndef FILES_FILE_H
#define FILES_FILE_H

#include <pthread.h>
#include <stdbool.h>

#include "files/arena.h"
#include "files/mapping.h"
#include "files/names.h"
#include "yoke/file.h"

/* As many dimensions as PyTorch and NumPy allow. */
enum { FILE_MAX_RANK = 64 };

typedef struct file_part {
    char *path;
    mapping map;
} file_part;

typedef struct file_tensor file_tensor;

/* Writes what cannot be used as it is stored: the matrix without gaps, and at file_table_at its
 * table; or its table alone. */
typedef yoke_status file_fill(yoke_file *file, const file_tensor *tensor, void *copy,
                              yoke_error *err);

struct file_tensor {
    yoke_tensor seen; /* first, so that a yoke_tensor leads back here */
    size_t part;
    size_t rows, cols;  /* as a matrix; unset when it is not readable */
    file_fill *fill;    /* NULL: the bytes are used in place */
    const void *source; /* for fill */
    size_t table_rows;  /* of a format with a table: as in yoke_matrix */
    const void *table;  /*   NULL: in the copy */
    bool table_only;    /*   the elements are used in place; fill writes the table */
    void *copy;         /* what fill wrote, once it was asked for */
    size_t copy_bytes;
};

struct yoke_file {
    char kind[24];
    file_part *parts;
    size_t part_count;
    file_tensor *tensors;
    size_t tensor_count, tensor_capacity;
    names names;
    arena arena;
    const struct bundle *bundle; /* of a Core ML bundle; else NULL */
    pthread_mutex_t copy_lock;
};

/* Errors: YOKE_ERR_MEMORY. */
yoke_status file_create(yoke_file **out, yoke_error *err);

/* Adds a part; the file owns the mapping from here on, also when this fails. */
yoke_status file_add_part(yoke_file *file, const char *path, mapping map, yoke_error *err);

/* Opens the file whose path is the first head_length bytes of `head`, and `tail`, and adds it as a
 * part. Errors: YOKE_ERR_IO, YOKE_ERR_UNSUPPORTED (see stranger.h), YOKE_ERR_MEMORY. */
yoke_status file_open_part(yoke_file *file, const char *head, size_t head_length, const char *tail,
                           yoke_error *err);

/* Adds a tensor of the newest part, whose bytes have been checked to lie in it. Copies the name,
 * type_name and shape, and fills path, readable and reason itself. `entry` is the offset of the
 * tensor's description, for messages.
 * Errors: YOKE_ERR_FORMAT for a name that is there already, YOKE_ERR_MEMORY. */
yoke_status file_add_tensor(yoke_file *file, const yoke_tensor *tensor, size_t entry,
                            yoke_error *err);

/* The tensors from number `first` on, by their place in the part. Free with free().
 * NULL when memory is out. */
const yoke_tensor **file_by_offset(const yoke_file *file, size_t first);

/* Where in a tensor's copy its table is. */
size_t file_table_at(const file_tensor *tensor);

/* Elements of a shape. False when they do not fit; a zero dimension makes any shape fit. */
bool file_shape_elements(const uint64_t *shape, unsigned rank, size_t *elements);

/* yoke_file_open from memory, which outlives the file. `name` stands for the path. */
yoke_status file_open_memory(const void *bytes, size_t size, const char *name, yoke_file **out,
                             yoke_error *err);

#endif
