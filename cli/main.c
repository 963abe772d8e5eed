/* yoke: the verbs, and what is said when none fits. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "help.h"

static int unknown_verb(const char *name)
{
    yoke_error err = {0};
    yoke_error_set(&err, YOKE_ERR_USAGE, "unknown %s '%s' (see 'yoke help')",
                   name[0] == '-' ? "option" : "verb", name);
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

static int print_version(void)
{
    printf("yoke %s (library %s)\n", YOKE_VERSION, yoke_version());
    return EXIT_DONE;
}

static int too_many(const char *word, const char *extra)
{
    yoke_error err = {0};
    yoke_error_set(&err, YOKE_ERR_USAGE, "%s: does not take '%s' too (see 'yoke help')", word,
                   extra);
    return cli_fail(&err);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        help_program(stderr);
        return EXIT_BAD;
    }
    const char *word = argv[1];
    const verb *v = verb_find(word);
    if (v)
        return v->run(argc - 1, argv + 1);
    const bool helps = strcmp(word, "help") == 0;
    const bool asks = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    if (!helps && !asks && strcmp(word, "--version") != 0)
        return unknown_verb(word);
    const int most = helps ? 3 : 2;
    if (argc > most)
        return too_many(word, argv[most]);
    return helps || asks ? help(argv[2]) : print_version();
}

/* A file that is opened must not become standard output because that was closed: the place is held
 * by what cannot be written to, so that writing still fails. */
static void hold_standard_files(void)
{
    int file;
    do
        file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file > STDERR_FILENO)
        close(file);
}

int main(int argc, char **argv)
{
    hold_standard_files();
    int code = dispatch(argc, argv);
    /* A full disk shows only now. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "yoke: standard output: cannot write: %s\n", strerror(errno));
        return code == EXIT_DONE ? EXIT_BAD : code;
    }
    return code;
}
