/* npy, versions 1 to 3: a header that is a Python dictionary, then one array.
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#ifndef FILES_NPY_H
#define FILES_NPY_H

#include "files/file.h"

/* Reads the newest part of `file`: adds its array as a tensor named after the file. */
yoke_status npy_read(yoke_file *file, yoke_error *err);

#endif
