/* yoke plan: what a model would take on the engines of a chip, alone, by phases, or split. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "choice.h"
#include "cli.h"
#include "json_out.h"
#include "options.h"
#include "plan.h"
#include "verb.h"

#define MOST_TOKENS 100000000 /* beyond any context; keeps sizes far from overflow */

typedef struct request {
    const char *model, *chip, *profile, *json, *data, *facts;
    bool here;
    yoke_format format;
    choice engines; /* none: all */
    yoke_planner_request sizes;
} request;

const char *plan_left_out(const planned *p, size_t index)
{
    bool cache = p->request.context > 0 && yoke_planner_model_about(p->model)->kv_width > 0;
    const char *const sentences[] = {
        "Not counted: scores and values of attention in the prompt, norms, activations, sampling.",
        cache ? "Counted for each token of the answer: its cache, read in f16, on one engine."
              : "Not counted: reading the cache of keys and values (--context N counts it).",
        p->machine.profile
            ? "Products of another K or format than the curves' are scaled: assumed."
            : "Each product is a call of its own; joining two engines takes 3 us: assumed."};
    return index < sizeof sentences / sizeof sentences[0] ? sentences[index] : NULL;
}

/* ---- Options ---- */

enum { CHIP, HERE, PROMPT, CONTEXT, FORMAT, ENGINES, JSON, PROFILE, DATA, FACTS };

static const verb_option option_table[] = {
    {"chip", CHIP, "NAME", VALUE_TEXT, NULL, "a chip of the table, as \"M4 Max\""},
    {"here", HERE, NULL, VALUE_TEXT, NULL, "this machine, by the profile of yoke tune"},
    {"prompt", PROMPT, "N", VALUE_TEXT, NULL, "tokens of the prompt [512]"},
    {"context", CONTEXT, "N", VALUE_TEXT, NULL,
     "positions that attention reads for each token of the answer [0: not counted]"},
    {"format", FORMAT, "F", VALUE_TEXT, NULL,
     "all matrices as f16, q8_0, q4_0, q4_k, ... [f16, or as the file has them]"},
    {"engines", ENGINES, "LIST", VALUE_ENGINES, NULL, "only these, as gpu,ane [all]"},
    OPTION_JSON(JSON, "the prediction"),
    {"profile", PROFILE, "PATH", VALUE_FILE, NULL,
     "of --here [that of this machine in the user's cache folder]"},
    {"data", DATA, "FILE", VALUE_FILE, NULL,
     "of --chip: measurements from a CSV file instead of the built-in ones"},
    {"facts", FACTS, "FILE", VALUE_FILE, NULL, "facts of chips, the same"},
    VERB_END};

static bool parse_format(const char *text, yoke_format *format)
{
    *format = yoke_format_find(text);
    return *format != YOKE_FORMAT_NONE && yoke_format_get(*format)->readable;
}

static bool take(void *what, int key, const char *value)
{
    request *r = what;
    switch (key) {
    case CHIP: r->chip = value; return true;
    case HERE: r->here = true; return true;
    case PROMPT: return cli_parse_size(value, 1, MOST_TOKENS, &r->sizes.prompt);
    case CONTEXT: return cli_parse_size(value, 0, MOST_TOKENS, &r->sizes.context);
    case FORMAT: return parse_format(value, &r->format);
    case ENGINES: return choice_list(&r->engines, value);
    case JSON: r->json = value; return true;
    case PROFILE: r->profile = value; return true;
    case DATA: r->data = value; return true;
    case FACTS: r->facts = value; return true;
    default: return false;
    }
}

static int take_words(int argc, char **argv, request *r)
{
    if (optind == argc)
        return cli_usage(argv[0], "which MODEL?");
    r->model = argv[optind++];
    if (optind < argc)
        return cli_usage(argv[0], "takes one MODEL, not '%s' too", argv[optind]);
    if (r->here == (r->chip != NULL))
        return cli_usage(argv[0], "needs either --chip NAME or --here");
    if (r->here && (r->data || r->facts))
        return cli_usage(argv[0], "--data and --facts go with --chip");
    if (r->profile && !r->here)
        return cli_usage(argv[0], "--profile goes with --here");
    return CLI_GO_ON;
}

/* ---- The work ---- */

/* Which tune would serve: that of the file, or of the product that reads most. */
static yoke_status no_profile(const request *r, const yoke_planner_model *model,
                              const yoke_error *why, yoke_error *err)
{
    bool preset = false;
    for (size_t i = 0; yoke_planner_preset(i); i++)
        preset = preset || strcmp(yoke_planner_preset(i), r->model) == 0;
    if (!preset)
        return yoke_error_set(err, why->status, "%s: run 'yoke tune %s' first", why->text,
                              r->model);
    const yoke_planner_product *p, *largest = yoke_planner_model_product(model, 0);
    for (size_t i = 1; (p = yoke_planner_model_product(model, i)); i++)
        if (!p->last_row && p->n * p->k > largest->n * largest->k)
            largest = p;
    const yoke_format_info *info = yoke_format_get(largest->format);
    return yoke_error_set(err, why->status, "%s: run 'yoke tune --shape %zux%zu --format %s' first",
                          why->text, largest->n, largest->k, info->writable ? info->name : "q4_0");
}

static yoke_status find_machine(const request *r, const yoke_planner_model *model,
                                yoke_profile **profile, yoke_planner_machine *machine,
                                yoke_error *err)
{
    yoke_chips *chips = NULL;
    yoke_error why = {0};
    yoke_status status;
    if (r->here) {
        status = yoke_profile_load(r->profile, profile, &why);
        if (status == YOKE_OK)
            status = yoke_planner_machine_of_profile(*profile, machine, &why);
        return status == YOKE_OK ? status : no_profile(r, model, &why, err);
    }
    status = yoke_chips_open(r->data, r->facts, &chips, err);
    if (status == YOKE_OK)
        status = yoke_planner_machine_of_chip(chips, r->chip, machine, err);
    yoke_chips_free(chips);
    return status;
}

static yoke_status report(const planned *p, const char *json, yoke_error *err)
{
    yoke_status status = json ? plan_write_json(p, json, err) : YOKE_OK;
    return status == YOKE_OK && !json_out_alone(json) ? plan_print(p, err) : status;
}

static int make_plan(const request *r)
{
    yoke_error err = {0};
    planned p = {.request = r->sizes};
    yoke_planner_model *model = NULL;
    yoke_profile *profile = NULL;
    yoke_status status = yoke_planner_model_open(r->model, r->format, &model, &err);
    p.model = model;
    if (status == YOKE_OK)
        status = find_machine(r, model, &profile, &p.machine, &err);
    if (status == YOKE_OK && r->engines.count > 0)
        status = yoke_planner_machine_keep(&p.machine, r->engines.specifications, r->engines.count,
                                           &err);
    if (status == YOKE_OK)
        status = yoke_planner_predict(model, &p.machine, &p.request, &p.prediction, &err);
    if (status == YOKE_OK)
        status = report(&p, r->json, &err);
    yoke_planner_model_free(model);
    yoke_profile_free(profile);
    return status == YOKE_OK ? EXIT_DONE : cli_fail(&err);
}

static int run(int argc, char **argv)
{
    request what = {0};
    int code = verb_parse(&plan_verb, argc, argv, take, &what);
    if (code == CLI_GO_ON)
        code = take_words(argc, argv, &what);
    if (code == CLI_GO_ON)
        code = make_plan(&what);
    choice_free(&what.engines);
    return code;
}

static const verb_word words[] = {{"MODEL", VALUE_FILE, NULL, NULL}, {0}};

static const verb_example examples[] = {
    {"plan llama-3.1-8b --chip \"M4 Max\" --format q4_0", "on a chip that one may not own"},
    {"plan model.gguf --here --prompt 2048 --context 2048", "on this machine"},
    {0}};

const verb plan_verb = {
    .name = "plan",
    .summary = "what a model would take on the engines of a chip",
    .run = run,
    .usage = {"MODEL (--chip NAME | --here) [OPTION]..."},
    .description =
        "Counts the bytes and operations of every weight product of a model, and predicts a prompt "
        "and a token of the answer on each engine alone, on one engine after the other, and split. "
        "Every figure says whether it was measured, published or assumed; see docs/planning.md.\n\n"
        "MODEL is a GGUF file, a folder of safetensors with its config.json, or one of "
        "llama-3.1-8b, llama-3.2-1b, gpt2-124m, qwen3-4b.",
    .words = words,
    .options = option_table,
    .examples = examples,
    .exit_status = VERB_PLAIN_STATUS};
