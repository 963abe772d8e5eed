/* What the files of the record share. */
#ifndef MEASURE_RECORD_PARTS_H
#define MEASURE_RECORD_PARTS_H

#include "yoke/record.h"

/* A record of which nothing is known. NULL when there is no memory. */
yoke_record *record_empty(void);

/* Says which versions measure, and by which method. Errors: YOKE_ERR_MEMORY. */
yoke_status record_describe(yoke_record *record, yoke_error *err);

/* Adds a copy of the text, whatever is there. Errors: YOKE_ERR_MEMORY. */
yoke_status record_append_text(yoke_record_texts *list, const char *text, yoke_error *err);

#endif
