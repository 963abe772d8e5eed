/* Records out of files of several kinds, told apart by their content. */
#ifndef STORE_IMPORT_H
#define STORE_IMPORT_H

#include "store/record.h"

typedef struct store_records {
    store_record *items;
    size_t count;
} store_records;

/* Appends the records of a text: yoke records one after the other, as JSON lines have them, and
 * reports of anemll-bench. `name` stands for the text in messages.
 * Errors: YOKE_ERR_FORMAT (neither, or malformed), YOKE_ERR_UNSUPPORTED, YOKE_ERR_MEMORY. */
yoke_status store_import_text(const char *text, size_t length, const char *name,
                              store_records *records, yoke_error *err);

/* The same of a file. Errors: also YOKE_ERR_IO. */
yoke_status store_import_file(const char *path, store_records *records, yoke_error *err);

void store_records_free(store_records *records);

#endif
