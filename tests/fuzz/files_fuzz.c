/* Any bytes are opened and read, or refused with one line: never more. */
#include <stdint.h>

#include "files/file.h"
#include "require.h"
#include "yoke/coreml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads a little of each row: the bytes of every readable tensor must be there. */
static void read_tensor(yoke_file *file, const yoke_tensor *tensor)
{
    yoke_matrix matrix;
    if (!tensor->readable) {
        require(tensor->reason != NULL);
        return;
    }
    require(yoke_file_matrix(file, tensor, &matrix, NULL, NULL) == YOKE_OK);
    require(yoke_matrix_validate(&matrix, "tensor", NULL) == YOKE_OK);
    if (matrix.cols == 0)
        return;
    for (size_t row = 0; row < matrix.rows; row++) {
        float first, last;
        require(yoke_matrix_read(&matrix, row, 0, 1, &first, NULL) == YOKE_OK);
        require(yoke_matrix_read(&matrix, row, matrix.cols - 1, 1, &last, NULL) == YOKE_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    yoke_file *file = NULL;
    yoke_error err = {0};
    /* The other parts of a set that the bytes name are nowhere. */
    yoke_status status =
        file_open_memory(data, size, "/nowhere/fuzz-00001-of-00002.gguf", &file, &err);
    if (status != YOKE_OK) {
        require_reason(status, &err);
        return 0;
    }
    accepted++;
    /* What a program compresses is not one run of bytes; it has a fuzzer of its own. */
    bool is_program = yoke_coreml_function_count(file) > 0;
    for (size_t i = 0; i < yoke_file_tensor_count(file) && !is_program; i++) {
        const yoke_tensor *tensor = yoke_file_tensor(file, i);
        require(yoke_file_find(file, tensor->name, tensor->name_length) == tensor);
        require(tensor->bytes <= size &&
                (tensor->bytes == 0 || tensor->offset <= size - tensor->bytes));
        read_tensor(file, tensor);
    }
    yoke_file_free(file);
    return 0;
}
