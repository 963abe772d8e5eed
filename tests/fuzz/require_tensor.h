/* What must hold of a file that was opened, and of each of its tensors. */
#ifndef FUZZ_REQUIRE_TENSOR_H
#define FUZZ_REQUIRE_TENSOR_H

#include "require.h"
#include "yoke/coreml.h"
#include "yoke/file.h"

/* It is found by its name, lies in its part of `size` bytes, and can be read or says why not: a
 * little of each row is, so that the bytes must be there. */
static inline void require_tensor(yoke_file *file, const yoke_tensor *tensor, size_t size)
{
    yoke_matrix matrix;
    require(yoke_file_find(file, tensor->name, tensor->name_length) == tensor);
    require(tensor->bytes <= size &&
            (tensor->bytes == 0 || tensor->offset <= size - tensor->bytes));
    if (!tensor->readable) {
        require(tensor->reason != NULL);
        return;
    }
    require(yoke_file_matrix(file, tensor, &matrix, NULL, NULL) == YOKE_OK);
    require(yoke_matrix_validate(&matrix, "tensor", NULL) == YOKE_OK);
    for (size_t row = 0; row < matrix.rows && matrix.cols > 0; row++) {
        float first, last;
        require(yoke_matrix_read(&matrix, row, 0, 1, &first, NULL) == YOKE_OK);
        require(yoke_matrix_read(&matrix, row, matrix.cols - 1, 1, &last, NULL) == YOKE_OK);
    }
}

/* A file that was to be opened from `size` bytes: closed, or refused with one line. What a program
 * compresses is not one run of bytes; it has a fuzzer of its own. */
static inline void require_file(yoke_status status, yoke_file *file, const yoke_error *err,
                                size_t size)
{
    if (status != YOKE_OK) {
        require_reason(status, err);
        return;
    }
    accepted++;
    bool is_program = yoke_coreml_function_count(file) > 0;
    for (size_t i = 0; i < yoke_file_tensor_count(file) && !is_program; i++)
        require_tensor(file, yoke_file_tensor(file, i), size);
    yoke_file_free(file);
}

#endif
