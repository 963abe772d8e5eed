#include "store/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/database.h"

#define COLUMNS                                                                                    \
    "hash, source, time_utc, machine, artefact, suites, method, figure_of, engine, figure, "       \
    "cached, rows, failed"

/* The texts, in the order of COLUMNS. */
#define TEXT(member)                                                                               \
    {                                                                                              \
        offsetof(store_record, member), sizeof((store_record *)0)->member                          \
    }
static const struct {
    size_t offset, room;
} texts[] = {TEXT(hash),   TEXT(source), TEXT(time_utc),  TEXT(machine), TEXT(artefact),
             TEXT(suites), TEXT(method), TEXT(figure_of), TEXT(engine)};
enum { TEXTS = sizeof texts / sizeof *texts, FIGURE = TEXTS, CACHED, ROWS, FAILED, JSON, ID };

static yoke_status prepare(history *h, const char *sql, sqlite3_stmt **statement, const char *what,
                           yoke_error *err)
{
    return sqlite3_prepare_v2(h->db, sql, -1, statement, NULL) == SQLITE_OK
               ? YOKE_OK
               : database_fail(h, what, err);
}

/* ---- Adding ---- */

static void bind_record(sqlite3_stmt *statement, const store_record *record)
{
    for (int i = 0; i < TEXTS; i++) {
        const char *text = (const char *)record + texts[i].offset;
        if (text[0]) /* what is not known stays NULL, but for the two that always are */
            sqlite3_bind_text(statement, i + 1, text, -1, SQLITE_STATIC);
    }
    if (isfinite(record->figure))
        sqlite3_bind_double(statement, FIGURE + 1, record->figure);
    sqlite3_bind_int(statement, CACHED + 1, record->cached);
    sqlite3_bind_int64(statement, ROWS + 1, (sqlite3_int64)record->rows);
    sqlite3_bind_int64(statement, FAILED + 1, (sqlite3_int64)record->failed);
    sqlite3_bind_text(statement, JSON + 1, record->json, -1, SQLITE_STATIC);
}

/* Sets the id of the record that is there already; leaves it 0 when there is none. */
static yoke_status find_by_hash(history *h, store_record *record, yoke_error *err)
{
    sqlite3_stmt *statement = NULL;
    yoke_status status =
        prepare(h, "SELECT id FROM records WHERE hash = ?", &statement, "find a record", err);
    if (status != YOKE_OK)
        return status;
    sqlite3_bind_text(statement, 1, record->hash, -1, SQLITE_STATIC);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        record->id = sqlite3_column_int64(statement, 0);
    else if (code != SQLITE_DONE)
        status = database_fail(h, "find a record", err);
    sqlite3_finalize(statement);
    return status;
}

static yoke_status insert(history *h, sqlite3_stmt *statement, store_record *record,
                          yoke_error *err)
{
    yoke_status status = find_by_hash(h, record, err);
    if (status != YOKE_OK || record->id != 0)
        return status;
    bind_record(statement, record);
    record->added = sqlite3_step(statement) == SQLITE_DONE;
    if (record->added)
        record->id = sqlite3_last_insert_rowid(h->db);
    else
        status = database_fail(h, "add a record", err);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

static yoke_status insert_all(history *h, store_record *records, size_t count, yoke_error *err)
{
    sqlite3_stmt *statement = NULL;
    yoke_status status = prepare(h,
                                 "INSERT INTO records(" COLUMNS ", json)"
                                 " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                                 &statement, "add a record", err);
    for (size_t i = 0; status == YOKE_OK && i < count; i++)
        status = insert(h, statement, &records[i], err);
    sqlite3_finalize(statement);
    return status;
}

yoke_status history_add(history *h, store_record *records, size_t count, yoke_error *err)
{
    yoke_status status = database_run(h, "BEGIN IMMEDIATE", "add a record", err);
    if (status != YOKE_OK)
        return status;
    status = insert_all(h, records, count, err);
    if (status == YOKE_OK)
        status = database_run(h, "COMMIT", "add a record", err);
    if (status != YOKE_OK) {
        sqlite3_exec(h->db, "ROLLBACK", NULL, NULL, NULL);
        for (size_t i = 0; i < count; i++)
            records[i].added = false;
    }
    return status;
}

/* ---- Reading ---- */

static void read_record(sqlite3_stmt *statement, store_record *record)
{
    *record = (store_record){.figure = (double)NAN};
    for (int i = 0; i < TEXTS; i++) {
        const char *text = (const char *)sqlite3_column_text(statement, i);
        snprintf((char *)record + texts[i].offset, texts[i].room, "%s", text ? text : "");
    }
    if (sqlite3_column_type(statement, FIGURE) != SQLITE_NULL)
        record->figure = sqlite3_column_double(statement, FIGURE);
    record->cached = sqlite3_column_int(statement, CACHED) != 0;
    record->rows = (size_t)sqlite3_column_int64(statement, ROWS);
    record->failed = (size_t)sqlite3_column_int64(statement, FAILED);
    record->id = sqlite3_column_int64(statement, ID);
}

yoke_status history_list(history *h, size_t limit, history_visit *visit, void *arg, yoke_error *err)
{
    sqlite3_stmt *statement = NULL;
    yoke_status status =
        prepare(h, "SELECT " COLUMNS ", NULL, id FROM records ORDER BY id DESC LIMIT ?", &statement,
                "list it", err);
    if (status != YOKE_OK)
        return status;
    sqlite3_bind_int64(statement, 1, limit > INT64_MAX ? INT64_MAX : (sqlite3_int64)limit);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        store_record record;
        read_record(statement, &record);
        if (!visit(arg, &record))
            break;
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = database_fail(h, "list it", err);
    sqlite3_finalize(statement);
    return status;
}

static yoke_status no_such_record(history *h, int64_t id, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "%s: no record %lld", h->path, (long long)id);
}

static yoke_status read_json(history *h, sqlite3_stmt *statement, store_record *record,
                             yoke_error *err)
{
    const char *json = (const char *)sqlite3_column_text(statement, JSON);
    record->json = json ? strdup(json) : NULL;
    return record->json ? YOKE_OK : yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory", h->path);
}

yoke_status history_find(history *h, int64_t id, store_record *record, yoke_error *err)
{
    sqlite3_stmt *statement = NULL;
    yoke_status status = prepare(h, "SELECT " COLUMNS ", json, id FROM records WHERE id = ?",
                                 &statement, "read a record", err);
    if (status != YOKE_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        read_record(statement, record);
        status = read_json(h, statement, record, err);
    } else {
        status = code == SQLITE_DONE ? no_such_record(h, id, err)
                                     : database_fail(h, "read a record", err);
    }
    sqlite3_finalize(statement);
    return status;
}

yoke_status history_remove(history *h, int64_t id, yoke_error *err)
{
    sqlite3_stmt *statement = NULL;
    yoke_status status =
        prepare(h, "DELETE FROM records WHERE id = ?", &statement, "remove a record", err);
    if (status != YOKE_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    if (sqlite3_step(statement) != SQLITE_DONE)
        status = database_fail(h, "remove a record", err);
    else if (sqlite3_changes(h->db) == 0)
        status = no_such_record(h, id, err);
    sqlite3_finalize(statement);
    return status;
}
