/* yoke matmul: one product on each engine, and split over all of them, timed in turns, each result
 * checked. */
#include "matmul.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "stay.h"

static const char help_text[] =
    "usage: yoke matmul [FILE [--tensor NAME] | --shape MxNxK] [OPTION]...\n"
    "\n"
    "Computes y = x * w^T (y is M x N, x is M x K, w is N x K) on each engine, with w from a file "
    "or\n"
    "random, and x random; times the engines in turns and checks each result. With --engines, "
    "also\n"
    "split over all of them together.\n"
    "\n"
    "  --shape MxNxK     a random weight of that shape; NxK with --m [1x4096x4096]\n"
    "  --tensor NAME     the weight in FILE; not needed when there is only one\n"
    "  --m M             rows of x [1]\n"
    "  --format F        format of the weight: f32 f16 bf16 q8_0 q4_0 [f16, or that of the file]\n"
    "  --x-format F      format of x: f32 f16 bf16 [f32]\n"
    "  --precision P     how exactly x is used: full, bf16, int8 [full]\n"
    "  --engine SPEC     an engine, as NAME[:DEVICE][,key=value]...; may be repeated [all]\n"
    "  --engines LIST    split over these, as cpu:0,caller=1,opencl:0 (key=value belongs to the\n"
    "                    engine before it)\n"
    "  --split AXIS      along n (outputs), m (rows of x) or auto, the better one [auto]\n"
    "  --profile PATH    split by this profile [that of yoke tune, if any; else by a brief look]\n"
    "  --check           check the result of every run, not of the first alone\n"
    "  --json[=FILE]     JSON instead of tables, or into FILE beside them\n"
    "  --seed S          of the random values [1]\n" CLI_COMMON_HELP;

/* Says on stderr what failed; the worst exit code of all. */
static int report_failures(const matmul *all)
{
    int worst = EXIT_DONE;
    for (size_t i = 0; i < all->count; i++) {
        if (all->entries[i].failure.status == YOKE_OK)
            continue;
        int code = cli_fail(&all->entries[i].failure);
        if (code > worst)
            worst = code;
    }
    return worst;
}

/* The engines asked for, else all that are ready. */
static void choose_engines(const matmul_request *what, const yoke_context *context, matmul *all)
{
    for (size_t i = 0; i < what->engines.count; i++)
        all->entries[all->count++].name = what->engines.specifications[i];
    if (all->count > 0)
        return;
    const yoke_engine_info *info;
    for (size_t i = 0; all->count < CHOICE_MOST && (info = yoke_context_engine_info(context, i));
         i++)
        if (info->ready)
            all->entries[all->count++].name = info->name;
}

static void stay(const matmul *all)
{
    yoke_engine *engines[MATMUL_MAX_ENTRIES];
    for (size_t i = 0; i < all->count; i++)
        engines[i] = all->entries[i].engine;
    stay_on_its_cores(engines, all->count);
}

static yoke_status measure(matmul *all, const matmul_request *what, yoke_context *context,
                           yoke_error *err)
{
    choose_engines(what, context, all);
    for (size_t i = 0; i < all->count && !cli_stopped; i++) {
        all->entries[i].of = &all->product;
        matmul_open_engine(&all->entries[i], context);
    }
    stay(all);
    if (what->split && !cli_stopped)
        matmul_open_split(all, what);
    if (cli_stopped)
        return yoke_error_set(err, YOKE_ERR_INTERRUPTED, "stopped");
    return matmul_time(all, err);
}

static yoke_status report(const matmul *all, const matmul_request *what, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    if (!what->json || what->json_path)
        status = matmul_print(all, err);
    if (status == YOKE_OK && what->json)
        status = matmul_write_json(all, what->json_path, err);
    return status;
}

static void close_all(matmul *all)
{
    if (all->split)
        yoke_plan_free(all->split->plan); /* before its engines */
    for (size_t i = 0; i < all->count; i++)
        matmul_close(&all->entries[i]);
    yoke_profile_free(all->profile);
}

static int run(const matmul_request *what, matmul *all)
{
    yoke_error err = {0};
    yoke_context *context = NULL;
    yoke_context_options options = {.plugin_dir = what->plugins};
    yoke_status status = matmul_product_make(what, &all->product, &err);
    if (status == YOKE_OK)
        status = yoke_context_create(&options, &context, &err);
    if (status == YOKE_OK)
        status = measure(all, what, context, &err);
    if (status == YOKE_OK)
        status = report(all, what, &err);
    int code = status == YOKE_OK ? report_failures(all) : cli_fail(&err);
    close_all(all);
    yoke_context_free(context);
    matmul_product_free(&all->product);
    return code;
}

/* "MxNxK", or "NxK" which leaves m as it is. */
static bool parse_shape(const char *text, matmul_request *what)
{
    char copy[80];
    size_t sizes[3], count = 0;
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    for (char *rest = copy; rest; count++) {
        char *part = strsep(&rest, "x");
        if (count == 3 || !cli_parse_size(part, 1, SIZE_MAX, &sizes[count]))
            return false;
    }
    if (count < 2)
        return false;
    what->k = sizes[count - 1];
    what->n = sizes[count - 2];
    what->has_shape = true;
    if (count == 3)
        what->m = sizes[0];
    return true;
}

static bool parse_format(const char *text, bool plain_only, yoke_format *format)
{
    static const yoke_format known[] = {YOKE_F32, YOKE_F16, YOKE_BF16, YOKE_Q8_0, YOKE_Q4_0};
    *format = yoke_format_find(text);
    for (size_t i = 0; i < (plain_only ? 3u : 5u); i++)
        if (*format == known[i])
            return true;
    return false;
}

/* "n", "m", "auto" */
static bool parse_axis(const char *text, matmul_request *what)
{
    static const char *const names[] = {"auto", "n", "m"};
    static const yoke_axis axes[] = {YOKE_AXIS_AUTO, YOKE_AXIS_N, YOKE_AXIS_M};
    for (size_t i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            what->axis = axes[i];
            what->split = true;
            return true;
        }
    return false;
}

enum {
    SHAPE = CLI_OPTION_OWN,
    TENSOR,
    ROWS,
    FORMAT,
    X_FORMAT,
    PRECISION,
    ENGINE,
    ENGINES,
    SPLIT,
    PROFILE,
    CHECK,
    JSON,
    SEED
};

static const struct option long_options[] = {{"shape", required_argument, NULL, SHAPE},
                                             {"tensor", required_argument, NULL, TENSOR},
                                             {"m", required_argument, NULL, ROWS},
                                             {"format", required_argument, NULL, FORMAT},
                                             {"x-format", required_argument, NULL, X_FORMAT},
                                             {"precision", required_argument, NULL, PRECISION},
                                             {"engine", required_argument, NULL, ENGINE},
                                             {"engines", required_argument, NULL, ENGINES},
                                             {"split", required_argument, NULL, SPLIT},
                                             {"profile", required_argument, NULL, PROFILE},
                                             {"check", no_argument, NULL, CHECK},
                                             {"json", optional_argument, NULL, JSON},
                                             {"seed", required_argument, NULL, SEED},
                                             CLI_COMMON_OPTIONS,
                                             {0}};

/* One option into the request; false when its value is not understood. */
static bool take_option(int option, const char *value, matmul_request *what)
{
    switch (option) {
    case SHAPE: return parse_shape(value, what);
    case TENSOR: what->tensor = value; return true;
    case ROWS: return cli_parse_size(value, 1, SIZE_MAX, &what->m);
    case FORMAT: return parse_format(value, false, &what->format);
    case X_FORMAT: return parse_format(value, true, &what->x_format);
    case PRECISION: return cli_parse_precision(value, &what->precision);
    case ENGINE: return choice_add(&what->engines, value);
    case ENGINES: what->split = true; return choice_list(&what->engines, value);
    case SPLIT: return parse_axis(value, what);
    case PROFILE: what->profile = value; return true;
    case CHECK: what->check_all = true; return true;
    case JSON:
        what->json = true;
        what->json_path = value;
        return true;
    case SEED: return cli_parse_u64(value, &what->seed);
    default: what->plugins = value; return true; /* CLI_OPTION_PLUGINS */
    }
}

/* What does not go together. */
static int refuse_contradictions(const char *verb, const matmul_request *what)
{
    if (what->path && what->has_shape)
        return cli_usage(verb, "takes FILE or --shape, not both");
    if (what->tensor && !what->path)
        return cli_usage(verb, "--tensor needs a FILE");
    if (what->split && what->engines.count < 2)
        return cli_usage(verb, "a split needs two engines: --engines A,B");
    if (what->split && what->engines.count > YOKE_SPLIT_MAX_ENGINES)
        return cli_usage(verb, "a split takes %d engines at most", YOKE_SPLIT_MAX_ENGINES);
    if (what->profile && !what->split)
        return cli_usage(verb, "--profile is for a split: name --engines A,B");
    return EXIT_DONE;
}

/* *help is set when the help was asked for, and printed. */
static int parse_request(int argc, char **argv, matmul_request *what, bool *help)
{
    int option, index;
    while ((option = getopt_long(argc, argv, ":", long_options, &index)) != -1) {
        if (option == ':' || option == '?')
            return cli_bad_option(argv[0], option, argv);
        if (option == CLI_OPTION_HELP) {
            fputs(help_text, stdout);
            *help = true;
            return EXIT_DONE;
        }
        if (!take_option(option, optarg, what))
            return cli_usage(argv[0], "--%s does not understand '%s'", long_options[index].name,
                             optarg);
    }
    if (optind < argc)
        what->path = argv[optind++];
    if (optind < argc)
        return cli_usage(argv[0], "takes one FILE, not '%s' too", argv[optind]);
    return refuse_contradictions(argv[0], what);
}

int verb_matmul(int argc, char **argv)
{
    matmul_request what = {.m = 1, .n = 4096, .k = 4096, .x_format = YOKE_F32, .seed = 1};
    bool help = false;
    int code = parse_request(argc, argv, &what, &help);
    if (code == EXIT_DONE && !help) {
        cli_catch_signals();
        matmul *all = calloc(1, sizeof *all); /* some 40 KiB */
        yoke_error err = {.status = YOKE_ERR_MEMORY};
        code = all ? run(&what, all) : cli_fail(&err);
        free(all);
    }
    choice_free(&what.engines);
    return code;
}
