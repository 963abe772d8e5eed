#include "help.h"

#include <string.h>

#include "wrap.h"

#define COLUMN 20 /* where the text of options begins */

void help_program(FILE *out)
{
    fputs("usage: yoke VERB [OPTION]...\n\n", out);
    for (size_t i = 0; i < verb_count; i++)
        fprintf(out, "  %-11s %s\n", verbs[i]->name, verbs[i]->summary);
    fputs("  help        this text; 'yoke help VERB' tells the options of a verb\n"
          "\n"
          "  --version   the version of the program and its library\n"
          "\n"
          "Exit status: " HELP_EXIT_STATUS ".\n",
          out);
}

static void print_usage(const verb *v)
{
    size_t room = sizeof v->usage / sizeof v->usage[0];
    for (size_t i = 0; i < room && v->usage[i]; i++)
        printf("%s yoke %s %s\n", i == 0 ? "usage:" : "      ", v->name, v->usage[i]);
}

/* Each paragraph; a line break within one is kept. */
static void print_description(const char *text)
{
    while (*text) {
        wrap_print(stdout, text, 0, 0);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

/* "  LEFT     text", the text below when what is on the left is wide. */
static void print_entry(int width, const char *text)
{
    if (width + 1 >= COLUMN) {
        putchar('\n');
        width = 0;
    }
    printf("%*s", COLUMN - width, "");
    wrap_print(stdout, text, COLUMN, COLUMN);
}

static void print_words(const verb *v)
{
    for (const verb_word *w = v->words; w && w->name; w++) {
        if (w->help && w == v->words)
            putchar('\n');
        if (w->help)
            print_entry(printf("  %s", w->name), w->help);
    }
}

static void print_options(const verb *v)
{
    const verb_option *o;
    putchar('\n');
    for (size_t i = 0; (o = verb_option_at(v, i)); i++) {
        if (!o->name)
            printf("%s%s:\n", i == 0 ? "" : "\n", o->help);
        else
            print_entry(printf("  --%s%s%s", o->name, o->argument ? " " : "",
                               o->argument ? o->argument : ""),
                        o->help);
    }
}

static void print_examples(const verb *v)
{
    if (v->examples)
        printf("\nExamples:\n");
    for (const verb_example *e = v->examples; e && e->command; e++) {
        printf("  yoke %s\n      ", e->command);
        wrap_print(stdout, e->what, 6, 6);
    }
}

void help_verb(const verb *v)
{
    print_usage(v);
    putchar('\n');
    print_description(v->description);
    print_words(v);
    print_options(v);
    print_examples(v);
    char status[1000];
    snprintf(status, sizeof status, "Exit status: %s.", v->exit_status);
    putchar('\n');
    wrap_print(stdout, status, 0, 0);
}
