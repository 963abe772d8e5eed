/* Completion for fish: a command for each verb and each option. */
#include "pages.h"

/* In single quotes, where only they and the backslash mean something. */
static void quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    fputc('\'', out);
}

static void put_value(FILE *out, verb_value value, const char *choices)
{
    switch (value) {
    case VALUE_FILE: fputs(" -r -F", out); break;
    case VALUE_FOLDER: fputs(" -x -a '(__fish_complete_directories)'", out); break;
    case VALUE_ENGINE:
    case VALUE_ONE_OF: fprintf(out, " -x -a '%s'", pages_choices(value, choices)); break;
    case VALUE_ENGINES:
    case VALUE_SOME_OF:
        fprintf(out, " -x -a '(__fish_append , %s)'", pages_choices(value, choices));
        break;
    case VALUE_TEXT: fputs(" -x", out); break;
    }
}

static void put_option(FILE *out, const char *name, const verb_option *o)
{
    fprintf(out, "complete -c yoke -n '__fish_seen_subcommand_from %s' -l %s", name, o->name);
    if (o->argument)
        put_value(out, o->value, o->choices);
    fputs(" -d ", out);
    quote(out, o->help);
    fputc('\n', out);
}

static void put_word(FILE *out, const char *name, const verb_word *w)
{
    if (w->value == VALUE_TEXT)
        return;
    fprintf(out, "complete -c yoke -n '__fish_seen_subcommand_from %s'", name);
    switch (w->value) {
    case VALUE_FILE: fputs(" -F\n", out); break;
    case VALUE_FOLDER: fputs(" -a '(__fish_complete_directories)'\n", out); break;
    default: fprintf(out, " -a '%s'\n", pages_choices(w->value, w->choices)); break;
    }
}

static void put_verb(FILE *out, const verb *v)
{
    const verb_option *o;
    fprintf(out, "\ncomplete -c yoke -n __fish_use_subcommand -a %s -d ", v->name);
    quote(out, v->summary);
    fputc('\n', out);
    for (size_t i = 0; (o = verb_option_at(v, i)); i++)
        if (o->name)
            put_option(out, v->name, o);
    for (const verb_word *w = v->words; w && w->name; w++)
        put_word(out, v->name, w);
}

void pages_fish(FILE *out)
{
    fputs("# Completes yoke's command line in fish.\n"
          "complete -c yoke -f\n"
          "complete -c yoke -n __fish_use_subcommand -l version -d 'the version'\n"
          "complete -c yoke -n __fish_use_subcommand -a help -d 'the options of a verb'\n"
          "complete -c yoke -n '__fish_seen_subcommand_from help' -a '",
          out);
    pages_verb_names(out);
    fputs("'\n", out);
    for (size_t i = 0; i < verb_count; i++)
        put_verb(out, verbs[i]);
}
