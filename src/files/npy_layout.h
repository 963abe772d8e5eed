/* Arrays that are big-endian or in Fortran order, as a matrix wants them. */
#ifndef FILES_NPY_LAYOUT_H
#define FILES_NPY_LAYOUT_H

#include <stdbool.h>

#include "yoke/file.h"

typedef struct npy_layout {
    bool swapped, fortran;
} npy_layout;

/* Copies a tensor of plain elements that is not empty to `out` (tensor->bytes), in C order and this
 * machine's byte order. */
void npy_layout_copy(const yoke_tensor *tensor, npy_layout layout, const void *stored, void *out);

#endif
