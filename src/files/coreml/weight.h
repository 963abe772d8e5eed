/* What a tensor of a bundle stands for, and how its matrix comes to be. */
#ifndef FILES_COREML_WEIGHT_H
#define FILES_COREML_WEIGHT_H

#include "files/coreml/native.h"
#include "files/file.h"

typedef struct weight weight;
struct weight {
    const dense *values; /* NULL for a head */
    bool transposed;     /* stored inputs by outputs */
    native native;       /* of a head: of all its parts */

    /* A head that was cut into products over one input, whose outputs follow each other. */
    const weight *const *parts;
    size_t part_count;

    yoke_format format; /* of the matrix when it is not native */
    size_t rows, cols;
};

/* The format of the matrix. */
yoke_format weight_format(const weight *of);

/* Sets how the matrix of a file_tensor whose source is a weight comes to be. */
void weight_place(yoke_file *file, file_tensor *tensor);

/* Writes the matrix of a file_tensor whose source is a weight. */
yoke_status weight_fill(yoke_file *file, const file_tensor *tensor, void *copy, yoke_error *err);

/* How it is stored, "fp16", "lut6", "int8 affine"; a text of the arena, NULL when memory is out. */
const char *weight_type_name(const weight *of, arena *memory);

#endif
