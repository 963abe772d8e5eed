#include "records.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "history_path.h"
#include "store/history.h"
#include "store/import.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

static bool make_room(records *list)
{
    if (list->count >= SIZE_MAX / sizeof *list->items - 1)
        return false;
    const size_t bytes = (list->count + 1) * sizeof *list->items;
    yoke_record **items = realloc(list->items, bytes);
    if (items)
        list->items = items;
    char **names = items ? realloc(list->names, bytes) : NULL;
    if (names)
        list->names = names;
    return names;
}

static yoke_status append(records *list, const store_record *stored, const char *name,
                          yoke_error *err)
{
    char *copy = make_room(list) ? strdup(name) : NULL;
    if (!copy)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory", name);
    yoke_status status =
        yoke_record_parse(stored->json, strlen(stored->json), name, &list->items[list->count], err);
    if (status != YOKE_OK) {
        free(copy);
        return status;
    }
    list->names[list->count++] = copy;
    return YOKE_OK;
}

/* Where a file lies says nothing to who reads what was written of it. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static yoke_status add_file(records *list, const char *path, yoke_error *err)
{
    char name[300];
    store_records found = {0};
    yoke_status status = store_import_file(path, &found, err);
    for (size_t i = 0; status == YOKE_OK && i < found.count; i++) {
        if (found.count == 1)
            snprintf(name, sizeof name, "%.256s", file_name(path));
        else
            snprintf(name, sizeof name, "%.256s, %zu", file_name(path), i + 1);
        status = append(list, &found.items[i], name, err);
    }
    store_records_free(&found);
    return status;
}

/* ---- Of the history ---- */

typedef struct id_range {
    uint64_t first, last;
} id_range;

/* Takes "12" or "13-15", and the comma behind it, off the front of the text. */
static bool take_range(const char **text, id_range *range)
{
    char word[44], *dash;
    size_t length = strcspn(*text, ",");
    if (length >= sizeof word)
        return false;
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length + ((*text)[length] == ',');
    dash = strchr(word, '-');
    if (dash)
        *dash = '\0';
    return cli_parse_u64(word, &range->first) &&
           cli_parse_u64(dash ? dash + 1 : word, &range->last) && range->first >= 1 &&
           range->first <= range->last && range->last < INT64_MAX;
}

static bool is_of_history(const char *word)
{
    id_range range;
    const char *rest = word;
    bool good = *word != '\0' && word[strlen(word) - 1] != ',';
    while (good && *rest)
        good = take_range(&rest, &range);
    return good;
}

static yoke_status open_history(const char *db, char path[PATH_MAX], history **h, yoke_error *err)
{
    yoke_status status = history_path(db, path, PATH_MAX, err);
    return status == YOKE_OK ? history_open(path, HISTORY_READ, h, err) : status;
}

static yoke_status add_id(records *list, history *h, int64_t id, yoke_error *err)
{
    char name[40];
    store_record found = {0};
    snprintf(name, sizeof name, "record %lld", (long long)id);
    yoke_status status = history_find(h, id, &found, err);
    if (status == YOKE_OK)
        status = append(list, &found, name, err);
    store_record_free(&found);
    return status;
}

static yoke_status add_ids(records *list, const char *word, const char *db, yoke_error *err)
{
    char path[PATH_MAX];
    history *h = NULL;
    id_range range;
    yoke_status status = open_history(db, path, &h, err);
    while (status == YOKE_OK && *word && take_range(&word, &range))
        for (uint64_t id = range.first; status == YOKE_OK && id <= range.last; id++)
            status = add_id(list, h, (int64_t)id, err);
    history_close(h);
    return status;
}

yoke_status records_add(records *list, const char *word, const char *db, yoke_error *err)
{
    return is_of_history(word) ? add_ids(list, word, db, err) : add_file(list, word, err);
}

static bool take_id(void *arg, const store_record *record)
{
    *(int64_t *)arg = record->id;
    return false;
}

yoke_status records_add_newest(records *list, const char *db, yoke_error *err)
{
    char path[PATH_MAX];
    history *h = NULL;
    int64_t id = 0;
    yoke_status status = open_history(db, path, &h, err);
    if (status == YOKE_OK)
        status = history_list(h, 1, take_id, &id, err);
    if (status == YOKE_OK && id == 0)
        status = yoke_error_set(err, YOKE_ERR_NOT_FOUND, "%s: the history is empty", path);
    if (status == YOKE_OK)
        status = add_id(list, h, id, err);
    history_close(h);
    return status;
}

void records_free(records *list)
{
    for (size_t i = 0; i < list->count; i++) {
        yoke_record_free(list->items[i]);
        free(list->names[i]);
    }
    free(list->items);
    free(list->names);
    *list = (records){0};
}
