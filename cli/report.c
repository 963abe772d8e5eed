/* yoke report: records as one HTML page. */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "history_path.h"
#include "output.h"
#include "report/report.h"
#include "store/history.h"
#include "verb.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

enum { RECORDS_MOST = 16 };

typedef struct request {
    const char *output;
    char *const *paths;
    size_t count;
} request;

/* The records that were read, and what the page calls them. */
typedef struct records {
    yoke_record *items[RECORDS_MOST];
    const char *names[RECORDS_MOST];
    size_t count;
} records;

static void free_records(records *all)
{
    for (size_t i = 0; i < all->count; i++)
        yoke_record_free(all->items[i]);
}

/* The name alone: where a file lay says nothing to who reads the page. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static bool take_id(void *arg, const store_record *record)
{
    *(int64_t *)arg = record->id;
    return false;
}

static yoke_status load_newest_of(history *h, records *all, yoke_error *err)
{
    int64_t id = 0;
    store_record found = {0};
    yoke_status status = history_list(h, 1, take_id, &id, err);
    if (status == YOKE_OK && id == 0)
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "the history is empty");
    if (status == YOKE_OK)
        status = history_find(h, id, &found, err);
    if (status == YOKE_OK)
        status = yoke_record_parse(found.json, strlen(found.json), "the history's newest record",
                                   &all->items[0], err);
    store_record_free(&found);
    if (status == YOKE_OK)
        all->names[all->count++] = "the newest of the history";
    return status;
}

static yoke_status load_newest(records *all, yoke_error *err)
{
    char path[PATH_MAX];
    history *h = NULL;
    yoke_error why = {0};
    yoke_status status = history_path(NULL, path, sizeof path, &why);
    if (status == YOKE_OK)
        status = history_open(path, HISTORY_READ, &h, &why);
    if (status == YOKE_OK)
        status = load_newest_of(h, all, &why);
    history_close(h);
    if (status == YOKE_OK)
        return YOKE_OK;
    return yoke_error_set(
        err, status, "report: give a record, as yoke bench --json FILE writes it (%s)", why.text);
}

static yoke_status load_records(const request *r, records *all, yoke_error *err)
{
    for (size_t i = 0; i < r->count; i++) {
        yoke_status status = yoke_record_load(r->paths[i], &all->items[all->count], err);
        if (status != YOKE_OK)
            return status;
        all->names[all->count++] = file_name(r->paths[i]);
    }
    return YOKE_OK;
}

static yoke_status write_page(const request *r, const records *all, yoke_error *err)
{
    output page;
    yoke_chips *chips = NULL;
    yoke_status status = yoke_chips_open(NULL, NULL, &chips, err);
    if (status == YOKE_OK)
        status = output_open(&page, r->output, err);
    if (status == YOKE_OK) {
        const yoke_record *items[RECORDS_MOST];
        for (size_t i = 0; i < all->count; i++)
            items[i] = all->items[i];
        report_write(page.stream, &(report_input){items, all->names, all->count, chips});
        status = output_commit(&page, err); /* notices what was not written */
    }
    yoke_chips_free(chips);
    return status;
}

static int report(const request *r)
{
    records all = {.count = 0};
    yoke_error err = {0};
    yoke_status status = r->count > 0 ? load_records(r, &all, &err) : load_newest(&all, &err);
    if (status == YOKE_OK)
        status = write_page(r, &all, &err);
    free_records(&all);
    return status == YOKE_OK ? EXIT_DONE : cli_fail(&err);
}

enum { OUTPUT };

static const verb_option option_table[] = {{"output", OUTPUT, "FILE", VALUE_FILE, NULL,
                                            "the page; also -o FILE; - prints it [report.html]"},
                                           VERB_END};

static bool take(void *what, int key, const char *value)
{
    request *r = what;
    if (key == OUTPUT)
        r->output = value;
    return key == OUTPUT;
}

/* The tables of the verbs know no letters; this one is what compilers have taught everybody. */
static void spell_out(int argc, char **argv)
{
    static char output_option[] = "--output";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-o") == 0)
            argv[i] = output_option;
}

static int run(int argc, char **argv)
{
    request r = {.output = "report.html"};
    spell_out(argc, argv);
    int code = verb_parse(&report_verb, argc, argv, take, &r);
    if (code != CLI_GO_ON)
        return code;
    r.paths = argv + optind;
    r.count = (size_t)(argc - optind);
    if (r.count > RECORDS_MOST)
        return cli_usage(argv[0], "more than %d records", RECORDS_MOST);
    cli_catch_signals();
    return report(&r);
}

static const verb_word words[] = {{"RECORD", VALUE_FILE, NULL, NULL}, {0}};

static const verb_example examples[] = {
    {"report bench.json -o report.html", "the page of one record"},
    {"report before.json after.json", "two records, side by side where they can be compared"},
    {0}};

const verb report_verb = {
    .name = "report",
    .summary = "records as one HTML page",
    .run = run,
    .usage = {"[RECORD]... [--output FILE]"},
    .description =
        "Writes a page that stands alone: this machine and its engines, the bandwidth fit, the "
        "roofline, the M sweep, contention, the split against the best single engine, and the "
        "record's own figures among the published ones. It needs no network, and every plot has "
        "its numbers in a table. Several records are compared with the first, where weight and "
        "method are the same. Without a RECORD it is the newest one of the history.",
    .words = words,
    .options = option_table,
    .examples = examples,
    .exit_status = VERB_PLAIN_STATUS,
};
