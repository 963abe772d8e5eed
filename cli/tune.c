/* yoke tune: measures the engines alone and side by side, and keeps what a split is decided by. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "cli.h"
#include "options.h"
#include "progress.h"
#include "stay.h"
#include "tune_print.h"
#include "turn.h"
#include "weight.h"

#define THOROUGH_SECONDS 300
#define MAX_ROWS         YOKE_CURVE_MAX_M

typedef struct request {
    weight_request weight;
    choice engines;
    size_t m[MAX_ROWS];
    yoke_tune_options options;
    const char *profile;
    const char *plugins;
    turn turn; /* at the profile */
} request;

enum {
    SHAPE,
    TENSOR,
    FORMAT,
    ENGINE,
    ROWS,
    X_FORMAT,
    PRECISION,
    SECONDS,
    THOROUGH,
    PROFILE,
    SEED,
    PLUGINS
};

static const verb_option option_table[] = {
    VERB_GROUP("The weight"),
    OPTION_RANDOM_SHAPE(SHAPE),
    OPTION_LARGEST_TENSOR(TENSOR),
    {"format", FORMAT, "F", VALUE_ONE_OF, OPTIONS_FORMATS,
     "its format: " OPTIONS_FORMATS " [f16, or that of the file]"},
    OPTION_SEED(SEED),
    VERB_GROUP("What is measured"),
    {"engine", ENGINE, "SPEC", VALUE_ENGINE, NULL,
     "an engine, as NAME[:DEVICE][,key=value]...; may be repeated [all that are ready, but ref, "
     "and the core sets cpu:0 and so on, which cpu covers]"},
    {"m", ROWS, "LIST", VALUE_TEXT, NULL,
     "rows of x, rising [1,8,64,512, as far as the time allows]"},
    OPTION_X_FORMAT(X_FORMAT),
    OPTION_PRECISION(PRECISION),
    {"seconds", SECONDS, "S", VALUE_TEXT, NULL,
     "for all of it, about; an M that takes too long is left out [50]"},
    {"thorough", THOROUGH, NULL, VALUE_TEXT, NULL, "--seconds 300"},
    OPTION_PLUGINS(PLUGINS),
    VERB_GROUP("What comes out"),
    {"profile", PROFILE, "PATH", VALUE_FILE, NULL,
     "the profile to add to [that of this machine in the user's cache folder]"},
    VERB_END};

/* "1,8,64" */
static bool parse_rows(const char *list, request *r)
{
    char copy[256];
    if (strlen(list) >= sizeof copy)
        return false;
    strcpy(copy, list);
    r->options.m_count = 0;
    for (char *rest = copy; rest; r->options.m_count++) {
        char *part = strsep(&rest, ",");
        size_t *m = &r->m[r->options.m_count];
        if (r->options.m_count == MAX_ROWS || !cli_parse_size(part, 1, SIZE_MAX, m))
            return false;
        if (r->options.m_count > 0 && m[0] <= m[-1])
            return false;
    }
    r->options.m = r->m;
    return true;
}

static bool parse_seconds(const char *text, double *seconds)
{
    size_t whole;
    bool ok = cli_parse_size(text, 1, 86400, &whole);
    *seconds = ok ? (double)whole : 0;
    return ok;
}

/* One option into the request; false when its value is not understood. */
static bool take(void *what, int key, const char *value)
{
    request *r = what;
    switch (key) {
    case SHAPE: return weight_parse_shape(value, &r->weight);
    case TENSOR: r->weight.tensor = value; return true;
    case FORMAT: r->weight.format = yoke_format_find(value); return true;
    case ENGINE: return r->engines.count < YOKE_SPLIT_MAX_ENGINES && choice_add(&r->engines, value);
    case ROWS: return parse_rows(value, r);
    case X_FORMAT: r->options.x_format = yoke_format_find(value); return true;
    case PRECISION: return cli_parse_precision(value, &r->options.precision);
    case SECONDS: return parse_seconds(value, &r->options.seconds);
    case THOROUGH: r->options.seconds = THOROUGH_SECONDS; return true;
    case PROFILE: r->profile = value; return true;
    case SEED: return cli_parse_u64(value, &r->weight.seed);
    case PLUGINS: r->plugins = value; return true;
    default: return false;
    }
}

static void show_progress(void *arg, const char *what, double done)
{
    char line[400];
    (void)arg;
    snprintf(line, sizeof line, "%3.0f %%  %s", 100 * done, what);
    progress_show(line);
}

static yoke_status open_engines(tune_work *w, const choice *engines, yoke_error *err)
{
    size_t wanted = engines->count;
    if (wanted > YOKE_SPLIT_MAX_ENGINES)
        wanted = YOKE_SPLIT_MAX_ENGINES;
    for (; w->count < wanted; w->count++) {
        yoke_status status = yoke_engine_open(w->context, engines->specifications[w->count],
                                              &w->engines[w->count], err);
        if (status != YOKE_OK)
            return status;
        yoke_engine_heed(w->engines[w->count], &cli_stopped);
    }
    return YOKE_OK;
}

/* Two at once would lose what one of them measured, and disturb each other's measuring. */
static yoke_status take_turn(request *r, yoke_error *err)
{
    char path[PATH_MAX];
    yoke_status status = r->profile ? YOKE_OK : yoke_profile_default_path(path, sizeof path, err);
    return status == YOKE_OK ? turn_take(&r->turn, "tune", r->profile ? r->profile : path, err)
                             : status;
}

/* The profile there is; an empty one where there is none, or it is another machine's. */
static yoke_status open_profile(tune_work *w, const char *path, yoke_error *err)
{
    yoke_error why = {0};
    yoke_status status = yoke_profile_load(path, &w->profile, &why);
    if (status == YOKE_OK)
        return YOKE_OK;
    if (status != YOKE_ERR_NOT_FOUND && status != YOKE_ERR_UNSUPPORTED)
        return yoke_error_set(err, status, "%s", why.text);
    if (status == YOKE_ERR_UNSUPPORTED)
        fprintf(stderr, "yoke: tune: beginning anew: %s\n", why.text);
    return yoke_profile_create(&w->profile, err);
}

/* Everything that can be refused comes before the weight, which takes time to make. */
static yoke_status work_open(tune_work *w, request *r, yoke_error *err)
{
    yoke_context_options options = {.plugin_dir = r->plugins};
    w->host = calloc(1, sizeof *w->host);
    if (!w->host)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "tune: out of memory");
    yoke_status status = yoke_host_read(w->host, err);
    if (status == YOKE_OK)
        status = yoke_context_create(&options, &w->context, err);
    if (status == YOKE_OK && r->engines.count == 0)
        choice_add_ready(&r->engines, w->context);
    if (status == YOKE_OK)
        status = open_engines(w, &r->engines, err);
    if (status == YOKE_OK)
        status = take_turn(r, err);
    if (status == YOKE_OK)
        status = open_profile(w, r->profile, err);
    if (status != YOKE_OK)
        return status;
    progress_show("making the weight");
    return weight_make("tune", &r->weight, w->host, &w->artefact, err);
}

static void work_close(tune_work *w)
{
    yoke_profile_free(w->profile);
    yoke_artefact_free(w->artefact);
    for (size_t i = 0; i < w->count; i++)
        yoke_engine_free(w->engines[i]);
    yoke_context_free(w->context);
    free(w->host);
}

static yoke_status save(const tune_work *w, const request *r, yoke_error *err)
{
    char path[4096];
    yoke_status status = yoke_profile_save(w->profile, r->profile, err);
    if (status != YOKE_OK)
        return status;
    if (!r->profile)
        status = yoke_profile_default_path(path, sizeof path, err);
    if (status == YOKE_OK)
        printf("\nprofile  %s\n", r->profile ? r->profile : path);
    return status;
}

/* Also when an engine failed, or the run was stopped: what was measured is worth keeping. */
static yoke_status tune(tune_work *w, request *r, yoke_error *err)
{
    yoke_error failure = {0};
    r->options.progress = show_progress;
    r->options.stop = &cli_stopped;
    stay_on_its_cores(w->engines, w->count);
    yoke_status status = yoke_tune(w->engines, w->count, yoke_artefact_matrix(w->artefact),
                                   &r->options, w->profile, &failure);
    progress_end();
    tune_print(w, &r->options);
    yoke_status saved = save(w, r, err);
    return saved != YOKE_OK || status == YOKE_OK ? saved
                                                 : yoke_error_set(err, status, "%s", failure.text);
}

static int run(int argc, char **argv)
{
    request r = {.weight = {.n = 128256, .k = 4096, .seed = 1}, .turn = {.file = -1}};
    tune_work w = {0};
    yoke_error err = {0};
    int code = verb_parse(&tune_verb, argc, argv, take, &r);
    if (code == CLI_GO_ON && choice_twice(&r.engines))
        code = cli_usage(argv[0], "engine %s is given twice", choice_twice(&r.engines));
    if (code == CLI_GO_ON)
        code = weight_take_words(argc, argv, &r.weight);
    if (code != CLI_GO_ON)
        return code;
    cli_catch_signals();
    yoke_status status = work_open(&w, &r, &err);
    if (status == YOKE_OK)
        status = tune(&w, &r, &err);
    else
        progress_end();
    turn_end(&r.turn);
    work_close(&w);
    choice_free(&r.engines);
    return status == YOKE_OK ? EXIT_DONE : cli_fail(&err);
}

static const verb_word words[] = {{"FILE", VALUE_FILE, NULL, NULL}, {0}};

static const verb_example examples[] = {
    {"tune --shape 4096x4096 --format bf16 --engine cpu:0,caller=1 --engine opencl:0",
     "two engines, over weights up to that one"},
    {0}};

const verb tune_verb = {
    .name = "tune",
    .summary = "measure the engines on this machine, for products to be split by",
    .run = run,
    .usage = {"[FILE [--tensor NAME] | --shape NxK] [OPTION]..."},
    .description = "Measures each engine alone, over sizes and over M, and beside each other one. "
                   "The profile of this machine gets the curves and slowdowns, and products are "
                   "split by them. What is not measured again stays in the profile, which is "
                   "written whole or not at all. Another yoke tune with the same profile waits "
                   "until this one is done.",
    .words = words,
    .options = option_table,
    .examples = examples,
    .exit_status = "0 done, 1 an engine failed or the run was stopped (the profile then has what "
                   "was measured), 2 bad input or usage",
};
