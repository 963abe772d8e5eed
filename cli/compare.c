/* yoke compare: two records, or the runs of two sides, row by row; its exit status is made for
 * automatic checks. */
#include "compare.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json_out.h"
#include "options.h"

typedef struct request {
    compare_sides sides;
    double threshold; /* a fraction */
    const char *json, *db;
} request;

size_t compare_failed(const compare_sides *sides)
{
    size_t failed = 0;
    for (size_t i = 0; i < sides->runs[1].count; i++)
        failed += yoke_record_failed(sides->runs[1].items[i]);
    return failed;
}

bool compare_has_runs(const compare_sides *sides)
{
    return sides->runs[0].count > 1 || sides->runs[1].count > 1;
}

static yoke_status report(const request *r, const yoke_comparison *c, yoke_error *err)
{
    yoke_status status = r->json ? compare_write_json(&r->sides, c, r->json, err) : YOKE_OK;
    return status == YOKE_OK && !json_out_alone(r->json) ? compare_print(&r->sides, c, err)
                                                         : status;
}

/* That nothing was found must not look like that nothing is slower. */
static yoke_status judge(const request *r, const yoke_comparison *c, yoke_error *err)
{
    size_t slower = yoke_comparison_count(c, YOKE_COMPARED_SLOWER);
    size_t failed = compare_failed(&r->sides);
    if (slower > 0 || failed > 0)
        return yoke_error_set(err, YOKE_ERR_CHECK, "compare: %s: %zu row%s slower, %zu FAILED",
                              r->sides.names[1], slower, slower == 1 ? "" : "s", failed);
    if (yoke_comparison_count(c, YOKE_COMPARED_NOT) == c->row_count)
        return yoke_error_set(err, YOKE_ERR_USAGE, "compare: no row can be compared: %s",
                              c->row_count > 0 ? c->rows[0].reason : "there is none with times");
    return YOKE_OK;
}

static yoke_status load_and_compare(request *r, yoke_comparison **c, yoke_error *err)
{
    records *a = &r->sides.runs[0], *b = &r->sides.runs[1];
    yoke_status status = records_add(a, r->sides.names[0], r->db, err);
    if (status == YOKE_OK)
        status = records_add(b, r->sides.names[1], r->db, err);
    if (status == YOKE_OK)
        status =
            yoke_compare_runs((const yoke_record *const *)a->items, a->count,
                              (const yoke_record *const *)b->items, b->count, r->threshold, c, err);
    return status;
}

static int compare(request *r)
{
    yoke_error err = {0};
    yoke_comparison *c = NULL;
    yoke_status status = load_and_compare(r, &c, &err);
    if (status == YOKE_OK)
        status = report(r, c, &err);
    if (status == YOKE_OK)
        status = judge(r, c, &err);
    yoke_comparison_free(c);
    for (size_t i = 0; i < 2; i++)
        records_free(&r->sides.runs[i]);
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
        return cli_usage(argv[0], "needs two sides, A and B");
    r.sides.names[0] = argv[optind];
    r.sides.names[1] = argv[optind + 1];
    return compare(&r);
}

static const verb_word words[] = {{"RECORD", VALUE_FILE, NULL, NULL}, {0}};

static const verb_example examples[] = {
    {"compare before.json after.json", "what changed by more than 5 %"},
    {"compare before.jsonl after.jsonl --threshold 2", "several runs a side, and smaller changes"},
    {"compare 11-15 16", "five records of the history, and a new one"},
    {0}};

const verb compare_verb = {
    .name = "compare",
    .summary = "records row by row: faster, slower, the same, or not comparable",
    .run = run,
    .usage = {"A B [--threshold PERCENT] [--json FILE] [--db FILE]"},
    .description =
        "A and B are files of records as 'yoke bench --json FILE' writes them, or numbers of the "
        "history, as 12 or 11,13-15. Several records on a side, in a file one after the other, are "
        "runs of the same measurement. Each row of A is compared with its row of B: the ratio of "
        "the median times, B over A, with a 95 % confidence interval.\n"
        "\n"
        "A row is slower or faster when its whole interval lies beyond the threshold, and the same "
        "when that is not shown. With one run a side the interval knows what varied within each "
        "run (Price and Bonett 2002), not what varies from one run to the next: that is what the "
        "threshold is for. With three runs or more in all it knows that too (Student's t). Rows of "
        "another weight, format, precision or method, failed or unchecked ones, and unstable ones "
        "of single runs are not comparable, and say why.",
    .words = words,
    .options = option_table,
    .examples = examples,
    .exit_status = "0 nothing is slower, 1 a row is slower or failed in B, 2 bad input or usage, "
                   "or no row can be compared",
};
