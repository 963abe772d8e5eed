/* yoke make-bundle: the published LM heads as Core ML bundles, of random weights. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "number.h"
#include "weight.h"
#include "yoke/coreml.h"

static const char help_text[] =
    "usage: yoke make-bundle NAME DIR [OPTION]...\n"
    "\n"
    "Writes the bundles DIR/NAME.mlpackage and DIR/NAME.mlmodelc, with the structure and size of\n"
    "the published ones (8 convolutions over one input, 128256 by 4096) and random weights.\n"
    "\n"
    "  llama_lm_head        fp16\n"
    "  llama_lm_head_lut6   6-bit indices, a palette for every 8 outputs\n"
    "\n"
    "  --package            only the .mlpackage, which a Mac compiles\n"
    "  --compiled           only the .mlmodelc\n"
    "  --shape NxK          of another size: N outputs by K inputs\n"
    "  --seed N             other weights (default 0)\n"
    "  --help               print this\n";

static const struct {
    const char *name;
    yoke_format format;
} heads[] = {{"llama_lm_head", YOKE_F16}, {"llama_lm_head_lut6", YOKE_LUT6}};
#define HEAD_COUNT (sizeof heads / sizeof heads[0])

typedef struct request {
    const char *name, *folder;
    bool package, compiled; /* only that form */
    yoke_coreml_head head;
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

int verb_make_bundle(int argc, char **argv)
{
    enum { PACKAGE = CLI_OPTION_OWN, COMPILED, SHAPE, SEED };
    static const struct option options[] = {{"package", no_argument, NULL, PACKAGE},
                                            {"compiled", no_argument, NULL, COMPILED},
                                            {"shape", required_argument, NULL, SHAPE},
                                            {"seed", required_argument, NULL, SEED},
                                            CLI_HELP_OPTION,
                                            {0}};
    request what = {.head = {.stop = &cli_stopped}};
    weight_request size = {.n = 128256, .k = 4096};
    int option;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        switch (option) {
        case PACKAGE: what.package = true; break;
        case COMPILED: what.compiled = true; break;
        case SHAPE:
            if (!weight_parse_shape(optarg, &size))
                return cli_usage(argv[0], "--shape takes NxK, not '%s'", optarg);
            break;
        case SEED:
            if (!cli_parse_u64(optarg, &what.head.seed))
                return cli_usage(argv[0], "--seed takes a number, not '%s'", optarg);
            break;
        case CLI_OPTION_HELP: fputs(help_text, stdout); return EXIT_DONE;
        default: return cli_bad_option(argv[0], option, argv);
        }
    }
    if (argc - optind != 2)
        return cli_usage(argv[0], "needs a NAME and a DIR");
    what.name = argv[optind];
    what.folder = argv[optind + 1];
    what.head.outputs = size.n;
    what.head.inputs = size.k;
    if (what.package && what.compiled)
        return cli_usage(argv[0],
                         "--package and --compiled are both forms; leave them out for both");
    if (!set_format(&what))
        return cli_usage(argv[0], "there is no bundle '%s'", what.name);
    return make_bundle(&what);
}
