/* Completion for bash, 3.2 and later. */
#include "pages.h"

static const char helpers[] =
    "# Completes yoke's command line in bash.\n"
    "\n"
    "# Those of the words that begin with what is typed.\n"
    "_yoke_of() {\n"
    "    COMPREPLY=($(compgen -W \"$1\" -- \"$cur\"))\n"
    "}\n"
    "\n"
    "# The same for the last part of a list between commas.\n"
    "_yoke_list() {\n"
    "    local before=\n"
    "    case $cur in *,*) before=${cur%,*}, ;; esac\n"
    "    COMPREPLY=($(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\"))\n"
    "    compopt -o nospace 2>/dev/null\n"
    "}\n"
    "\n"
    "# Files (-f) or folders (-d), and words.\n"
    "_yoke_paths() {\n"
    "    local IFS=$'\\n'\n"
    "    COMPREPLY=($(compgen \"$1\" -- \"$cur\") $(IFS=' ' && compgen -W \"${2-}\" -- \"$cur\"))\n"
    "    compopt -o filenames 2>/dev/null\n"
    "}\n"
    "\n"
    "_yoke() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    COMPREPLY=()\n"
    "    # \"--name=value\" arrives as three words.\n"
    "    if [ \"$cur\" = = ]; then\n"
    "        cur=\n"
    "    elif [ \"$before\" = = ]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n";

static void complete_value(FILE *out, verb_value value, const char *choices)
{
    switch (value) {
    case VALUE_FILE: fputs("_yoke_paths -f", out); break;
    case VALUE_FOLDER: fputs("_yoke_paths -d", out); break;
    case VALUE_ENGINE:
    case VALUE_ONE_OF: fprintf(out, "_yoke_of '%s'", pages_choices(value, choices)); break;
    case VALUE_ENGINES:
    case VALUE_SOME_OF: fprintf(out, "_yoke_list '%s'", pages_choices(value, choices)); break;
    case VALUE_TEXT: fputs(":", out); break;
    }
}

static void complete_values(FILE *out, const verb *v)
{
    const verb_option *o;
    fputs("        case $before in\n", out);
    for (size_t i = 0; (o = verb_option_at(v, i)); i++) {
        if (!o->name || !o->argument)
            continue;
        fprintf(out, "        --%s) ", o->name);
        complete_value(out, o->value, o->choices);
        fputs("; return ;;\n", out);
    }
    fputs("        esac\n", out);
}

/* Any of the words at any place. */
static void complete_words(FILE *out, const verb *v)
{
    const char *paths = NULL, *choices = "";
    for (const verb_word *w = v->words; w && w->name; w++) {
        if (w->value == VALUE_ONE_OF)
            choices = w->choices;
        if (w->value == VALUE_FILE || w->value == VALUE_FOLDER)
            paths = w->value == VALUE_FILE ? "-f" : "-d";
    }
    fputs("        *) ", out);
    if (paths)
        fprintf(out, "_yoke_paths %s '%s'", paths, choices);
    else
        fprintf(out, "_yoke_of '%s'", choices);
    fputs(" ;;\n", out);
}

static void complete_verb(FILE *out, const verb *v)
{
    const verb_option *o;
    fprintf(out, "    %s)\n", v->name);
    complete_values(out, v);
    fputs("        case $cur in\n        -*) _yoke_of '", out);
    for (size_t i = 0; (o = verb_option_at(v, i)); i++)
        if (o->name)
            fprintf(out, "--%s ", o->name);
    fputs("' ;;\n", out);
    complete_words(out, v);
    fputs("        esac\n        ;;\n", out);
}

void pages_bash(FILE *out)
{
    fputs(helpers, out);
    fputs("    if [ \"$COMP_CWORD\" = 1 ]; then\n        _yoke_of '", out);
    pages_verb_names(out);
    fputs(" help --help --version'\n        return\n    fi\n"
          "    case ${COMP_WORDS[1]} in\n    help) _yoke_of '",
          out);
    pages_verb_names(out);
    fputs("' ;;\n", out);
    for (size_t i = 0; i < verb_count; i++)
        complete_verb(out, verbs[i]);
    fputs("    esac\n}\n\ncomplete -F _yoke yoke\n", out);
}
