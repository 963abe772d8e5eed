/* yoke: the verbs, and what is said when none fits. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "help.h"

/* Verbs that have no table yet. */
static const struct {
    const char *name;
    cli_verb *run;
    const char *summary;
} plain_verbs[] = {{NULL, NULL, NULL}};

static void print_usage(FILE *out)
{
    help_program(out);
    for (size_t i = 0; plain_verbs[i].name; i++)
        fprintf(out, "  %-11s %s\n", plain_verbs[i].name, plain_verbs[i].summary);
}

static cli_verb *find_run(const char *name)
{
    const verb *v = verb_find(name);
    for (size_t i = 0; plain_verbs[i].name; i++)
        if (strcmp(plain_verbs[i].name, name) == 0)
            return plain_verbs[i].run;
    return v ? v->run : NULL;
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
    cli_verb *run = find_run(name);
    if (!run)
        return unknown_verb(name);
    char verb_name[16], option[] = "--help";
    snprintf(verb_name, sizeof verb_name, "%s", name);
    return run(2, (char *[]){verb_name, option, NULL});
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
    cli_verb *run = find_run(word);
    return run ? run(argc - 1, argv + 1) : unknown_verb(word);
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
