/* yoke report: records as one HTML page. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "options.h"
#include "output.h"
#include "records.h"
#include "report/report.h"

enum { RECORDS_MOST = 16 };

typedef struct request {
    const char *output, *db;
    char *const *words;
    size_t count;
} request;

static yoke_status load_newest(const request *r, records *all, yoke_error *err)
{
    yoke_error why = {0};
    yoke_status status = records_add_newest(all, r->db, &why);
    if (status == YOKE_OK)
        return YOKE_OK;
    return yoke_error_set(
        err, status, "report: give a record, as yoke bench --json FILE writes it (%s)", why.text);
}

static yoke_status load(const request *r, records *all, yoke_error *err)
{
    if (r->count == 0)
        return load_newest(r, all, err);
    yoke_status status = YOKE_OK;
    for (size_t i = 0; status == YOKE_OK && i < r->count; i++)
        status = records_add(all, r->words[i], r->db, err);
    if (status == YOKE_OK && all->count > RECORDS_MOST)
        status = yoke_error_set(err, YOKE_ERR_USAGE, "report: %zu records; a page takes %d",
                                all->count, RECORDS_MOST);
    return status;
}

static yoke_status write_page(const request *r, const records *all, yoke_error *err)
{
    output page;
    yoke_chips *chips = NULL;
    yoke_status status = yoke_chips_open(NULL, NULL, &chips, err);
    if (status == YOKE_OK)
        status = output_open(&page, r->output, err);
    if (status == YOKE_OK) {
        report_write(page.stream,
                     &(report_input){(const yoke_record *const *)all->items,
                                     (const char *const *)all->names, all->count, chips});
        status = output_commit(&page, err); /* notices what was not written */
    }
    yoke_chips_free(chips);
    return status;
}

static int report(const request *r)
{
    records all = {0};
    yoke_error err = {0};
    yoke_status status = load(r, &all, &err);
    if (status == YOKE_OK)
        status = write_page(r, &all, &err);
    records_free(&all);
    return status == YOKE_OK ? EXIT_DONE : cli_fail(&err);
}

enum { OUTPUT, DB };

static const verb_option option_table[] = {{"output", OUTPUT, "FILE", VALUE_FILE, NULL,
                                            "the page; also -o FILE; - prints it [report.html]"},
                                           OPTION_DB(DB),
                                           VERB_END};

static bool take(void *what, int key, const char *value)
{
    request *r = what;
    switch (key) {
    case OUTPUT: r->output = value; return true;
    case DB: r->db = value; return true;
    default: return false;
    }
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
    r.words = argv + optind;
    r.count = (size_t)(argc - optind);
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
    .usage = {"[RECORD]... [--output FILE] [--db FILE]"},
    .description =
        "A RECORD is a file as 'yoke bench --json FILE' writes it, with one record or several, or "
        "numbers of the history, as 12 or 11,13-15. Writes a page that stands alone: this machine "
        "and its engines, the bandwidth fit, the "
        "roofline, the M sweep, contention, the split against the best single engine, and the "
        "record's own figures among the published ones. It needs no network, and every plot has "
        "its numbers in a table. Several records are compared with the first, where weight and "
        "method are the same. Without a RECORD it is the newest one of the history.",
    .words = words,
    .options = option_table,
    .examples = examples,
    .exit_status = VERB_PLAIN_STATUS,
};
