/* Any bytes are listed as a weight file or refused; the bytes of every blob are there. */
#include <stdint.h>

#include "files/coreml/coreml.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    yoke_file *file = NULL;
    yoke_error err = {0};
    require(file_create(&file, &err) == YOKE_OK);
    require(file_add_part(file, "fuzz.bin", mapping_borrow(data, size), &err) == YOKE_OK);
    yoke_status status = coreml_read_blobs(file, &err);
    if (status == YOKE_OK)
        accepted++;
    else
        require_reason(status, &err);
    for (size_t i = 0; status == YOKE_OK && i < yoke_file_tensor_count(file); i++) {
        const yoke_tensor *tensor = yoke_file_tensor(file, i);
        yoke_matrix matrix;
        float last;
        require(tensor->bytes <= size && tensor->offset <= size - tensor->bytes);
        if (!tensor->readable || tensor->shape[0] == 0)
            continue;
        require(yoke_file_matrix(file, tensor, &matrix, NULL, NULL) == YOKE_OK);
        require(yoke_matrix_read(&matrix, 0, matrix.cols - 1, 1, &last, NULL) == YOKE_OK);
    }
    yoke_file_free(file);
    return 0;
}
