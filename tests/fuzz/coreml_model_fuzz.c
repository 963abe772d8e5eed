/* Any bytes are read as a model specification or refused; what is read can be printed. */
#include <stdint.h>

#include "files/coreml/mil_print.h"
#include "files/coreml/model.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena memory = {0};
    mil_program program;
    yoke_error err = {0};
    yoke_status status = model_parse(data, size, "fuzz.mlmodel", &memory, &program, &err);
    if (status == YOKE_OK) {
        char *text = NULL;
        accepted++;
        require(mil_print(&program, &text, &err) == YOKE_OK);
        require(mil_equal(&program, &program));
        free(text);
    } else {
        require_reason(status, &err);
    }
    arena_free(&memory);
    return 0;
}
