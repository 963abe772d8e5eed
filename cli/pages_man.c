/* Pages of the manual, in the man macros of roff. */
#include <ctype.h>
#include <string.h>

#include "help.h"
#include "pages.h"
#include "yoke/status.h"

/* Text as it is: a hyphen stays one that can be copied, a line break begins a paragraph. */
static void put(FILE *out, const char *text)
{
    for (const char *at = text; *at; at++) {
        bool begins = at == text || at[-1] == '\n';
        if (*at == '\\')
            fputs("\\e", out);
        else if (*at == '-')
            fputs("\\-", out);
        else if (*at == '\n')
            fputs("\n.PP\n", out);
        else
            fprintf(out, "%s%c", begins && (*at == '.' || *at == '\'') ? "\\&" : "", *at);
    }
}

static void put_line(FILE *out, const char *text)
{
    put(out, text);
    fputc('\n', out);
}

static void heading(FILE *out, const char *name)
{
    for (; *name; name++)
        fputc(toupper((unsigned char)*name), out);
}

static void begin(FILE *out, const char *name, const char *summary)
{
    fputs(".TH ", out);
    heading(out, name);
    fputs(" 1 \"\" \"yoke " YOKE_VERSION "\" \"User Commands\"\n.SH NAME\n", out);
    put(out, name);
    fputs(" \\- ", out);
    put_line(out, summary);
}

static void synopsis(FILE *out, const verb *v)
{
    fputs(".SH SYNOPSIS\n", out);
    for (size_t i = 0; i < sizeof v->usage / sizeof v->usage[0] && v->usage[i]; i++) {
        fprintf(out, "%s.B yoke ", i == 0 ? "" : ".br\n");
        put_line(out, v->name);
        put_line(out, v->usage[i]);
    }
}

static void words(FILE *out, const verb *v)
{
    for (const verb_word *w = v->words; w && w->name; w++)
        if (w->help) {
            fputs(".TP\n.I ", out);
            put_line(out, w->name);
            put_line(out, w->help);
        }
}

static void option(FILE *out, const verb_option *o)
{
    fputs(".TP\n.BI \\-\\-", out);
    put(out, o->name);
    if (o->argument)
        fprintf(out, " \" %s\"", o->argument);
    fputc('\n', out);
}

static void options(FILE *out, const verb *v)
{
    const verb_option *o;
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; (o = verb_option_at(v, i)); i++) {
        if (o->name)
            option(out, o);
        else
            fputs(".SS ", out);
        put_line(out, o->help);
    }
}

static void examples(FILE *out, const verb *v)
{
    if (v->examples)
        fputs(".SH EXAMPLES\n", out);
    for (const verb_example *e = v->examples; e && e->command; e++) {
        fputs(".TP\n\\fByoke ", out);
        put(out, e->command);
        fputs("\\fR\n", out);
        put_line(out, e->what);
    }
}

void pages_man_verb(FILE *out, const verb *v)
{
    char name[64];
    snprintf(name, sizeof name, "yoke-%s", v->name);
    begin(out, name, v->summary);
    synopsis(out, v);
    fputs(".SH DESCRIPTION\n", out);
    put_line(out, v->description);
    words(out, v);
    options(out, v);
    fputs(".SH \"EXIT STATUS\"\n", out);
    put(out, v->exit_status);
    fputs(".\n", out);
    examples(out, v);
    fputs(".SH \"SEE ALSO\"\n.BR yoke (1)\n", out);
}

void pages_man_program(FILE *out)
{
    begin(out, "yoke", "multiply matrices on every engine of a chip, and measure them");
    fputs(".SH SYNOPSIS\n.B yoke\n.I VERB\n[OPTION]...\n.br\n.B yoke help\n[VERB]\n.br\n"
          ".B yoke \\-\\-version\n"
          ".SH DESCRIPTION\n",
          out);
    put_line(out, "Multiplies matrices (y = x * w^T) on the CPU, the GPU and the Neural Engine, "
                  "each alone or one product split over several, and measures what each engine can "
                  "really do. Each verb has a page of its own.");
    fputs(".SH VERBS\n", out);
    for (size_t i = 0; i < verb_count; i++) {
        fputs(".TP\n.BR yoke\\-", out);
        put(out, verbs[i]->name);
        fputs(" (1)\n", out);
        put_line(out, verbs[i]->summary);
    }
    fputs(".SH \"EXIT STATUS\"\n", out);
    put(out, HELP_EXIT_STATUS);
    fputs(".\n"
          ".SH ENVIRONMENT\n"
          ".TP\n.B YOKE_HISTORY\nthe file of the history, where \\-\\-db does not name one\n"
          ".SH FILES\n"
          ".TP\n.I yoke/profile\\-*.json\n"
          "the profiles of tune, in $XDG_CACHE_HOME, or else ~/.cache (macOS: ~/Library/Caches)\n"
          ".TP\n.I yoke/history.db\n"
          "the history, in $XDG_DATA_HOME, or else ~/.local/share (macOS: "
          "~/Library/Application Support)\n",
          out);
}
