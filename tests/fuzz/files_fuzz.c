/* Any bytes are opened and read, or refused with one line: never more. */
#include <stdint.h>

#include "files/file.h"
#include "require_tensor.h"
#include "yoke/coreml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    for (size_t i = 0; i < yoke_file_tensor_count(file) && !is_program; i++)
        require_tensor(file, yoke_file_tensor(file, i), size);
    yoke_file_free(file);
    return 0;
}
