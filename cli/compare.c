/* yoke compare: two records row by row; its exit status is made for automatic checks. */
#include "compare.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "history_path.h"
#include "options.h"
#include "store/history.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

typedef struct request {
    compare_sides sides;
    double threshold; /* a fraction */
    const char *json, *db;
} request;

static yoke_status load_kept(int64_t id, const char *db, yoke_record **record, yoke_error *err)
{
    char path[PATH_MAX];
    history *h = NULL;
    store_record kept = {0};
    yoke_status status = history_path(db, path, sizeof path, err);
    if (status == YOKE_OK)
        status = history_open(path, HISTORY_READ, &h, err);
    if (status == YOKE_OK)
        status = history_find(h, id, &kept, err);
    if (status == YOKE_OK)
        status = yoke_record_parse(kept.json, strlen(kept.json), path, record, err);
    store_record_free(&kept);
    history_close(h);
    return status;
}

/* A number is one of the history; a file of such a name is "./12". */
static yoke_status load(request *r, size_t side, yoke_error *err)
{
    size_t id;
    const char *name = r->sides.names[side];
    yoke_record **record = &r->sides.records[side];
    if (cli_parse_size(name, 1, INT64_MAX, &id))
        return load_kept((int64_t)id, r->db, record, err);
    return yoke_record_load(name, record, err);
}

static yoke_status report(const request *r, const yoke_comparison *c, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    if (!r->json || strcmp(r->json, "-") != 0)
        status = compare_print(&r->sides, c, err);
    if (status == YOKE_OK && r->json)
        status = compare_write_json(&r->sides, c, r->json, err);
    return status;
}

/* That nothing was found must not look like that nothing is slower. */
static yoke_status judge(const request *r, const yoke_comparison *c, yoke_error *err)
{
    size_t slower = yoke_comparison_count(c, YOKE_COMPARED_SLOWER);
    size_t failed = yoke_record_failed(r->sides.records[1]);
    if (slower > 0 || failed > 0)
        return yoke_error_set(err, YOKE_ERR_CHECK, "compare: %s: %zu row%s slower, %zu FAILED",
                              r->sides.names[1], slower, slower == 1 ? "" : "s", failed);
    if (yoke_comparison_count(c, YOKE_COMPARED_NOT) == c->row_count)
        return yoke_error_set(err, YOKE_ERR_USAGE, "compare: no row can be compared: %s",
                              c->row_count > 0 ? c->rows[0].reason : "there is none with times");
    return YOKE_OK;
}

static int compare(request *r)
{
    yoke_error err = {0};
    yoke_comparison *c = NULL;
    yoke_status status = load(r, 0, &err);
    if (status == YOKE_OK)
        status = load(r, 1, &err);
    if (status == YOKE_OK)
        status = yoke_compare(r->sides.records[0], r->sides.records[1], r->threshold, &c, &err);
    if (status == YOKE_OK)
        status = report(r, c, &err);
    if (status == YOKE_OK)
        status = judge(r, c, &err);
    yoke_comparison_free(c);
    yoke_record_free(r->sides.records[0]);
    yoke_record_free(r->sides.records[1]);
    return status == YOKE_OK ? EXIT_DONE : cli_fail(&err);
}

enum { THRESHOLD, JSON, DB };

static const verb_option option_table[] = {
    {"threshold", THRESHOLD, "PERCENT", VALUE_TEXT, NULL, "the least change that counts [5]"},
    OPTION_JSON(JSON, "the comparison"),
    OPTION_DB(DB),
    VERB_END};

static bool parse_percent(const char *text, double *fraction)
{
    char *end;
    double percent = strtod(text, &end);
    *fraction = percent / 100;
    return end != text && *end == '\0' && percent >= 0 && percent <= 1e6;
}

static bool take(void *what, int key, const char *value)
{
    request *r = what;
    switch (key) {
    case THRESHOLD: return parse_percent(value, &r->threshold);
    case JSON: r->json = value; return true;
    case DB: r->db = value; return true;
    default: return false;
    }
}

static int run(int argc, char **argv)
{
    request r = {.threshold = 0.05};
    int code = verb_parse(&compare_verb, argc, argv, take, &r);
    if (code != CLI_GO_ON)
        return code;
    if (argc - optind != 2)
        return cli_usage(argv[0], "needs two records, A and B");
    r.sides.names[0] = argv[optind];
    r.sides.names[1] = argv[optind + 1];
    return compare(&r);
}

static const verb_word words[] = {{"RECORD", VALUE_FILE, NULL, NULL}, {0}};

static const verb_example examples[] = {
    {"compare before.json after.json", "what changed by more than 5 %"},
    {"compare 12 15 --threshold 2", "two records of the history, and smaller changes"},
    {0}};

const verb compare_verb = {
    .name = "compare",
    .summary = "two records row by row: faster, slower, the same, or not comparable",
    .run = run,
    .usage = {"A B [--threshold PERCENT] [--json FILE] [--db FILE]"},
    .description =
        "A and B are records as 'yoke bench --json FILE' writes them, or numbers of records in the "
        "history. Each row of A is compared with its row of B: the ratio of the median times, B "
        "over A, with a 95 % confidence interval (Price and Bonett 2002).\n"
        "\n"
        "A row is slower or faster when its whole interval lies beyond the threshold, and the same "
        "when that is not shown. The interval knows what varied within each run, not what varies "
        "from one run to the next: that is what the threshold is for. Rows of another weight, "
        "format, precision or method, failed, unstable or unchecked ones are not comparable, and "
        "say why.",
    .words = words,
    .options = option_table,
    .examples = examples,
    .exit_status = "0 nothing is slower, 1 a row is slower or failed in B, 2 bad input or usage, "
                   "or no row can be compared",
};
