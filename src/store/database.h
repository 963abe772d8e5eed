/* The database behind a history. */
#ifndef STORE_DATABASE_H
#define STORE_DATABASE_H

#include <sqlite3.h>

#include "store/history.h"

struct history {
    sqlite3 *db;
    char path[]; /* for messages */
};

/* What the last call on the database failed of, as a status and one line. `what` is what could not
 * be done, "add a record". */
yoke_status database_fail(history *h, const char *what, yoke_error *err);

/* Runs statements that give no rows. */
yoke_status database_run(history *h, const char *sql, const char *what, yoke_error *err);

#endif
