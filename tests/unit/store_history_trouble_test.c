/* Histories that are locked, full, read-only, damaged or not ours: what is in them stays. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/database.h"
#include "unit/store_support.h"

static history *with_one_record(const char *path)
{
    history *h = support_history(path);
    store_record record = support_record(1);
    assert_int_equal(history_add(h, &record, 1, NULL), YOKE_OK);
    store_record_free(&record);
    return h;
}

static void add_is_refused(history *h, yoke_status wanted, const char *part)
{
    store_record records[2] = {support_record(2), support_record(3)};
    yoke_error err = {0};
    yoke_status status = history_add(h, records, 2, &err);
    if (status != wanted || !strstr(err.text, part) || strchr(err.text, '\n'))
        fail_msg("%s: %s", yoke_status_name(status), err.text);
    assert_false(records[0].added);
    store_record_free(&records[0]);
    store_record_free(&records[1]);
}

static void open_is_refused(const char *path, history_access access, yoke_status wanted,
                            const char *part)
{
    history *h = NULL;
    yoke_error err = {0};
    yoke_status status = history_open(path, access, &h, &err);
    if (status != wanted || !strstr(err.text, part) || !strstr(err.text, path))
        fail_msg("%s: %s", yoke_status_name(status), err.text);
    assert_null(h);
}

/* One that does not fit into what the file has left. */
static store_record large_record(void)
{
    store_record large = support_record(9);
    large.json = realloc(large.json, 100001);
    assert_non_null(large.json);
    memset(large.json, 'x', 100000);
    large.json[100000] = '\0';
    return large;
}

static void a_full_disk_keeps_what_is_there_and_adds_nothing(void **state)
{
    (void)state;
    history *h = with_one_record(support_path("full.db"));
    yoke_error err = {0};
    /* SQLite's own limit answers as a disk without space does. */
    assert_int_equal(database_run(h, "PRAGMA max_page_count = 1", "limit it", &err), YOKE_OK);
    store_record records[2] = {support_record(2), large_record()};
    assert_int_equal(history_add(h, records, 2, &err), YOKE_ERR_IO);
    assert_non_null(strstr(err.text, "full.db: cannot add a record: no space left"));
    assert_false(records[0].added);
    store_record_free(&records[0]);
    store_record_free(&records[1]);
    assert_int_equal(support_count(h), 1);
    history_close(h);
}

static void a_limit_on_file_sizes_keeps_what_is_there(void **state)
{
    (void)state;
    const char *path = support_path("limited.db");
    history_close(with_one_record(path));
    struct stat is;
    assert_int_equal(stat(path, &is), 0);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        struct rlimit limit = {(rlim_t)is.st_size, (rlim_t)is.st_size};
        history *h = support_history(path);
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(2);
        store_record large = large_record();
        yoke_error err = {0};
        bool refused = history_add(h, &large, 1, &err) == YOKE_ERR_IO && strstr(err.text, path);
        store_record_free(&large);
        history_close(h);
        _exit(refused ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    history *h = support_history(path);
    assert_int_equal(support_count(h), 1);
    history_close(h);
}

static void a_locked_one_is_waited_for_and_then_named(void **state)
{
    (void)state;
    const char *path = support_path("locked.db");
    history *other = with_one_record(path), *h = support_history(path);
    assert_int_equal(sqlite3_exec(other->db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_busy_timeout(h->db, 300), SQLITE_OK); /* instead of a minute */
    add_is_refused(h, YOKE_ERR_IO,
                   "locked.db: cannot add a record: still locked by another program");
    assert_int_equal(sqlite3_exec(other->db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(support_count(h), 1);
    history_close(other);
    history_close(h);
}

/* Its pages are in the file already, and those that were there before in the journal beside it. */
static void what_a_killed_program_wrote_in_part_is_undone_by_whoever_reads(void **state)
{
    (void)state;
    const char *path = support_path("killed.db");
    history_close(with_one_record(path));
    pid_t child = fork();
    if (child == 0) {
        history *h = support_history(path);
        sqlite3_exec(h->db, "PRAGMA cache_size = 2; BEGIN IMMEDIATE", NULL, NULL, NULL);
        sqlite3_exec(h->db, "UPDATE records SET json = hex(zeroblob(100000))", NULL, NULL, NULL);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    char journal[300];
    snprintf(journal, sizeof journal, "%s-journal", path);
    assert_int_equal(access(journal, F_OK), 0);
    history *h = NULL;
    yoke_error err = {0};
    if (history_open(path, HISTORY_READ, &h, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    assert_int_equal(support_count(h), 1);
    store_record found = {0}, expected = support_record(1);
    assert_int_equal(history_find(h, 1, &found, &err), YOKE_OK);
    assert_string_equal(found.json, expected.json);
    store_record_free(&found);
    store_record_free(&expected);
    history_close(h);
}

/* Whoever owns everything may write everything: to see a file that is read-only, be nobody. */
static void as_nobody(void (*test)(const char *path), const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(2);
        test(path);
        _exit(0); /* a failed assertion ends elsewhere */
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static bool count_one(void *arg, const store_record *record)
{
    (void)record;
    ++*(size_t *)arg;
    return true;
}

static void try_read_only(const char *path)
{
    history *h = NULL;
    yoke_error err = {0};
    store_record record = support_record(2);
    size_t count = 0;
    if (history_open(path, HISTORY_READ, &h, &err) != YOKE_OK ||
        history_list(h, SIZE_MAX, count_one, &count, &err) != YOKE_OK || count != 1)
        _exit(3);
    history_close(h);
    if (history_open(path, HISTORY_WRITE, &h, &err) != YOKE_OK)
        _exit(4);
    if (history_add(h, &record, 1, &err) != YOKE_ERR_IO ||
        !strstr(err.text, "fixed.db: cannot add a record: read-only"))
        _exit(5);
    history_close(h);
    store_record_free(&record);
}

static void a_read_only_one_can_be_read(void **state)
{
    (void)state;
    char path[256], folder[256];
    snprintf(path, sizeof path, "%s", support_path("fixed/fixed.db"));
    history_close(with_one_record(path));
    snprintf(folder, sizeof folder, "%s", support_path("fixed"));
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(support_path("."), 0755), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    as_nobody(try_read_only, path);
    assert_int_equal(chmod(folder, 0755), 0);
}

static void write_file(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void what_is_no_database_is_refused_and_left_as_it_is(void **state)
{
    (void)state;
    static const char text[] = "this is a letter, and not a short one: it goes on and on, and on";
    char read[sizeof text] = "";
    const char *path = support_path("letter.txt");
    write_file(path, text, sizeof text);
    open_is_refused(path, HISTORY_WRITE, YOKE_ERR_FORMAT, "damaged, or no history");
    open_is_refused(path, HISTORY_READ, YOKE_ERR_FORMAT, "damaged, or no history");
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(read, 1, sizeof read, file), sizeof text);
    fclose(file);
    assert_string_equal(read, text);
}

static void a_damaged_one_says_so(void **state)
{
    (void)state;
    const char *path = support_path("damaged.db");
    history_close(with_one_record(path));
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 4096, SEEK_SET), 0); /* the first page keeps the schema */
    for (int i = 0; i < 8192; i++)
        fputc(0xa5, file);
    assert_int_equal(fclose(file), 0);
    history *h = NULL;
    yoke_error err = {0};
    size_t count = 0;
    assert_int_equal(history_open(path, HISTORY_READ, &h, &err), YOKE_OK);
    assert_int_equal(history_list(h, SIZE_MAX, count_one, &count, &err), YOKE_ERR_FORMAT);
    assert_non_null(strstr(err.text, "damaged.db: cannot list it: damaged, or no history"));
    history_close(h);
}

static void the_database_of_another_program_is_left_alone(void **state)
{
    (void)state;
    const char *path = support_path("other.db");
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE bookmarks(url)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    open_is_refused(path, HISTORY_WRITE, YOKE_ERR_FORMAT, "a database, but not a history of yoke");
}

static void one_of_a_later_yoke_is_named(void **state)
{
    (void)state;
    const char *path = support_path("later.db");
    history *h = with_one_record(path);
    assert_int_equal(database_run(h, "PRAGMA user_version = 9", "change it", NULL), YOKE_OK);
    history_close(h);
    open_is_refused(path, HISTORY_READ, YOKE_ERR_UNSUPPORTED,
                    "version 9 of the history, and this yoke knows version 1");
}

static void a_folder_is_no_history(void **state)
{
    (void)state;
    open_is_refused("/tmp", HISTORY_WRITE, YOKE_ERR_IO, "is not a file");
    open_is_refused("", HISTORY_WRITE, YOKE_ERR_USAGE, "empty");
}

/* Adds `count` records of its own, each with a connection of its own. */
static void add_many(const char *path, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        history *h = NULL;
        yoke_error err = {0};
        store_record record = support_record(i);
        if (history_open(path, HISTORY_WRITE, &h, &err) != YOKE_OK ||
            history_add(h, &record, 1, &err) != YOKE_OK) {
            fprintf(stderr, "%s\n", err.text);
            _exit(1);
        }
        store_record_free(&record);
        history_close(h);
    }
    _exit(0);
}

static void all_end_well(const pid_t *children, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
}

static void programs_that_write_at_once_all_land(void **state)
{
    (void)state;
    enum { PROGRAMS = 4, RECORDS = 2 };
    const char *path = support_path("shared.db"); /* nor is it made twice */
    pid_t children[PROGRAMS];
    for (int i = 0; i < PROGRAMS; i++) {
        children[i] = fork();
        if (children[i] == 0)
            add_many(path, 1 + i * RECORDS, RECORDS);
    }
    all_end_well(children, PROGRAMS);
    history *h = support_history(path);
    assert_int_equal(support_count(h), PROGRAMS * RECORDS);
    history_close(h);
}

/* Opens each of the folder's histories at one time with another program that does. */
static void open_each(const char *folder, int count)
{
    for (int i = 0; i < count; i++) {
        char path[300];
        history *h = NULL;
        yoke_error err = {0};
        snprintf(path, sizeof path, "%s/%d.db", folder, i);
        if (history_open(path, HISTORY_WRITE, &h, &err) != YOKE_OK) {
            fprintf(stderr, "%s\n", err.text);
            _exit(1);
        }
        history_close(h);
    }
    _exit(0);
}

static void one_that_another_program_is_making_is_no_other_programs(void **state)
{
    (void)state;
    enum { PROGRAMS = 2, HISTORIES = 40 };
    const char *folder = support_path("made");
    pid_t children[PROGRAMS];
    for (int i = 0; i < PROGRAMS; i++) {
        children[i] = fork();
        if (children[i] == 0)
            open_each(folder, HISTORIES);
    }
    all_end_well(children, PROGRAMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_keeps_what_is_there_and_adds_nothing),
        cmocka_unit_test(a_limit_on_file_sizes_keeps_what_is_there),
        cmocka_unit_test(a_locked_one_is_waited_for_and_then_named),
        cmocka_unit_test(what_a_killed_program_wrote_in_part_is_undone_by_whoever_reads),
        cmocka_unit_test(a_read_only_one_can_be_read),
        cmocka_unit_test(what_is_no_database_is_refused_and_left_as_it_is),
        cmocka_unit_test(a_damaged_one_says_so),
        cmocka_unit_test(the_database_of_another_program_is_left_alone),
        cmocka_unit_test(one_of_a_later_yoke_is_named),
        cmocka_unit_test(a_folder_is_no_history),
        cmocka_unit_test(programs_that_write_at_once_all_land),
        cmocka_unit_test(one_that_another_program_is_making_is_no_other_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
