/* yoke history: the records that were kept. */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "history_path.h"
#include "history_show.h"
#include "options.h"
#include "output.h"
#include "store/import.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

#define LISTED 20

typedef struct request {
    const char *db, *output, *json;
    size_t limit;       /* 0: not given */
    char *const *words; /* behind the first: ids or files */
    size_t word_count;
    char path[PATH_MAX]; /* of the history */
} request;

/* ---- What it does ---- */

static yoke_status list(const request *r, yoke_error *err)
{
    history *h = NULL;
    yoke_status status = history_open(r->path, HISTORY_READ, &h, err);
    if (status == YOKE_ERR_NOT_FOUND) {
        printf("%s\n", err->text);
        return YOKE_OK;
    }
    if (status == YOKE_OK)
        status = history_print_list(h, r->limit > 0 ? r->limit : LISTED, err);
    history_close(h);
    return status;
}

static bool parse_id(const char *word, int64_t *id)
{
    size_t number;
    bool parsed = cli_parse_size(word, 1, INT64_MAX, &number);
    *id = parsed ? (int64_t)number : 0;
    return parsed;
}

/* `word` has been checked to be an id. */
static yoke_status find(history *h, const char *word, store_record *record, yoke_error *err)
{
    int64_t id;
    parse_id(word, &id);
    return history_find(h, id, record, err);
}

static yoke_status show(const request *r, yoke_error *err)
{
    history *h = NULL;
    store_record record = {0};
    yoke_status status = history_open(r->path, HISTORY_READ, &h, err);
    if (status == YOKE_OK)
        status = find(h, r->words[0], &record, err);
    if (status == YOKE_OK && r->json)
        status = output_write(r->json, record.json, err);
    else if (status == YOKE_OK)
        status = history_print_record(&record, err);
    store_record_free(&record);
    history_close(h);
    return status;
}

/* Every file is read before any record is added: all or none. */
static yoke_status import_all(const request *r, store_records *records, yoke_error *err)
{
    history *h = NULL;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; status == YOKE_OK && i < r->word_count; i++)
        status = store_import_file(r->words[i], records, err);
    if (status == YOKE_OK)
        status = history_open(r->path, HISTORY_WRITE, &h, err);
    if (status == YOKE_OK)
        status = history_add(h, records->items, records->count, err);
    history_close(h);
    return status;
}

static yoke_status import(const request *r, yoke_error *err)
{
    store_records records = {0};
    yoke_status status = import_all(r, &records, err);
    for (size_t i = 0; status == YOKE_OK && i < records.count; i++)
        printf("%s: record %lld%s\n", records.items[i].source, (long long)records.items[i].id,
               records.items[i].added ? "" : ", there already");
    store_records_free(&records);
    return status;
}

/* Finds every record; writes them when `out` is not NULL. */
static yoke_status export_into(const request *r, history *h, FILE *out, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; status == YOKE_OK && i < r->word_count; i++) {
        store_record record = {0};
        status = find(h, r->words[i], &record, err);
        if (status == YOKE_OK && out)
            fprintf(out, "%s\n", record.json); /* output_commit notices what was not written */
        store_record_free(&record);
    }
    return status;
}

static yoke_status export(const request *r, yoke_error *err)
{
    history *h = NULL;
    output out;
    yoke_status status = history_open(r->path, HISTORY_READ, &h, err);
    if (status == YOKE_OK)
        status = export_into(r, h, NULL, err); /* all or none, also on standard output */
    if (status == YOKE_OK)
        status = output_open(&out, r->output ? r->output : "-", err);
    if (status != YOKE_OK) {
        history_close(h);
        return status;
    }
    status = export_into(r, h, out.stream, err);
    history_close(h);
    if (status == YOKE_OK)
        return output_commit(&out, err);
    output_discard(&out);
    return status;
}

static yoke_status remove_record(const request *r, yoke_error *err)
{
    history *h = NULL;
    int64_t id;
    parse_id(r->words[0], &id);
    yoke_status status = history_open(r->path, HISTORY_WRITE, &h, err);
    if (status == YOKE_OK)
        status = history_remove(h, id, err);
    history_close(h);
    return status;
}

/* ---- What is asked for ---- */

static const struct action {
    const char *name;
    yoke_status (*run)(const request *r, yoke_error *err);
    size_t least, most; /* words behind it */
    bool ids;           /* the words are ids */
    const char *wants;
} actions[] = {{"list", list, 0, 0, false, "takes no word"},
               {"show", show, 1, 1, true, "needs one ID"},
               {"import", import, 1, SIZE_MAX, false, "needs a FILE"},
               {"export", export, 1, SIZE_MAX, true, "needs an ID"},
               {"remove", remove_record, 1, 1, true, "needs one ID"}};

static const struct action *find_action(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

enum { DB, LIMIT, JSON, OUTPUT };

static bool take(void *what, int key, const char *value)
{
    request *r = what;
    switch (key) {
    case DB: r->db = value; return true;
    case LIMIT: return cli_parse_size(value, 1, SIZE_MAX, &r->limit);
    case JSON: r->json = value; return true;
    case OUTPUT: r->output = value; return true;
    default: return false;
    }
}

/* Options that would do nothing are refused rather than passed over. */
static int check(const request *r, const struct action *action)
{
    if (r->limit > 0 && action->run != list)
        return cli_usage("history", "--limit goes with the list alone");
    if (r->json && action->run != show)
        return cli_usage("history", "--json goes with show");
    if (r->output && action->run != export)
        return cli_usage("history", "--output goes with export");
    if (r->word_count < action->least || r->word_count > action->most)
        return cli_usage("history", "%s %s", action->name, action->wants);
    int64_t id;
    for (size_t i = 0; action->ids && i < r->word_count; i++)
        if (!parse_id(r->words[i], &id))
            return cli_usage("history", "%s is not the id of a record", r->words[i]);
    return CLI_GO_ON;
}

static int run(int argc, char **argv)
{
    request r = {0};
    yoke_error err = {0};
    int code = verb_parse(&history_verb, argc, argv, take, &r);
    if (code != CLI_GO_ON)
        return code;
    const char *word = optind < argc ? argv[optind++] : "list";
    const struct action *action = find_action(word);
    if (!action)
        return cli_usage("history", "does not take '%s'", word);
    r.words = argv + optind;
    r.word_count = (size_t)(argc - optind);
    code = check(&r, action);
    if (code != CLI_GO_ON)
        return code;
    yoke_status status = history_path(r.db, r.path, sizeof r.path, &err);
    if (status == YOKE_OK)
        status = action->run(&r, &err);
    return status == YOKE_OK ? EXIT_DONE : cli_fail(&err);
}

static const verb_word words[] = {{"list", VALUE_ONE_OF, "list show import export remove", NULL},
                                  {"FILE", VALUE_FILE, NULL, NULL},
                                  {0}};

static const verb_option options[] = {
    {"limit", LIMIT, "N", VALUE_TEXT, NULL, "list the last N records [20]"},
    {"json", JSON, "FILE", VALUE_FILE, NULL,
     "write the record that is shown into FILE instead, on one line; - prints it"},
    {"output", OUTPUT, "FILE", VALUE_FILE, NULL, "export into FILE [standard output]"},
    OPTION_DB(DB),
    VERB_END};

static const verb_example examples[] = {
    {"history", "what was measured last, on this machine and on others"},
    {"history show 12", "the tables of record 12"},
    {"history import record.json report.json", "records of yoke, and a report of anemll-bench"},
    {"history export 11 12 --output records.jsonl", "two records, one a line, to send"},
    {0}};

const verb history_verb = {
    .name = "history",
    .summary = "the records that were kept: list, show, import, export, remove",
    .run = run,
    .usage = {"[list] [--limit N]", "show ID [--json FILE] | remove ID",
              "import FILE... | export ID... [--output FILE]"},
    .description =
        "Every record that 'yoke bench' measures is kept in the history, unless it is told not to; "
        "records from elsewhere are imported. A FILE holds records of yoke, one after the other, "
        "or a report of anemll-bench; which one is told by the content. The same record is kept "
        "once.\n"
        "\n"
        "The best figure of a record is named by its method, and a mean is never a median: compare "
        "those of the same name, artefact and machine.",
    .words = words,
    .options = options,
    .examples = examples,
    .exit_status = VERB_PLAIN_STATUS,
};
