/* Products on the CPU by yoke and by its peers, in turns, against the limits of the same minutes.
 *
 * peers FILE.json [CASE...]: a table as markdown on standard output, the same and more in the file.
 * case.h says what a case looks like, and spell.h which batches count; BATCH_SECONDS [0.3] is how
 * long one takes. The status is 1 when a result was wrong. */
#include <stdio.h>
#include <stdlib.h>

#include "table.h"

typedef struct bench {
    yoke_context *context;
    gauge gauge;
    roster roster;
    double batch_seconds;
    json_t *document;
    bool all_right;
} bench;

static void must(yoke_status status, const yoke_error *err)
{
    if (status == YOKE_OK)
        return;
    fprintf(stderr, "peers: %s\n", err->text);
    exit(2);
}

static void run_case(bench *b, const bench_case *c)
{
    yoke_error err = {0};
    outcome o;
    must(contest_run(&b->gauge, c, b->roster.peers, b->roster.count, b->batch_seconds, &o, &err),
         &err);
    table_row(&b->roster, c, &o);
    for (size_t i = 0; i < b->roster.count; i++)
        if (o.standings[i].entered && o.standings[i].verdict != YOKE_VERDICT_RIGHT)
            b->all_right = false;
    if (!table_json_row(b->document, &b->roster, c, &o))
        must(yoke_error_set(&err, YOKE_ERR_MEMORY, "no memory for a row"), &err);
}

static void run_named(bench *b, char **texts, int count)
{
    bench_case c;
    for (int i = 0; i < count; i++)
        if (case_parse(texts[i], &c))
            run_case(b, &c);
}

static bool all_are_cases(char **texts, int count)
{
    bench_case c;
    for (int i = 0; i < count; i++)
        if (!case_parse(texts[i], &c)) {
            fprintf(stderr, "peers: %s: a case is FORMAT:M or FORMAT:MxNxK\n", texts[i]);
            return false;
        }
    return true;
}

static void begin(bench *b)
{
    yoke_error err = {0};
    const char *seconds = getenv("BATCH_SECONDS");
    b->batch_seconds = seconds ? strtod(seconds, NULL) : 0.3;
    b->all_right = true;
    must(roster_open(PEER_MODULES, &b->roster, &err), &err);
    must(yoke_context_create(NULL, &b->context, &err), &err);
    must(gauge_open(b->context, &b->gauge, &err), &err);
    const char *machine = yoke_engine_describe(b->gauge.engine)->description;
    b->document = table_json_begin(&b->roster, machine);
    if (!b->document)
        must(yoke_error_set(&err, YOKE_ERR_MEMORY, "no memory for the results"), &err);
    table_begin(&b->roster, machine);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "peers FILE.json [CASE...]\n");
        return 2;
    }
    if (!all_are_cases(argv + 2, argc - 2))
        return 2;
    static bench b;
    begin(&b);
    if (argc > 2)
        run_named(&b, argv + 2, argc - 2);
    else
        for (size_t i = 0; i < cases_default_count; i++)
            run_case(&b, &cases_default[i]);
    int failed = json_dump_file(b.document, argv[1], JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    if (failed)
        fprintf(stderr, "peers: %s: cannot be written\n", argv[1]);
    json_decref(b.document);
    gauge_close(&b.gauge);
    yoke_context_free(b.context);
    return failed ? 2 : !b.all_right;
}
