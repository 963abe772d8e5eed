/* Prints a record of which every field is known. */
#include <stdio.h>
#include <stdlib.h>

#include "unit/record_full.h"

int main(void)
{
    char *text;
    yoke_record *record = record_full();
    if (yoke_record_json(record, &text, NULL) != YOKE_OK)
        return 1;
    puts(text);
    free(text);
    yoke_record_free(record);
    return 0;
}
