#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"
#include "yoke/status.h"

static const char *const verbs[] = {"engines", "inspect", "bench",       "history",
                                    "compare", "chips",   "make-bundle", "matmul",
                                    "plan",    "tune",    "report"};
#define VERB_COUNT (sizeof verbs / sizeof verbs[0])

static void version_names_program_and_library(void **state)
{
    (void)state;
    program p = program_run("--version");
    assert_int_equal(p.exit_code, 0);
    assert_string_equal(p.out, "yoke " YOKE_VERSION " (library " YOKE_VERSION ")\n");
    program_free(&p);
}

static void help_lists_every_verb(void **state)
{
    (void)state;
    program p = program_run("help");
    assert_int_equal(p.exit_code, 0);
    for (size_t i = 0; i < VERB_COUNT; i++)
        assert_true(text_has(p.out, verbs[i]));
    assert_string_equal(p.err, "");
    program_free(&p);
}

static void every_verb_tells_its_options(void **state)
{
    (void)state;
    for (size_t i = 0; i < VERB_COUNT; i++) {
        program by_help = program_run("help", verbs[i]),
                by_option = program_run(verbs[i], "--help");
        char usage[32];
        snprintf(usage, sizeof usage, "usage: yoke %s", verbs[i]);
        assert_int_equal(by_help.exit_code, 0);
        assert_int_equal(by_option.exit_code, 0);
        assert_memory_equal(by_help.out, usage, strlen(usage));
        assert_string_equal(by_help.out, by_option.out);
        program_free(&by_help);
        program_free(&by_option);
    }
}

static void no_verb_prints_the_usage_on_stderr_and_exits_2(void **state)
{
    (void)state;
    program p = program_run(NULL);
    assert_int_equal(p.exit_code, 2);
    assert_string_equal(p.out, "");
    assert_true(text_has(p.err, "usage: yoke VERB"));
    program_free(&p);
}

static void unknown_verb_is_refused(void **state)
{
    (void)state;
    program p = program_run("frobnicate");
    program_assert_refused(&p, "unknown verb 'frobnicate'");
    p = program_run("help", "frobnicate");
    program_assert_refused(&p, "unknown verb 'frobnicate'");
}

static void unknown_option_of_any_verb_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < VERB_COUNT; i++) {
        program p = program_run(verbs[i], "--frobnicate");
        program_assert_refused(&p, "--frobnicate");
        p = program_run(verbs[i], "-Q");
        program_assert_refused(&p, "-Q");
        p = program_run(verbs[i], "-Qx");
        program_assert_refused(&p, "unknown option -Q");
    }
}

static void option_without_its_value_is_refused(void **state)
{
    (void)state;
    program p = program_run("inspect", "--tensor");
    program_assert_refused(&p, "--tensor needs a value");
    p = program_run("inspect", "--wide=yes", "file");
    program_assert_refused(&p, "takes no value");
}

/* An empty path would stand for the root, or for nothing. */
static void what_is_empty_is_refused(void **state)
{
    (void)state;
    program p = program_run("bench", "--json", "");
    program_assert_refused(&p, "--json: FILE is empty");
    p = program_run("chips", "--chip=");
    program_assert_refused(&p, "--chip: C is empty");
    p = program_run("make-bundle", "llama_lm_head", "", "--shape", "64x64");
    program_assert_refused(&p, "a word is empty");
}

static void words_too_many_are_refused(void **state)
{
    (void)state;
    program p = program_run("help", "bench", "matmul");
    program_assert_refused(&p, "help: does not take 'matmul' too");
    p = program_run("--version", "bench");
    program_assert_refused(&p, "--version: does not take 'bench' too");
    p = program_run("--frobnicate");
    program_assert_refused(&p, "unknown option '--frobnicate'");
}

/* Results are told apart by their engine. */
static void an_engine_given_twice_is_refused_whatever_it_is_for(void **state)
{
    (void)state;
    static const char *const several[] = {"bench", "matmul", "tune"};
    for (size_t i = 0; i < sizeof several / sizeof *several; i++) {
        program p =
            program_run(several[i], "--shape", strcmp(several[i], "matmul") ? "64x64" : "1x64x64",
                        "--engine", "ref", "--engine", "cpu", "--engine", "ref");
        program_assert_refused(&p, "engine ref is given twice");
    }
    program p = program_run("matmul", "--shape", "1x64x64", "--engines", "ref,ref");
    program_assert_refused(&p, "engine ref is given twice");
}

static void message_stays_one_line_whatever_was_typed(void **state)
{
    (void)state;
    program p = program_run("two\nlines\x1b[31m");
    program_assert_refused(&p, "two?lines?[31m");
}

static void full_disk_is_noticed(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("no /dev/full here\n");
        skip();
    }
    program p = program_wait(program_start((const char *const[]){"help", NULL}, "/dev/full"));
    assert_int_equal(p.exit_code, 2);
    assert_true(text_has(p.err, "yoke: standard output: cannot write"));
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_names_program_and_library),
        cmocka_unit_test(help_lists_every_verb),
        cmocka_unit_test(every_verb_tells_its_options),
        cmocka_unit_test(no_verb_prints_the_usage_on_stderr_and_exits_2),
        cmocka_unit_test(unknown_verb_is_refused),
        cmocka_unit_test(unknown_option_of_any_verb_is_refused),
        cmocka_unit_test(option_without_its_value_is_refused),
        cmocka_unit_test(what_is_empty_is_refused),
        cmocka_unit_test(words_too_many_are_refused),
        cmocka_unit_test(an_engine_given_twice_is_refused_whatever_it_is_for),
        cmocka_unit_test(message_stays_one_line_whatever_was_typed),
        cmocka_unit_test(full_disk_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
