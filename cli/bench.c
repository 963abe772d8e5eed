/* yoke bench: what the engines can really do, as tables and as a record. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_tables.h"
#include "choice.h"
#include "cli.h"
#include "output.h"
#include "progress.h"
#include "weight.h"

static const char help_text[] =
    "usage: yoke bench [FILE [--tensor NAME] | --shape NxK] [OPTION]...\n"
    "\n"
    "Measures what each engine can really do with a weight: the rate it reads it at, its "
    "arithmetic,\n"
    "the cost of a call and of waking up.\n"
    "\n"
    "  --shape NxK       a random weight of N outputs and K inputs [128256x4096]\n"
    "  --tensor NAME     the weight in FILE [the largest that can be read]\n"
    "  --format F        format of the weight: f32 f16 bf16 q8_0 q4_0, and of a random one lut1 "
    "to\n"
    "                    lut8, int4, int8 [f16, or that of the file]\n"
    "  --engine SPEC     an engine, as NAME[:DEVICE][,key=value]...; may be repeated [cpu; for\n"
    "                    contention all that are ready, but ref and the core sets]\n"
    "  --suite LIST      of read,compute,dispatch,wake [these] and contention: the engines in "
    "pairs\n"
    "  --precision P     how exactly x is used: full, bf16, int8 [full]\n"
    "  --json FILE       write the record, with every sample; - prints it instead of the tables\n"
    "  --quick           a sixth of the time, and less to rely on\n"
    "  --seed S          of the random values [1]\n" CLI_COMMON_HELP "\n"
    "Exit status: 0 done, 1 a row failed or the run was stopped (no record is then written),\n"
    "2 bad input or usage.\n";

#define QUICK_SECONDS 15

typedef struct request {
    weight_request weight;
    choice engines;
    yoke_bench_options options;
    const char *json;
    const char *plugins;
} request;

/* Adds the suite named by the first `length` characters. */
static bool add_suite(const char *name, size_t length, unsigned *suites)
{
    for (unsigned bit = 1; bit <= YOKE_BENCH_CONTENTION; bit <<= 1) {
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
    OPTION_SHAPE = CLI_OPTION_OWN,
    OPTION_TENSOR,
    OPTION_FORMAT,
    OPTION_ENGINE,
    OPTION_SUITE,
    OPTION_PRECISION,
    OPTION_JSON,
    OPTION_QUICK,
    OPTION_SEED
};

static const struct option long_options[] = {
    {"shape", required_argument, NULL, OPTION_SHAPE},
    {"tensor", required_argument, NULL, OPTION_TENSOR},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    {"suite", required_argument, NULL, OPTION_SUITE},
    {"precision", required_argument, NULL, OPTION_PRECISION},
    {"json", required_argument, NULL, OPTION_JSON},
    {"quick", no_argument, NULL, OPTION_QUICK},
    {"seed", required_argument, NULL, OPTION_SEED},
    CLI_COMMON_OPTIONS,
    {NULL, 0, NULL, 0}};

static int parse_format(request *r)
{
    r->weight.format = yoke_format_find(optarg);
    const yoke_format_info *format = yoke_format_get(r->weight.format);
    if (!format->writable && format->table_bytes == 0) /* with a table: random ones only */
        return cli_usage("bench", "--format %s is not a format that can be made", optarg);
    return EXIT_DONE;
}

static int add_engine(request *r)
{
    if (!choice_add(&r->engines, optarg))
        return cli_usage("bench", "more than %d engines", CHOICE_MOST);
    return EXIT_DONE;
}

static int parse_option(request *r, int option, char **argv)
{
    switch (option) {
    case OPTION_SHAPE:
        return weight_parse_shape(optarg, &r->weight)
                   ? EXIT_DONE
                   : cli_usage("bench", "--shape %s is not NxK", optarg);
    case OPTION_TENSOR: r->weight.tensor = optarg; return EXIT_DONE;
    case OPTION_FORMAT: return parse_format(r);
    case OPTION_ENGINE: return add_engine(r);
    case OPTION_SUITE:
        return parse_suites(optarg, &r->options.suites)
                   ? EXIT_DONE
                   : cli_usage("bench",
                               "--suite %s is not of read,compute,dispatch,wake,contention",
                               optarg);
    case OPTION_PRECISION:
        return cli_parse_precision(optarg, &r->options.precision)
                   ? EXIT_DONE
                   : cli_usage("bench", "--precision %s is none of full, bf16, int8", optarg);
    case OPTION_JSON: r->json = optarg; return EXIT_DONE;
    case OPTION_QUICK: r->options.seconds = QUICK_SECONDS; return EXIT_DONE;
    case OPTION_SEED:
        return cli_parse_u64(optarg, &r->weight.seed)
                   ? EXIT_DONE
                   : cli_usage("bench", "--seed %s is not a number", optarg);
    case CLI_OPTION_PLUGINS: r->plugins = optarg; return EXIT_DONE;
    default: return cli_bad_option("bench", option, argv);
    }
}

/* *help is set when the help was asked for, and printed. */
static int parse_request(int argc, char **argv, request *r, bool *help)
{
    *r = (request){.weight = {.n = 128256, .k = 4096, .seed = 1}};
    optind = 1;
    for (int option; (option = getopt_long(argc, argv, ":", long_options, NULL)) != -1;) {
        if (option == CLI_OPTION_HELP) {
            fputs(help_text, stdout);
            *help = true;
            return EXIT_DONE;
        }
        int code = parse_option(r, option, argv);
        if (code != EXIT_DONE)
            return code;
    }
    if (argc - optind > 1)
        return cli_usage("bench", "more than one file: %s", argv[optind + 1]);
    r->weight.path = argv[optind];
    return weight_check("bench", &r->weight);
}

static void show_progress(void *arg, const char *what)
{
    (void)arg;
    progress_show(what);
}

/* Opening each engine first lets a bad specification end the run before anything takes long. */
static yoke_status try_engines(yoke_context *context, const request *r, yoke_error *err)
{
    for (size_t i = 0; i < r->engines.count; i++) {
        yoke_engine *engine;
        yoke_status status = yoke_engine_open(context, r->engines.specifications[i], &engine, err);
        if (status != YOKE_OK)
            return status;
        yoke_engine_free(engine);
    }
    return YOKE_OK;
}

static yoke_status choose_engines(request *r, const yoke_context *context, yoke_error *err)
{
    bool contention = (r->options.suites & YOKE_BENCH_CONTENTION) != 0;
    if (r->engines.count == 0 && contention)
        choice_add_ready(&r->engines, context);
    else if (r->engines.count == 0)
        choice_add(&r->engines, "cpu");
    if (contention && r->engines.count < 2)
        return yoke_error_set(err, YOKE_ERR_USAGE,
                              "bench: contention needs two engines: name them with --engine");
    return YOKE_OK;
}

static yoke_status run(request *r, yoke_record *record, yoke_error *err)
{
    yoke_context_options context_options = {.plugin_dir = r->plugins};
    yoke_context *context = NULL;
    yoke_artefact *artefact = NULL;
    yoke_status status = yoke_context_create(&context_options, &context, err);
    if (status == YOKE_OK)
        status = choose_engines(r, context, err);
    if (status == YOKE_OK)
        status = try_engines(context, r, err);
    if (status == YOKE_OK) {
        progress_show("making the weight");
        status = weight_make("bench", &r->weight, record->host, &artefact, err);
    }
    if (status == YOKE_OK)
        status = yoke_bench_run(context, r->engines.specifications, r->engines.count, artefact,
                                &r->options, record, err);
    yoke_artefact_free(artefact);
    yoke_context_free(context);
    return status;
}

static yoke_status print(const yoke_record *record, output *json, yoke_error *err)
{
    char *text;
    if (!json || strcmp(json->path, "-") != 0)
        bench_print(record);
    if (!json)
        return YOKE_OK;
    yoke_status status = yoke_record_json(record, &text, err);
    if (status != YOKE_OK)
        return status;
    fprintf(json->stream, "%s\n", text); /* output_commit notices what was not written */
    free(text);
    return YOKE_OK;
}

static yoke_status measure(request *r, yoke_record *record, output *json, yoke_error *err)
{
    r->options.stop = &cli_stopped;
    r->options.progress = show_progress;
    yoke_status status = run(r, record, err);
    progress_end();
    return status == YOKE_OK ? print(record, json, err) : status;
}

/* The record's file is opened first: that it cannot be written is better known before minutes of
 * measuring. */
static yoke_status bench(request *r, yoke_record *record, yoke_error *err)
{
    if (!r->json)
        return measure(r, record, NULL, err);
    output json;
    yoke_status status = output_open(&json, r->json, err);
    if (status != YOKE_OK)
        return status;
    status = measure(r, record, &json, err);
    if (status == YOKE_OK)
        return output_commit(&json, err);
    output_discard(&json);
    return status;
}

int verb_bench(int argc, char **argv)
{
    request r;
    bool help = false;
    int code = parse_request(argc, argv, &r, &help);
    if (code != EXIT_DONE || help)
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
