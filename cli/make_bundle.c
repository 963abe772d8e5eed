/* yoke make-bundle: the published LM heads as Core ML bundles, of random weights. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/number.h"
#include "verb.h"
#include "weight.h"
#include "yoke/coreml.h"

static const struct {
    const char *name;
    yoke_format format;
} heads[] = {{"llama_lm_head", YOKE_F16}, {"llama_lm_head_lut6", YOKE_LUT6}};
#define HEAD_COUNT (sizeof heads / sizeof heads[0])

typedef struct request {
    const char *name, *folder;
    bool package, compiled; /* only that form */
    yoke_coreml_head head;
    weight_request size;
} request;

static yoke_status write_form(const request *what, const char *ending, yoke_error *err)
{
    uint64_t bytes = 0;
    size_t room = strlen(what->folder) + strlen(what->name) + strlen(ending) + 2;
    char *path = malloc(room);
    if (!path)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for a path");
    snprintf(path, room, "%s/%s%s", what->folder, what->name, ending);
    yoke_status status = yoke_coreml_head_bytes(&what->head, &bytes, err);
    if (status == YOKE_OK)
        status = yoke_coreml_write_head(&what->head, path, err);
    if (status == YOKE_OK)
        printf("%s: weights of %s bytes\n", path, number_count(bytes).text);
    free(path);
    return status;
}

static int make_bundle(const request *what)
{
    yoke_error err = {0};
    yoke_status status = YOKE_OK;
    cli_catch_signals();
    if (!what->compiled)
        status = write_form(what, ".mlpackage", &err);
    if (status == YOKE_OK && !what->package)
        status = write_form(what, ".mlmodelc", &err);
    return status == YOKE_OK ? EXIT_DONE : cli_fail(&err);
}

static bool set_format(request *what)
{
    for (size_t i = 0; i < HEAD_COUNT; i++)
        if (strcmp(heads[i].name, what->name) == 0) {
            what->head.format = heads[i].format;
            return true;
        }
    return false;
}

enum { PACKAGE, COMPILED, SHAPE, SEED };

static const verb_option option_table[] = {
    {"package", PACKAGE, NULL, VALUE_TEXT, NULL, "only the .mlpackage, which a Mac compiles"},
    {"compiled", COMPILED, NULL, VALUE_TEXT, NULL, "only the .mlmodelc"},
    {"shape", SHAPE, "NxK", VALUE_TEXT, NULL,
     "of another size: N outputs by K inputs [128256x4096]"},
    {"seed", SEED, "S", VALUE_TEXT, NULL, "other weights [0]"},
    VERB_END};

static bool take(void *what, int key, const char *value)
{
    request *r = what;
    switch (key) {
    case PACKAGE: r->package = true; return true;
    case COMPILED: r->compiled = true; return true;
    case SHAPE: return weight_parse_shape(value, &r->size);
    case SEED: return cli_parse_u64(value, &r->head.seed);
    default: return false;
    }
}

static int run(int argc, char **argv)
{
    request what = {.head = {.stop = &cli_stopped}, .size = {.n = 128256, .k = 4096}};
    int code = verb_parse(&make_bundle_verb, argc, argv, take, &what);
    if (code != CLI_GO_ON)
        return code;
    if (argc - optind != 2)
        return cli_usage(argv[0], "needs a NAME and a DIR");
    what.name = argv[optind];
    what.folder = argv[optind + 1];
    what.head.outputs = what.size.n;
    what.head.inputs = what.size.k;
    if (what.package && what.compiled)
        return cli_usage(argv[0],
                         "--package and --compiled are both forms; leave them out for both");
    if (!set_format(&what))
        return cli_usage(argv[0], "there is no bundle '%s'", what.name);
    return make_bundle(&what);
}

static const verb_word words[] = {{"NAME", VALUE_ONE_OF, "llama_lm_head llama_lm_head_lut6",
                                   "llama_lm_head: fp16; llama_lm_head_lut6: 6-bit indices, a "
                                   "palette for every 8 outputs"},
                                  {"DIR", VALUE_FOLDER, NULL, "the folder to write into"},
                                  {0}};

static const verb_example examples[] = {
    {"make-bundle llama_lm_head_lut6 . --package", "the one that a Mac compiles"}, {0}};

const verb make_bundle_verb = {
    .name = "make-bundle",
    .summary = "write a published LM head as a Core ML bundle, of random weights",
    .run = run,
    .usage = {"NAME DIR [OPTION]..."},
    .description = "Writes the bundles DIR/NAME.mlpackage and DIR/NAME.mlmodelc, with the "
                   "structure and size of the published ones (8 convolutions over one input, "
                   "128256 by 4096) and random weights.",
    .words = words,
    .options = option_table,
    .examples = examples,
    .exit_status = "0 done, 1 the run was stopped, 2 bad input or usage",
};
