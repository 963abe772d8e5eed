/* Any bytes are a record, which is then written and read again the same, or refused. */
#include <stdint.h>

#include "require.h"
#include "yoke/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    yoke_record *record = NULL, *again = NULL;
    yoke_error err = {0};
    char *written, *rewritten;
    yoke_status status = yoke_record_parse((const char *)data, size, "fuzz.json", &record, &err);
    if (status != YOKE_OK) {
        require_reason(status, &err);
        return 0;
    }
    accepted++;
    require(yoke_record_json(record, &written, NULL) == YOKE_OK);
    require(yoke_record_parse(written, strlen(written), "fuzz.json", &again, NULL) == YOKE_OK);
    require(yoke_record_json(again, &rewritten, NULL) == YOKE_OK);
    require(strcmp(written, rewritten) == 0);
    free(written);
    free(rewritten);
    yoke_record_free(record);
    yoke_record_free(again);
    return 0;
}
