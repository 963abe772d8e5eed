/* yoke: the verbs, and what is said when none fits. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const struct {
    const char *name;
    cli_verb *run;
    const char *summary;
} verbs[] = {
    {"engines", verb_engines, "what can multiply on this machine, or why it cannot"},
    {"inspect", verb_inspect, "what is in a weight file"},
    {"bench", verb_bench, "measure what the engines can really do"},
    {"chips", verb_chips, "what has been published of chips, and its audit"},
    {"make-bundle", verb_make_bundle,
     "write a published LM head as a Core ML bundle, of random weights"},
    {"matmul", verb_matmul, "run one product on each engine, or split, and check the result"},
    {"tune", verb_tune, "measure the engines on this machine, for products to be split by"},
};
#define VERB_COUNT (sizeof verbs / sizeof verbs[0])

static void print_usage(FILE *out)
{
    fputs("usage: yoke VERB [OPTION]...\n\n", out);
    for (size_t i = 0; i < VERB_COUNT; i++)
        fprintf(out, "  %-11s %s\n", verbs[i].name, verbs[i].summary);
    fputs("  help        this text; 'yoke help VERB' tells the options of a verb\n"
          "\n"
          "  --version   the version of the program and its library\n"
          "\n"
          "Exit status: 0 done, 1 a measurement failed or was stopped, 2 bad input or usage.\n",
          out);
}

static cli_verb *find_verb(const char *name)
{
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return verbs[i].run;
    return NULL;
}

static int unknown_verb(const char *name)
{
    yoke_error err = {0};
    yoke_error_set(&err, YOKE_ERR_USAGE, "unknown verb '%s' (see 'yoke help')", name);
    return cli_fail(&err);
}

static int help(const char *name)
{
    if (!name) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    cli_verb *verb = find_verb(name);
    if (!verb)
        return unknown_verb(name);
    char verb_name[16], option[] = "--help";
    snprintf(verb_name, sizeof verb_name, "%s", name);
    return verb(2, (char *[]){verb_name, option, NULL});
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_BAD;
    }
    const char *word = argv[1];
    if (strcmp(word, "help") == 0)
        return help(argv[2]);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(NULL);
    if (strcmp(word, "--version") == 0) {
        printf("yoke %s (library %s)\n", YOKE_VERSION, yoke_version());
        return EXIT_DONE;
    }
    cli_verb *verb = find_verb(word);
    return verb ? verb(argc - 1, argv + 1) : unknown_verb(word);
}

int main(int argc, char **argv)
{
    int code = dispatch(argc, argv);
    /* A full disk shows only now. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "yoke: standard output: cannot write: %s\n", strerror(errno));
        return code == EXIT_DONE ? EXIT_BAD : code;
    }
    return code;
}
