#include "store/database.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define APPLICATION_ID 0x796f6b65 /* "yoke", in the file's header */
#define VERSION        1
#define WAIT_MS        60000 /* for other programs that write, on a slow disk too */

#define NUMBER_TEXT(number)  NUMBER_TEXT_(number)
#define NUMBER_TEXT_(number) #number

/* In the order of COLUMNS in history.c. The record itself is the text; the rest is to list and to
 * find it by. */
static const char create_sql[] =
    "CREATE TABLE records("
    " id INTEGER PRIMARY KEY AUTOINCREMENT," /* an id never means another record */
    " hash TEXT NOT NULL UNIQUE,"
    " source TEXT NOT NULL,"
    " time_utc TEXT, machine TEXT, artefact TEXT, suites TEXT, method TEXT,"
    " figure REAL, figure_of TEXT, engine TEXT, cached INTEGER NOT NULL,"
    " rows INTEGER NOT NULL, failed INTEGER NOT NULL,"
    " json TEXT NOT NULL);"
    "CREATE INDEX records_time ON records(time_utc);"
    "CREATE INDEX records_machine ON records(machine, artefact);"
    "PRAGMA application_id = " NUMBER_TEXT(APPLICATION_ID) ";"
                                                           "PRAGMA user_version = " NUMBER_TEXT(
                                                               VERSION) ";";

yoke_status database_fail(history *h, const char *what, yoke_error *err)
{
    switch (sqlite3_errcode(h->db) & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot %s: still locked by another program",
                              h->path, what);
    case SQLITE_FULL:
        return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot %s: no space left", h->path, what);
    case SQLITE_READONLY:
        return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot %s: read-only", h->path, what);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: cannot %s: damaged, or no history: %s",
                              h->path, what, sqlite3_errmsg(h->db));
    case SQLITE_NOMEM: return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory", h->path);
    default:
        return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot %s: %s", h->path, what,
                              sqlite3_errmsg(h->db));
    }
}

yoke_status database_run(history *h, const char *sql, const char *what, yoke_error *err)
{
    return sqlite3_exec(h->db, sql, NULL, NULL, NULL) == SQLITE_OK ? YOKE_OK
                                                                   : database_fail(h, what, err);
}

/* The whole number that the statement gives. */
static yoke_status read_number(history *h, const char *sql, int *number, yoke_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(h->db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    yoke_status status = YOKE_OK;
    if (code == SQLITE_ROW)
        *number = sqlite3_column_int(statement, 0);
    else
        status = database_fail(h, "read it", err);
    sqlite3_finalize(statement);
    return status;
}

/* *empty: nobody's yet. To be called in a transaction, else another program may make it between
 * two looks. */
static yoke_status check(history *h, bool *empty, yoke_error *err)
{
    int version = 0, application = 0, tables = 0;
    yoke_status status = read_number(h, "PRAGMA user_version", &version, err);
    if (status == YOKE_OK)
        status = read_number(h, "PRAGMA application_id", &application, err);
    if (status == YOKE_OK)
        status = read_number(h, "SELECT count(*) FROM sqlite_master", &tables, err);
    if (status != YOKE_OK)
        return status;
    *empty = version == 0 && application == 0 && tables == 0;
    if (!*empty && application != APPLICATION_ID)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: a database, but not a history of yoke",
                              h->path);
    if (!*empty && version != VERSION)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "%s: version %d of the history, and this yoke knows version %d",
                              h->path, version, VERSION);
    return YOKE_OK;
}

static yoke_status look(history *h, bool *empty, yoke_error *err)
{
    yoke_status status = database_run(h, "BEGIN", "read it", err);
    if (status == YOKE_OK)
        status = check(h, empty, err);
    sqlite3_exec(h->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* Another program may have made it in the meantime: it is looked at again under the lock. */
static yoke_status create(history *h, yoke_error *err)
{
    bool empty = false;
    yoke_status status = database_run(h, "BEGIN IMMEDIATE", "create it", err);
    if (status == YOKE_OK)
        status = check(h, &empty, err);
    if (status == YOKE_OK && empty)
        status = database_run(h, create_sql, "create it", err);
    if (status == YOKE_OK)
        status = database_run(h, "COMMIT", "create it", err);
    if (status != YOKE_OK)
        sqlite3_exec(h->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

static yoke_status make_folders(const char *path, yoke_error *err)
{
    char *folder = strdup(path);
    if (!folder)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its name", path);
    yoke_status status = YOKE_OK;
    for (char *slash = strchr(folder + 1, '/'); slash && status == YOKE_OK;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST && errno != EISDIR && errno != EROFS)
            status = yoke_error_set(err, YOKE_ERR_IO, "%s: cannot create its folder %s: %s", path,
                                    folder, strerror(errno));
        *slash = '/';
    }
    free(folder);
    return status;
}

static yoke_status connect(history *h, history_access access, yoke_error *err)
{
    /* To read, too: what a program that was killed wrote in part must be undone. SQLite reads what
     * may not be written all the same. */
    int flags = SQLITE_OPEN_READWRITE | (access == HISTORY_WRITE ? SQLITE_OPEN_CREATE : 0);
    bool empty = false;
    int code = sqlite3_open_v2(h->path, &h->db, flags, NULL);
    if (code != SQLITE_OK)
        return database_fail(h, "open it", err);
    sqlite3_busy_timeout(h->db, WAIT_MS);
    yoke_status status = look(h, &empty, err);
    if (status != YOKE_OK || !empty)
        return status;
    if (access == HISTORY_WRITE)
        return create(h, err);
    return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "%s: holds no records yet", h->path);
}

static yoke_status check_file(const char *path, history_access access, yoke_error *err)
{
    struct stat is;
    if (!*path) /* to SQLite a name: of a database that is thrown away */
        return yoke_error_set(err, YOKE_ERR_USAGE, "the path of the history is empty");
    if (stat(path, &is) == 0)
        return S_ISREG(is.st_mode) ? YOKE_OK
                                   : yoke_error_set(err, YOKE_ERR_IO, "%s: is not a file", path);
    if (access == HISTORY_WRITE)
        return make_folders(path, err);
    if (errno == ENOENT || errno == ENOTDIR)
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "%s: no history yet", path);
    return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot read it: %s", path, strerror(errno));
}

yoke_status history_open(const char *path, history_access access, history **h, yoke_error *err)
{
    yoke_status status = check_file(path, access, err);
    if (status != YOKE_OK)
        return status;
    size_t length = strlen(path);
    history *opened = calloc(1, sizeof *opened + length + 1);
    if (!opened)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory", path);
    memcpy(opened->path, path, length + 1);
    status = connect(opened, access, err);
    if (status == YOKE_OK)
        *h = opened;
    else
        history_close(opened);
    return status;
}

void history_close(history *h)
{
    if (!h)
        return;
    sqlite3_close(h->db);
    free(h);
}
