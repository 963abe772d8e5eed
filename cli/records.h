/* Records that the user names. */
#ifndef CLI_RECORDS_H
#define CLI_RECORDS_H

#include "yoke/record.h"

typedef struct records {
    yoke_record **items;
    char **names; /* what to call each: its file's name without the folders, or "record 12" */
    size_t count;
} records;

/* Appends those that a word names: a file that holds one or several, one after the other, or
 * numbers of the history `db` (of --db, or NULL), as "12" or "11,13-15"; a file of such a name is
 * "./12". Free with records_free, after an error too.
 * Errors: of reading either; YOKE_ERR_NOT_FOUND. */
yoke_status records_add(records *list, const char *word, const char *db, yoke_error *err);

/* Appends the newest of the history. */
yoke_status records_add_newest(records *list, const char *db, yoke_error *err);

void records_free(records *list);

#endif
