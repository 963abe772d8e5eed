/* yoke: the verbs, and what is said when none fits. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "help.h"

static int unknown_verb(const char *name)
{
    yoke_error err = {0};
    yoke_error_set(&err, YOKE_ERR_USAGE, "unknown verb '%s' (see 'yoke help')", name);
    return cli_fail(&err);
}

static int help(const char *name)
{
    const verb *v = name ? verb_find(name) : NULL;
    if (name && !v)
        return unknown_verb(name);
    if (v)
        help_verb(v);
    else
        help_program(stdout);
    return EXIT_DONE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        help_program(stderr);
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
    const verb *v = verb_find(word);
    return v ? v->run(argc - 1, argv + 1) : unknown_verb(word);
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
