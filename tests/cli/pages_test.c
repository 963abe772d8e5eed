/* The tables of the verbs against what is made from them and what takes their options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pages.h"
#include "program.h"

/* A page of the manual without its backslashes. */
static char *page_of(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/yoke-%s.1", YOKE_PAGES, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("no %s", path);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    size_t used = 0;
    for (int c; (c = fgetc(file)) != EOF && used + 1 < 1 << 16;)
        if (c != '\\')
            text[used++] = (char)c;
    fclose(file);
    return text;
}

/* A line of its own that begins so: "--json", not "--json-lines". */
static bool has_entry(const char *text, const char *before, const char *option)
{
    char start[80];
    int length = snprintf(start, sizeof start, "%s--%s", before, option);
    for (const char *at = text; (at = strstr(at, start)); at += length)
        if (strchr(" \n", at[length]))
            return true;
    return false;
}

static void each_option_is_in_the_page_and_in_the_help_of_its_verb(void **state)
{
    (void)state;
    for (size_t i = 0; i < verb_count; i++) {
        const verb_option *o;
        char *page = page_of(verbs[i]->name);
        program help = program_run("help", verbs[i]->name);
        for (size_t at = 0; (o = verb_option_at(verbs[i], at)); at++)
            if (o->name &&
                (!has_entry(page, "\n.BI ", o->name) || !has_entry(help.out, "\n  ", o->name)))
                fail_msg("%s: no --%s", verbs[i]->name, o->name);
        free(page);
        program_free(&help);
    }
}

/* A value that the option takes. */
static const char *value_of(const verb_option *o)
{
    static char first[64];
    const char *choices = pages_choices(o->value, o->choices);
    if (choices) {
        snprintf(first, sizeof first, "%.*s", (int)strcspn(choices, " "), choices);
        return first;
    }
    if (strcmp(o->argument, "NxK") == 0)
        return "8x8";
    if (strcmp(o->argument, "F") == 0)
        return "f16";
    return strcmp(o->argument, "MxNxK") == 0 ? "1x8x8" : "1";
}

/* Options are read in their order: what is said is about the one after it. */
static void each_option_is_taken_by_its_verb(void **state)
{
    (void)state;
    for (size_t i = 0; i < verb_count; i++) {
        const verb_option *o;
        for (size_t at = 0; (o = verb_option_at(verbs[i], at)); at++) {
            char option[160];
            if (!o->name || strcmp(o->name, "help") == 0)
                continue;
            snprintf(option, sizeof option, "--%s%s%s", o->name, o->argument ? "=" : "",
                     o->argument ? value_of(o) : "");
            program p = program_run(verbs[i]->name, option, "--frobnicate");
            program_assert_refused(&p, "unknown option --frobnicate");
        }
    }
}

static void values_that_are_not_among_the_choices_are_refused(void **state)
{
    (void)state;
    program p = program_run("bench", "--precision", "half");
    program_assert_refused(&p, "--precision is of: full bf16 int8; not 'half'");
    p = program_run("bench", "--suite", "read,write");
    program_assert_refused(&p, "not 'read,write'");
    p = program_run("bench", "--suite", "read,");
    program_assert_refused(&p, "--suite");
    p = program_run("bench", "--seed", "one");
    program_assert_refused(&p, "--seed S does not understand 'one'");
}

static void help_fits_100_columns(void **state)
{
    (void)state;
    for (size_t i = 0; i < verb_count; i++) {
        program p = program_run("help", verbs[i]->name);
        for (const char *line = p.out; *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > 100)
                fail_msg("%s: %.*s", verbs[i]->name, (int)strcspn(line, "\n"), line);
        program_free(&p);
    }
}

static void engines_that_are_completed_are_those_of_the_program(void **state)
{
    (void)state;
    program p = program_run("engines");
    assert_int_equal(p.exit_code, 0);
    for (const char *line = strstr(p.out, "\n\n"); line; line = strstr(line + 2, "\n\n")) {
        char name[64], known[] = " " PAGES_ENGINES " ", sought[68];
        assert_int_equal(sscanf(line, " %63[^: \n]", name), 1);
        snprintf(sought, sizeof sought, " %s ", name);
        if (!strstr(known, sought))
            fail_msg("%s is not completed", name);
    }
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_option_is_in_the_page_and_in_the_help_of_its_verb),
        cmocka_unit_test(each_option_is_taken_by_its_verb),
        cmocka_unit_test(values_that_are_not_among_the_choices_are_refused),
        cmocka_unit_test(help_fits_100_columns),
        cmocka_unit_test(engines_that_are_completed_are_those_of_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
