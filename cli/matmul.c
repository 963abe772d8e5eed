/* yoke matmul: one product on each engine, and split over all of them, timed in turns, each result
 * checked. */
#include "matmul.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json_out.h"
#include "options.h"
#include "stay.h"

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

static yoke_status report(const matmul *all, const char *path, output *json, yoke_error *err)
{
    yoke_status status = path ? json_out_commit(matmul_json(all), json, err) : YOKE_OK;
    return status == YOKE_OK && !json_out_alone(path) ? matmul_print(all, err) : status;
}

static void close_all(matmul *all)
{
    if (all->split)
        yoke_plan_free(all->split->plan); /* before its engines */
    for (size_t i = 0; i < all->count; i++)
        matmul_close(&all->entries[i]);
    yoke_profile_free(all->profile);
}

static yoke_status make_and_measure(const matmul_request *what, matmul *all, yoke_context **context,
                                    yoke_error *err)
{
    yoke_context_options options = {.plugin_dir = what->plugins};
    yoke_status status = what->split ? matmul_load_profile(all, what->profile, err) : YOKE_OK;
    if (status == YOKE_OK)
        status = matmul_product_make(what, &all->product, err);
    if (status == YOKE_OK)
        status = yoke_context_create(&options, context, err);
    return status == YOKE_OK ? measure(all, what, *context, err) : status;
}

/* What can be refused, as a file that cannot be written, comes before what takes long. */
static int multiply(const matmul_request *what, matmul *all)
{
    yoke_error err = {0};
    yoke_context *context = NULL;
    output json = {0};
    yoke_status status = what->json ? output_open(&json, what->json, &err) : YOKE_OK;
    if (status == YOKE_OK)
        status = make_and_measure(what, all, &context, &err);
    if (status == YOKE_OK)
        status = report(all, what->json, &json, &err);
    else
        output_discard(&json);
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
    SHAPE,
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
    SEED,
    PLUGINS
};

static const verb_option option_table[] = {
    VERB_GROUP("The product"),
    {"shape", SHAPE, "MxNxK", VALUE_TEXT, NULL,
     "a random weight of that shape; NxK with --m [1x4096x4096]"},
    {"tensor", TENSOR, "NAME", VALUE_TEXT, NULL,
     "the weight in FILE; not needed when there is only one"},
    {"m", ROWS, "M", VALUE_TEXT, NULL, "rows of x [1]"},
    {"format", FORMAT, "F", VALUE_ONE_OF, OPTIONS_FORMATS,
     "format of the weight: " OPTIONS_FORMATS " [f16, or that of the file]"},
    OPTION_X_FORMAT(X_FORMAT),
    OPTION_PRECISION(PRECISION),
    OPTION_SEED(SEED),
    VERB_GROUP("Who computes it"),
    {"engine", ENGINE, "SPEC", VALUE_ENGINE, NULL,
     "an engine, as NAME[:DEVICE][,key=value]...; may be repeated [all]"},
    {"engines", ENGINES, "LIST", VALUE_ENGINES, NULL,
     "split over these, as cpu:0,caller=1,opencl:0 (key=value belongs to the engine before it)"},
    {"split", SPLIT, "AXIS", VALUE_ONE_OF, "n m auto",
     "along n (outputs), m (rows of x) or auto, the better one [auto]"},
    {"profile", PROFILE, "PATH", VALUE_FILE, NULL,
     "split by this profile [that of yoke tune, if any; else by a brief look]"},
    OPTION_PLUGINS(PLUGINS),
    VERB_GROUP("What comes out"),
    {"check", CHECK, NULL, VALUE_TEXT, NULL,
     "check the result of every run, not of the first alone"},
    OPTION_JSON(JSON, "the times and figures"),
    VERB_END};

/* One option into the request; false when its value is not understood. */
static bool take(void *request, int key, const char *value)
{
    matmul_request *what = request;
    switch (key) {
    case SHAPE: return parse_shape(value, what);
    case TENSOR: what->tensor = value; return true;
    case ROWS: return cli_parse_size(value, 1, SIZE_MAX, &what->m);
    case FORMAT: what->format = yoke_format_find(value); return true;
    case X_FORMAT: what->x_format = yoke_format_find(value); return true;
    case PRECISION: return cli_parse_precision(value, &what->precision);
    case ENGINE: return choice_add(&what->engines, value);
    case ENGINES: what->split = true; return choice_list(&what->engines, value);
    case SPLIT: return parse_axis(value, what);
    case PROFILE: what->profile = value; return true;
    case CHECK: what->check_all = true; return true;
    case JSON: what->json = value; return true;
    case SEED: return cli_parse_u64(value, &what->seed);
    case PLUGINS: what->plugins = value; return true;
    default: return false;
    }
}

/* What does not go together. */
static int refuse_contradictions(const char *name, const matmul_request *what)
{
    if (what->path && what->has_shape)
        return cli_usage(name, "takes FILE or --shape, not both");
    if (what->tensor && !what->path)
        return cli_usage(name, "--tensor needs a FILE");
    if (what->split && what->engines.count < 2)
        return cli_usage(name, "a split needs two engines: --engines A,B");
    if (what->split && what->engines.count > YOKE_SPLIT_MAX_ENGINES)
        return cli_usage(name, "a split takes %d engines at most", YOKE_SPLIT_MAX_ENGINES);
    if (choice_twice(&what->engines))
        return cli_usage(name, "engine %s is given twice", choice_twice(&what->engines));
    if (what->profile && !what->split)
        return cli_usage(name, "--profile is for a split: name --engines A,B");
    return CLI_GO_ON;
}

static int parse_request(int argc, char **argv, matmul_request *what)
{
    int code = verb_parse(&matmul_verb, argc, argv, take, what);
    if (code != CLI_GO_ON)
        return code;
    if (optind < argc)
        what->path = argv[optind++];
    if (optind < argc)
        return cli_usage(argv[0], "takes one FILE, not '%s' too", argv[optind]);
    return refuse_contradictions(argv[0], what);
}

static int run(int argc, char **argv)
{
    matmul_request what = {.m = 1, .n = 4096, .k = 4096, .x_format = YOKE_F32, .seed = 1};
    int code = parse_request(argc, argv, &what);
    if (code == CLI_GO_ON) {
        cli_catch_signals();
        matmul *all = calloc(1, sizeof *all); /* some 40 KiB */
        yoke_error err = {.status = YOKE_ERR_MEMORY};
        code = all ? multiply(&what, all) : cli_fail(&err);
        free(all);
    }
    choice_free(&what.engines);
    return code;
}

static const verb_word words[] = {{"FILE", VALUE_FILE, NULL, NULL}, {0}};

static const verb_example examples[] = {
    {"matmul --shape 1x4096x4096", "one product on each engine"},
    {"matmul --shape 64x4096x4096 --engines cpu:0,caller=1,opencl:0",
     "each of two engines, and both of them together"},
    {"matmul model.gguf --tensor output.weight --m 8 --engine cpu --json -",
     "a weight from a file; JSON alone is printed"},
    {0}};

const verb matmul_verb = {
    .name = "matmul",
    .summary = "run one product on each engine, or split, and check the result",
    .run = run,
    .usage = {"[FILE [--tensor NAME] | --shape MxNxK] [OPTION]..."},
    .description = "Computes y = x * w^T (y is M x N, x is M x K, w is N x K) on each engine, with "
                   "w from a file or random, and x random; times the engines in turns and checks "
                   "each result. With --engines, also split over all of them together.",
    .words = words,
    .options = option_table,
    .examples = examples,
    .exit_status = "0 done, 1 an engine failed, a result was wrong or the run was stopped, 2 bad "
                   "input or usage",
};
