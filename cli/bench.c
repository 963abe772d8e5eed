/* yoke bench: what the engines can really do, as tables and as a record. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_tables.h"
#include "cli.h"
#include "number.h"
#include "output.h"
#include "yoke/bench.h"

static const char help_text[] =
    "usage: yoke bench [FILE [--tensor NAME] | --shape NxK] [OPTION]...\n"
    "\n"
    "Measures what each engine can really do with a weight: the rate it reads it at, its "
    "arithmetic,\n"
    "the cost of a call and of waking up.\n"
    "\n"
    "  --shape NxK       a random weight of N outputs and K inputs [128256x4096]\n"
    "  --tensor NAME     the weight in FILE [the largest that can be read]\n"
    "  --format F        format of the weight: f32 f16 bf16 q8_0 q4_0 [f16, or that of the file]\n"
    "  --engine SPEC     an engine, as NAME[:DEVICE][,key=value]...; may be repeated [cpu]\n"
    "  --suite LIST      of read,compute,dispatch,wake [all]\n"
    "  --precision P     how exactly x is used: full, bf16, int8 [full]\n"
    "  --json FILE       write the record, with every sample\n"
    "  --quick           a sixth of the time, and less to rely on\n"
    "  --seed S          of the random values [1]\n" CLI_COMMON_HELP "\n"
    "Exit status: 0 done, 1 a row failed or the run was stopped (no record is then written),\n"
    "2 bad input or usage.\n";

#define MAX_ENGINES   32
#define QUICK_SECONDS 15

typedef struct request {
    const char *path, *tensor; /* of the weight, or NULL for a random one */
    size_t n, k;
    bool has_shape;
    yoke_format format;
    const char *engines[MAX_ENGINES];
    size_t engine_count;
    yoke_bench_options options;
    const char *json;
    uint64_t seed;
    const char *plugins;
} request;

static bool parse_shape(const char *text, request *r)
{
    char first[24];
    const char *times = strpbrk(text, "xX");
    if (!times || (size_t)(times - text) >= sizeof first)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(times - text), text);
    r->has_shape = true;
    return cli_parse_size(first, 1, SIZE_MAX, &r->n) &&
           cli_parse_size(times + 1, 1, SIZE_MAX, &r->k);
}

/* Adds the suite named by the first `length` characters. */
static bool add_suite(const char *name, size_t length, unsigned *suites)
{
    for (unsigned bit = 1; bit <= YOKE_BENCH_WAKE; bit <<= 1) {
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

static bool parse_precision(const char *text, yoke_precision *precision)
{
    static const char *const names[] = {"full", "bf16", "int8"};
    static const yoke_precision values[] = {YOKE_PRECISION_FULL, YOKE_PRECISION_BF16_X,
                                            YOKE_PRECISION_INT8_X};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            *precision = values[i];
            return true;
        }
    return false;
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
    r->format = yoke_format_find(optarg);
    if (r->format == YOKE_FORMAT_NONE || !yoke_format_get(r->format)->writable)
        return cli_usage("bench", "--format %s is not a format that can be made", optarg);
    return EXIT_DONE;
}

static int add_engine(request *r)
{
    if (r->engine_count == MAX_ENGINES)
        return cli_usage("bench", "more than %d engines", MAX_ENGINES);
    r->engines[r->engine_count++] = optarg;
    return EXIT_DONE;
}

static int parse_option(request *r, int option, char **argv)
{
    switch (option) {
    case OPTION_SHAPE:
        return parse_shape(optarg, r) ? EXIT_DONE
                                      : cli_usage("bench", "--shape %s is not NxK", optarg);
    case OPTION_TENSOR: r->tensor = optarg; return EXIT_DONE;
    case OPTION_FORMAT: return parse_format(r);
    case OPTION_ENGINE: return add_engine(r);
    case OPTION_SUITE:
        return parse_suites(optarg, &r->options.suites)
                   ? EXIT_DONE
                   : cli_usage("bench", "--suite %s is not of read,compute,dispatch,wake", optarg);
    case OPTION_PRECISION:
        return parse_precision(optarg, &r->options.precision)
                   ? EXIT_DONE
                   : cli_usage("bench", "--precision %s is none of full, bf16, int8", optarg);
    case OPTION_JSON: r->json = optarg; return EXIT_DONE;
    case OPTION_QUICK: r->options.seconds = QUICK_SECONDS; return EXIT_DONE;
    case OPTION_SEED:
        return cli_parse_u64(optarg, &r->seed)
                   ? EXIT_DONE
                   : cli_usage("bench", "--seed %s is not a number", optarg);
    case CLI_OPTION_PLUGINS: r->plugins = optarg; return EXIT_DONE;
    default: return cli_bad_option("bench", option, argv);
    }
}

/* *help is set when the help was asked for, and printed. */
static int parse_request(int argc, char **argv, request *r, bool *help)
{
    *r = (request){.n = 128256, .k = 4096, .seed = 1};
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
    r->path = argv[optind];
    if (r->path && r->has_shape)
        return cli_usage("bench", "--shape is for a random weight, not for a file");
    if (r->tensor && !r->path)
        return cli_usage("bench", "--tensor needs a file");
    if (r->engine_count == 0)
        r->engines[r->engine_count++] = "cpu";
    return EXIT_DONE;
}

/* One line that is written over; nothing when nobody looks. */
static void show_progress(void *arg, const char *what)
{
    const bool *terminal = arg;
    if (*terminal)
        fprintf(stderr, "\r\033[K%s", what);
}

static void end_progress(bool terminal)
{
    if (terminal)
        fputs("\r\033[K", stderr);
}

/* A weight and its packed form that memory cannot hold would be ended by the system, without a
 * word. */
static yoke_status refuse_too_large(const request *r, const yoke_host *host, yoke_error *err)
{
    size_t bytes;
    yoke_format format = r->format == YOKE_FORMAT_NONE ? YOKE_F16 : r->format;
    yoke_status status = yoke_format_bytes(format, r->n, r->k, &bytes, err);
    if (status != YOKE_OK || !host || host->memory_bytes == 0 || bytes <= host->memory_bytes / 2)
        return status;
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                          "bench: a weight of %s and its packed form do not fit %s of memory",
                          number_bytes(bytes).text, number_bytes(host->memory_bytes).text);
}

static yoke_status make_artefact(const request *r, const yoke_host *host, yoke_artefact **artefact,
                                 yoke_error *err)
{
    yoke_artefact_options options = {
        .format = r->format, .threads = host ? host->usable_threads : 1, .stop = &cli_stopped};
    if (r->path)
        return yoke_artefact_open(r->path, r->tensor, &options, artefact, err);
    yoke_status status = refuse_too_large(r, host, err);
    if (status == YOKE_OK)
        status = yoke_artefact_random(r->n, r->k, r->seed, &options, artefact, err);
    return status;
}

/* Opening each engine first lets a bad specification end the run before anything takes long. */
static yoke_status try_engines(yoke_context *context, const request *r, yoke_error *err)
{
    for (size_t i = 0; i < r->engine_count; i++) {
        yoke_engine *engine;
        yoke_status status = yoke_engine_open(context, r->engines[i], &engine, err);
        if (status != YOKE_OK)
            return status;
        yoke_engine_free(engine);
    }
    return YOKE_OK;
}

static yoke_status run(const request *r, yoke_record *record, yoke_error *err)
{
    yoke_context_options context_options = {.plugin_dir = r->plugins};
    yoke_context *context = NULL;
    yoke_artefact *artefact = NULL;
    yoke_status status = yoke_context_create(&context_options, &context, err);
    if (status == YOKE_OK)
        status = try_engines(context, r, err);
    if (status == YOKE_OK) {
        r->options.progress(r->options.progress_arg, "making the weight");
        status = make_artefact(r, record->host, &artefact, err);
    }
    if (status == YOKE_OK)
        status = yoke_bench_run(context, r->engines, r->engine_count, artefact, &r->options, record,
                                err);
    yoke_artefact_free(artefact);
    yoke_context_free(context);
    return status;
}

static yoke_status write_json(const char *path, const yoke_record *record, yoke_error *err)
{
    char *text;
    yoke_status status = yoke_record_json(record, &text, err);
    if (status != YOKE_OK)
        return status;
    output out;
    status = output_open(&out, path, err);
    if (status == YOKE_OK) {
        fprintf(out.stream, "%s\n", text); /* output_commit notices what was not written */
        status = output_commit(&out, err);
    }
    free(text);
    return status;
}

static yoke_status bench(request *r, yoke_record *record, yoke_error *err)
{
    bool terminal = isatty(STDERR_FILENO) == 1;
    r->options.stop = &cli_stopped;
    r->options.progress = show_progress;
    r->options.progress_arg = &terminal;
    yoke_status status = run(r, record, err);
    end_progress(terminal);
    if (status != YOKE_OK)
        return status;
    bench_print(record);
    return r->json ? write_json(r->json, record, err) : YOKE_OK;
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
