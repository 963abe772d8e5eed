/* A program and its weight file, in one input: MIL text, a NUL byte, the weight file. Every tensor
 * can be read, or is refused with a reason. */
#include <stdint.h>

#include "files/coreml/coreml.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Copies of weights that are larger than the input can be take time, and find nothing. */
enum { MOST_ELEMENTS = 1 << 20 };

/* False when it is refused. */
static bool read_tensor(yoke_file *file, const yoke_tensor *tensor)
{
    yoke_matrix matrix;
    yoke_error err = {0};
    const file_tensor *own = (const file_tensor *)tensor;
    require(tensor->readable == (tensor->reason == NULL));
    if (!tensor->readable || own->rows > MOST_ELEMENTS || own->cols > MOST_ELEMENTS ||
        own->rows * own->cols > MOST_ELEMENTS)
        return true;
    yoke_status status = yoke_file_matrix(file, tensor, &matrix, NULL, &err);
    if (status != YOKE_OK) {
        require_reason(status, &err);
        return false;
    }
    require(yoke_matrix_validate(&matrix, "tensor", NULL) == YOKE_OK);
    for (size_t row = 0; row < matrix.rows && matrix.cols > 0; row++) {
        float last;
        require(yoke_matrix_read(&matrix, row, matrix.cols - 1, 1, &last, NULL) == YOKE_OK);
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    yoke_file *file = NULL;
    yoke_error err = {0};
    if (!end)
        return 0;
    size_t length = (size_t)(end - data);
    mapping program = mapping_borrow(data, length);
    mapping weights = mapping_borrow(end + 1, size - length - 1);
    require(file_create(&file, &err) == YOKE_OK);
    require(file_add_part(file, "fuzz/model.mil", program, &err) == YOKE_OK);
    require(file_add_part(file, "fuzz/weights/weight.bin", weights, &err) == YOKE_OK);
    yoke_status status = coreml_read(file, &err);
    if (status != YOKE_OK)
        require_reason(status, &err);
    bool whole = status == YOKE_OK;
    for (size_t i = 0; status == YOKE_OK && i < yoke_file_tensor_count(file); i++)
        whole &= read_tensor(file, yoke_file_tensor(file, i));
    accepted += whole;
    yoke_file_free(file);
    return 0;
}
