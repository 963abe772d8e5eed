/* Completion for zsh: arguments as its function _arguments takes them, each in single quotes. */
#include <string.h>

#include "pages.h"

/* Text within single quotes, with a backslash before the characters that mean something. */
static void put(FILE *out, const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
    }
}

/* ":MESSAGE:ACTION" */
static void put_value(FILE *out, const char *message, verb_value value, const char *choices)
{
    fputc(':', out);
    put(out, message, ":\\");
    switch (value) {
    case VALUE_FILE: fputs(":_files", out); break;
    case VALUE_FOLDER: fputs(":_files -/", out); break;
    case VALUE_ENGINE:
    case VALUE_ONE_OF: fprintf(out, ":(%s)", pages_choices(value, choices)); break;
    case VALUE_ENGINES:
    case VALUE_SOME_OF:
        fprintf(out, ":_sequence compadd - %s", pages_choices(value, choices));
        break;
    case VALUE_TEXT: fputs(": ", out); break;
    }
}

static void put_option(FILE *out, const verb_option *o)
{
    fprintf(out, " \\\n            '%s--%s%s[", o->value == VALUE_ENGINE ? "*" : "", o->name,
            o->argument ? "=" : "");
    put(out, o->help, "[]\\");
    fputc(']', out);
    if (o->argument)
        put_value(out, o->argument, o->value, o->choices);
    fputc('\'', out);
}

static void put_words(FILE *out, const verb *v)
{
    for (const verb_word *w = v->words; w && w->name; w++) {
        fprintf(out, " \\\n            '%s", w[1].name ? ":" : "*:");
        put_value(out, w->name, w->value, w->choices);
        fputc('\'', out);
    }
}

static void put_verb(FILE *out, const verb *v)
{
    const verb_option *o;
    fprintf(out, "        %s)\n            _arguments", v->name);
    for (size_t i = 0; (o = verb_option_at(v, i)); i++)
        if (o->name)
            put_option(out, o);
    put_words(out, v);
    fputs("\n            ;;\n", out);
}

void pages_zsh(FILE *out)
{
    fputs("#compdef yoke\n# Completes yoke's command line in zsh.\n\n"
          "_yoke() {\n"
          "    local curcontext=$curcontext state state_descr line\n"
          "    local -a names\n"
          "    typeset -A opt_args\n"
          "    names=(\n",
          out);
    for (size_t i = 0; i < verb_count; i++) {
        fprintf(out, "        '%s:", verbs[i]->name);
        put(out, verbs[i]->summary, ":\\");
        fputs("'\n", out);
    }
    fputs("        'help:the options of a verb'\n    )\n"
          "    _arguments -C '--help[the verbs]' '--version[the version]' '1: :->verb' "
          "'*:: :->rest'\n"
          "    case $state in\n"
          "    verb) _describe verb names ;;\n"
          "    rest)\n"
          "        case $words[1] in\n"
          "        help) _describe verb names ;;\n",
          out);
    for (size_t i = 0; i < verb_count; i++)
        put_verb(out, verbs[i]);
    fputs("        esac\n        ;;\n    esac\n}\n\n_yoke \"$@\"\n", out);
}
