/* yoke bench: what the engines can really do, as tables and as a record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_tables.h"
#include "cli.h"
#include "history_keep.h"
#include "json_out.h"
#include "options.h"
#include "progress.h"

#define QUICK_SECONDS 15

/* Adds the suite named by the first `length` characters. */
static bool add_suite(const char *name, size_t length, unsigned *suites)
{
    if (length == 3 && strncmp(name, "all", length) == 0) {
        *suites |= BENCH_EVERY_SUITE;
        return true;
    }
    for (unsigned bit = 1; bit <= YOKE_BENCH_ANE; bit <<= 1) {
        const char *known = yoke_bench_suite_name((yoke_bench_suite)bit);
        if (strlen(known) == length && strncmp(known, name, length) == 0) {
            *suites |= bit;
            return true;
        }
    }
    return false;
}

static bool parse_suites(const char *list, unsigned *suites)
{
    for (;;) {
        size_t length = strcspn(list, ",");
        if (!add_suite(list, length, suites))
            return false;
        if (list[length] == '\0')
            return true;
        list += length + 1;
    }
}

enum {
    SHAPE,
    TENSOR,
    FORMAT,
    ENGINE,
    SUITE,
    PRECISION,
    JSON,
    QUICK,
    SEED,
    PLUGINS,
    DB,
    NO_HISTORY
};

static const verb_option option_table[] = {
    VERB_GROUP("The weight"),
    OPTION_RANDOM_SHAPE(SHAPE),
    OPTION_LARGEST_TENSOR(TENSOR),
    {"format", FORMAT, "F", VALUE_ONE_OF, OPTIONS_FORMATS " " OPTIONS_TABLES,
     "its format: " OPTIONS_FORMATS ", and of a random one " OPTIONS_TABLES
     " [f16, or that of the file]"},
    OPTION_SEED(SEED),
    VERB_GROUP("What is measured"),
    {"engine", ENGINE, "SPEC", VALUE_ENGINE, NULL,
     "an engine, as NAME[:DEVICE][,key=value]...; may be repeated [cpu; contention and split also "
     "take what has hardware of its own; without any, contention takes the core sets of cpu]"},
    {"suite", SUITE, "LIST", VALUE_SOME_OF, "read compute dispatch wake contention split ane all",
     "of read,compute,dispatch,wake [these], contention (the engines in pairs), split (one product "
     "over all of them), ane (sizes and chains that only the Neural Engine has); or all but ane"},
    OPTION_PRECISION(PRECISION),
    {"quick", QUICK, NULL, VALUE_TEXT, NULL, "a sixth of the time, and less to rely on"},
    OPTION_PLUGINS(PLUGINS),
    VERB_GROUP("What comes out"),
    OPTION_JSON(JSON, "the record, with every sample,"),
    OPTION_DB(DB),
    {"no-history", NO_HISTORY, NULL, VALUE_TEXT, NULL, "do not keep the record in the history"},
    VERB_END};

/* One option into the request; false when its value is not understood. */
static bool take(void *what, int key, const char *value)
{
    bench_request *r = what;
    switch (key) {
    case SHAPE: return weight_parse_shape(value, &r->weight);
    case TENSOR: r->weight.tensor = value; return true;
    case FORMAT: r->weight.format = yoke_format_find(value); return true;
    case ENGINE: return choice_add(&r->engines, value);
    case SUITE: return parse_suites(value, &r->options.suites);
    case PRECISION: return cli_parse_precision(value, &r->options.precision);
    case JSON: r->json = value; return true;
    case QUICK: r->options.seconds = QUICK_SECONDS; return true;
    case SEED: return cli_parse_u64(value, &r->weight.seed);
    case PLUGINS: r->plugins = value; return true;
    case DB: r->db = value; return true;
    case NO_HISTORY: r->no_history = true; return true;
    default: return false;
    }
}

static int parse_request(int argc, char **argv, bench_request *r)
{
    *r = (bench_request){.weight = {.n = 128256, .k = 4096, .seed = 1}};
    int code = verb_parse(&bench_verb, argc, argv, take, r);
    if (code == CLI_GO_ON && choice_twice(&r->engines))
        code = cli_usage(argv[0], "engine %s is given twice", choice_twice(&r->engines));
    return code == CLI_GO_ON ? weight_take_words(argc, argv, &r->weight) : code;
}

static void show_progress(void *arg, const char *what)
{
    (void)arg;
    progress_show(what);
}

static yoke_status measure_into(bench_request *r, yoke_record *record, yoke_error *err)
{
    yoke_context_options context_options = {.plugin_dir = r->plugins};
    yoke_context *context = NULL;
    yoke_artefact *artefact = NULL;
    yoke_status status = yoke_bench_check_host(record->host, err);
    if (status == YOKE_OK)
        status = yoke_context_create(&context_options, &context, err);
    if (status == YOKE_OK)
        status = bench_choose_engines(r, context, record, err);
    if (status == YOKE_OK) {
        progress_show("making the weight");
        status = weight_make("bench", &r->weight, record->host, &artefact, err);
    }
    if (status == YOKE_OK)
        status = yoke_bench_run(context, r->engines.specifications, r->engines.count, artefact,
                                &r->options, record, err);
    if (status == YOKE_OK)
        status = bench_add_absent(context, record, err);
    yoke_artefact_free(artefact);
    yoke_context_free(context);
    return status;
}

static yoke_status measure(bench_request *r, yoke_record *record, yoke_error *err)
{
    r->options.stop = &cli_stopped;
    r->options.progress = show_progress;
    yoke_status status = measure_into(r, record, err);
    progress_end();
    return status;
}

static yoke_status write_json(const yoke_record *record, output *json, yoke_error *err)
{
    char *text;
    yoke_status status = yoke_record_json(record, &text, err);
    if (status != YOKE_OK) {
        output_discard(json);
        return status;
    }
    fprintf(json->stream, "%s\n", text); /* output_commit notices what was not written */
    free(text);
    return output_commit(json, err);
}

/* The record's file is opened first: that it cannot be written is better known before minutes of
 * measuring. Printing comes last: a reader that goes away, as head does, ends the program. */
static yoke_status bench(bench_request *r, yoke_record *record, yoke_error *err)
{
    output json = {0};
    yoke_status status = r->json ? output_open(&json, r->json, err) : YOKE_OK;
    if (status != YOKE_OK)
        return status;
    status = measure(r, record, err);
    if (status != YOKE_OK) {
        output_discard(&json);
        return status;
    }
    if (!r->no_history)
        history_keep(record, r->db);
    if (r->json)
        status = write_json(record, &json, err);
    if (!json_out_alone(r->json))
        bench_print(record);
    return status;
}

static int run(int argc, char **argv)
{
    bench_request r;
    int code = parse_request(argc, argv, &r);
    if (code != CLI_GO_ON)
        return code;
    cli_catch_signals();
    yoke_record *record;
    yoke_error err = {0};
    yoke_status status = yoke_record_create(&record, &err);
    if (status != YOKE_OK)
        return cli_fail(&err);
    status = bench(&r, record, &err);
    size_t failed = yoke_record_failed(record);
    if (status == YOKE_OK && failed > 0)
        status = yoke_error_set(&err, YOKE_ERR_ENGINE, "bench: %zu of %zu rows FAILED", failed,
                                record->row_count);
    yoke_record_free(record);
    return status == YOKE_OK ? EXIT_DONE : cli_fail(&err);
}

static const verb_word words[] = {{"FILE", VALUE_FILE, NULL, NULL}, {0}};

static const verb_example examples[] = {
    {"bench", "what the CPU of this machine does with a large language model's LM head"},
    {"bench --shape 4096x4096 --format q8_0 --json record.json",
     "a smaller weight, quantised, and a record of it"},
    {0}};

const verb bench_verb = {
    .name = "bench",
    .summary = "measure what the engines can really do",
    .run = run,
    .usage = {"[FILE [--tensor NAME] | --shape NxK] [OPTION]..."},
    .description = "Measures what each engine can really do with a weight: the rate it reads it "
                   "at, its arithmetic, the cost of a call and of waking up.",
    .words = words,
    .options = option_table,
    .examples = examples,
    .exit_status = "0 done, 1 a row failed or the run was stopped (no record is then written), 2 "
                   "bad input or usage",
};
