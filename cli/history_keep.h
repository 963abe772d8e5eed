/* Keeping a new record in the history. */
#ifndef CLI_HISTORY_KEEP_H
#define CLI_HISTORY_KEEP_H

#include "yoke/record.h"

/* `db`: of --db, or NULL. What hinders it is a line on stderr and no more: a measurement does not
 * fail because it cannot be kept. */
void history_keep(const yoke_record *record, const char *db);

#endif
