/* The history: records kept in a database file. Programs that use one at the same time wait for
 * each other. */
#ifndef STORE_HISTORY_H
#define STORE_HISTORY_H

#include "store/record.h"

typedef struct history history;

typedef enum history_access {
    HISTORY_READ, /* the file must be there, and may be read-only */
    HISTORY_WRITE /* made, with its folders, where there is none */
} history_access;

/* Errors: YOKE_ERR_NOT_FOUND (there is none yet), YOKE_ERR_IO (locked, read-only, full, ...),
 * YOKE_ERR_FORMAT (damaged, or something else), YOKE_ERR_UNSUPPORTED (of a later yoke, or built
 * without SQLite), YOKE_ERR_MEMORY. The same hold for the functions below. Free with
 * history_close. */
yoke_status history_open(const char *path, history_access access, history **h, yoke_error *err);

/* Takes NULL. */
void history_close(history *h);

/* Adds all of them or, on an error, none. Sets each one's id and whether it was added: a record
 * that is there already is not added again. */
yoke_status history_add(history *h, store_record *records, size_t count, yoke_error *err);

/* Is shown a record without its json; false ends the listing. */
typedef bool history_visit(void *arg, const store_record *record);

/* The records that came in last, the newest first. */
yoke_status history_list(history *h, size_t limit, history_visit *visit, void *arg,
                         yoke_error *err);

/* The record, with its json. Free with store_record_free. Errors: YOKE_ERR_NOT_FOUND. */
yoke_status history_find(history *h, int64_t id, store_record *record, yoke_error *err);

/* Removes the record. Errors: YOKE_ERR_NOT_FOUND. */
yoke_status history_remove(history *h, int64_t id, yoke_error *err);

#endif
