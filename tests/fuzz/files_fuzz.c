/* Any bytes are opened and read, or refused with one line: never more. */
#include <stdint.h>

#include "files/file.h"
#include "require_tensor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    yoke_file *file = NULL;
    yoke_error err = {0};
    /* The other parts of a set that the bytes name are nowhere. */
    yoke_status status =
        file_open_memory(data, size, "/nowhere/fuzz-00001-of-00002.gguf", &file, &err);
    require_file(status, file, &err, size);
    return 0;
}
