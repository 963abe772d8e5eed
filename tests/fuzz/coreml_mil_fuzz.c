/* Any text is read as a program or refused; what is read, printed and read again, is the same. */
#include <stdint.h>

#include "files/coreml/mil_parse.h"
#include "files/coreml/mil_print.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena memory = {0};
    mil_program first, second;
    yoke_error err = {0};
    yoke_status status = mil_parse((const char *)data, size, "fuzz.mil", &memory, &first, &err);
    if (status == YOKE_OK) {
        char *text = NULL;
        accepted++;
        require(mil_print(&first, &text, &err) == YOKE_OK);
        require(mil_parse(text, strlen(text), "again.mil", &memory, &second, &err) == YOKE_OK);
        require(mil_equal(&first, &second));
        free(text);
    } else {
        require_reason(status, &err);
    }
    arena_free(&memory);
    return 0;
}
