#include "verb.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "help.h"

#define MOST_OPTIONS 40
#define FIRST_ANSWER 0x100 /* what getopt answers for the first option; below are letters */

static const verb_option help_option = {"help", 0, NULL, VALUE_TEXT, NULL, "print this"};

const verb *verb_find(const char *name)
{
    for (size_t i = 0; i < verb_count; i++)
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
    return NULL;
}

const verb_option *verb_option_at(const verb *v, size_t index)
{
    size_t count = 0;
    for (const verb_option *o = v->options; o && o->help; o++, count++)
        if (count == index)
            return o;
    return count == index ? &help_option : NULL;
}

/* The table as getopt_long takes it. */
static void fill_getopt(const verb *v, struct option list[MOST_OPTIONS + 1])
{
    const verb_option *o;
    size_t used = 0;
    for (int i = 0; (o = verb_option_at(v, (size_t)i)) && used < MOST_OPTIONS; i++)
        if (o->name)
            list[used++] = (struct option){o->name, o->argument ? required_argument : no_argument,
                                           NULL, FIRST_ANSWER + i};
    list[used] = (struct option){0};
}

/* What getopt_long answers beside options: ':' and '?'. */
static int bad_option(const verb *v, int answer, char **argv)
{
    /* getopt stays at a word of short options, which no verb has, until its last letter. */
    if (optopt != 0 && optopt < FIRST_ANSWER)
        return cli_usage(v->name, "unknown option -%c", optopt);
    const char *word = argv[optind - 1];
    if (answer == ':')
        return cli_usage(v->name, "%s needs a value", word);
    return optopt != 0 ? cli_usage(v->name, "%s: that option takes no value", word)
                       : cli_usage(v->name, "unknown option %s", word);
}

/* Is it one of the choices, which have blanks between them? */
static bool is_choice(const char *choices, const char *value, size_t length)
{
    while (*choices) {
        size_t size = strcspn(choices, " ");
        if (size == length && strncasecmp(choices, value, length) == 0)
            return true;
        choices += size + (choices[size] == ' ');
    }
    return false;
}

static bool fits(const verb_option *o, const char *value)
{
    if (o->value == VALUE_ONE_OF)
        return is_choice(o->choices, value, strlen(value));
    if (o->value != VALUE_SOME_OF)
        return true;
    for (;;) {
        size_t length = strcspn(value, ",");
        if (!is_choice(o->choices, value, length))
            return false;
        if (value[length] == '\0')
            return true;
        value += length + 1;
    }
}

static int bad_value(const verb *v, const verb_option *o, const char *value)
{
    return o->choices ? cli_usage(v->name, "--%s is of: %s; not '%s'", o->name, o->choices, value)
                      : cli_usage(v->name, "--%s %s does not understand '%s'", o->name, o->argument,
                                  value);
}

int verb_parse(const verb *v, int argc, char **argv, verb_taker *take, void *request)
{
    struct option list[MOST_OPTIONS + 1];
    fill_getopt(v, list);
    for (int answer; (answer = getopt_long(argc, argv, ":", list, NULL)) != -1;) {
        if (answer < FIRST_ANSWER)
            return bad_option(v, answer, argv);
        const verb_option *o = verb_option_at(v, (size_t)(answer - FIRST_ANSWER));
        if (o == &help_option) {
            help_verb(v);
            return EXIT_DONE;
        }
        if (optarg && *optarg == '\0')
            return cli_usage(v->name, "--%s: %s is empty", o->name, o->argument);
        if (!fits(o, optarg) || !take(request, o->key, optarg))
            return bad_value(v, o, optarg);
    }
    for (int i = optind; i < argc; i++)
        if (*argv[i] == '\0')
            return cli_usage(v->name, "a word is empty");
    return CLI_GO_ON;
}
