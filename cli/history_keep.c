#include "history_keep.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history_path.h"
#include "store/history.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

static yoke_status add(const char *path, store_record *record, yoke_error *err)
{
    history *h = NULL;
    yoke_status status = history_open(path, HISTORY_WRITE, &h, err);
    if (status == YOKE_OK)
        status = history_add(h, record, 1, err);
    history_close(h);
    return status;
}

static yoke_status keep(const yoke_record *record, const char *db, yoke_error *err)
{
    char path[PATH_MAX], *json = NULL;
    store_record stored = {0};
    yoke_status status = history_path(db, path, sizeof path, err);
    if (status == YOKE_OK)
        status = yoke_record_json(record, &json, err);
    if (status == YOKE_OK)
        status = store_record_make(json, strlen(json), "bench", &stored, err);
    if (status == YOKE_OK)
        status = add(path, &stored, err);
    store_record_free(&stored);
    free(json);
    return status;
}

void history_keep(const yoke_record *record, const char *db)
{
    yoke_error err = {0};
    if (keep(record, db, &err) != YOKE_OK)
        fprintf(stderr, "yoke: warning: this record is not in the history: %s\n", err.text);
}
