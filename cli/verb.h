/* A verb of the program, in one table: how it is run, its options and what is to be said of it.
 * From the table come the reading of options, --help, the man page and the shells' completion. */
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include <stdbool.h>
#include <stddef.h>

/* What an option or a word takes, as completion and the check of choices need to know it. */
typedef enum verb_value {
    VALUE_TEXT, /* nothing is known of it */
    VALUE_FILE,
    VALUE_FOLDER,
    VALUE_ENGINE,  /* a specification */
    VALUE_ENGINES, /*   several, between commas */
    VALUE_ONE_OF,  /* the choices */
    VALUE_SOME_OF  /*   several, between commas */
} verb_value;

/* One option. A row with help alone is the heading of a group; an empty row ends the table. */
typedef struct verb_option {
    const char *name;     /* "json" for --json */
    int key;              /* what the verb knows it by */
    const char *argument; /* "FILE"; NULL for an option that takes no value */
    verb_value value;
    const char *choices; /* of VALUE_ONE_OF and VALUE_SOME_OF, a blank between them */
    const char *help;    /* the default in brackets at its end */
} verb_option;

// clang-format off
#define VERB_GROUP(heading) {NULL, 0, NULL, VALUE_TEXT, NULL, heading}
#define VERB_END            {NULL, 0, NULL, VALUE_TEXT, NULL, NULL}
// clang-format on

/* A word that stands without dashes: a file, or one of a few. */
typedef struct verb_word {
    const char *name; /* "FILE"; NULL ends the table */
    verb_value value;
    const char *choices; /* of VALUE_ONE_OF */
    const char *help;    /* NULL: the description says it */
} verb_word;

typedef struct verb_example {
    const char *command; /* what follows "yoke "; NULL ends the table */
    const char *what;
} verb_example;

typedef struct verb {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv); /* argv[0] is the name; returns how the program ends */
    const char *usage[3];              /* what follows "yoke NAME "; NULL for fewer */
    const char *description;           /* paragraphs, an empty line between them */
    const verb_word *words;            /* NULL: takes none */
    const verb_option *options;        /* all but --help */
    const verb_example *examples;
    const char *exit_status;
} verb;

#define VERB_PLAIN_STATUS "0 done, 2 bad input or usage"

/* Each in the file of its name. */
extern const verb engines_verb, inspect_verb, bench_verb, history_verb, compare_verb, chips_verb,
    make_bundle_verb, matmul_verb, plan_verb, tune_verb, report_verb;

/* All of them, as they are listed. */
extern const verb *const verbs[];
extern const size_t verb_count;

/* NULL when there is none of that name. */
const verb *verb_find(const char *name);

/* The options one after the other, --help as the last; NULL after it. */
const verb_option *verb_option_at(const verb *v, size_t index);

/* Takes one option's value (NULL without an argument) into the verb's request; false when it does
 * not understand it. */
typedef bool verb_taker(void *request, int key, const char *value);

/* Reads the options; optind then stands at the first word. Answers --help itself.
 * Returns CLI_GO_ON, or how the program ends: what is wrong has been said. */
int verb_parse(const verb *v, int argc, char **argv, verb_taker *take, void *request);

#endif
