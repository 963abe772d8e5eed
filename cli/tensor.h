/* Tensors as the user names and reads them. */
#ifndef CLI_TENSOR_H
#define CLI_TENSOR_H

#include "yoke/file.h"

/* The tensor that the user means: by its exact name, or by its name as a listing shows it; NULL
 * means the only one. Errors: YOKE_ERR_NOT_FOUND, YOKE_ERR_USAGE (which one?), YOKE_ERR_MEMORY. */
yoke_status tensor_find(const yoke_file *file, const char *name, const yoke_tensor **tensor,
                        yoke_error *err);

/* The name with control characters, NUL, backslashes and what is not UTF-8 written as \xNN, so
 * that it is one line and harmless. Free with free(); NULL when there is no memory. */
char *tensor_name_text(const yoke_tensor *tensor);
char *tensor_text(const char *name, size_t length); /* the same of any name */

/* "64x256", outermost first, or "scalar". Cut to fit. Returns out. */
char *tensor_shape_text(const yoke_tensor *tensor, char *out, size_t out_bytes);

/* How many elements the shape has. */
uint64_t tensor_elements(const yoke_tensor *tensor);

#endif
