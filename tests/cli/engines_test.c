#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

static void host_comes_first_then_the_engines_with_their_facts(void **state)
{
    (void)state;
    program p = program_run("engines");
    assert_int_equal(p.exit_code, 0);
    assert_memory_equal(p.out, "host ", 5);
    assert_true(text_has(p.out, "\ncpu       ready: "));
    assert_true(text_has(p.out, "\nref       ready: "));
    assert_true(text_has(p.out, "sums in f64"));
    assert_string_equal(p.err, "");
    program_free(&p);
}

static void test_engine_is_not_listed(void **state)
{
    (void)state;
    program p = program_run("engines");
    assert_false(text_has(p.out, "\nfake"));
    program_free(&p);
}

static void lines_fit_100_columns(void **state)
{
    (void)state;
    program p = program_run("engines");
    for (const char *line = p.out; *line; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 100);
    program_free(&p);
}

static void plug_in_folder_that_is_not_there_is_refused(void **state)
{
    (void)state;
    program p = program_run("engines", "--plugins", "/no/such/folder");
    program_assert_refused(&p, "/no/such/folder");
}

static void plug_in_that_cannot_be_loaded_is_listed_with_the_reason(void **state)
{
    (void)state;
    char folder[128];
    snprintf(folder, sizeof folder, "%s", program_file("broken.so", "not a library", 13));
    *strrchr(folder, '/') = '\0';
    program p = program_run("engines", "--plugins", folder);
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "not ready: "));
    assert_true(text_has(p.out, "broken"));
    program_free(&p);
}

static void word_too_many_is_refused(void **state)
{
    (void)state;
    program p = program_run("engines", "cpu");
    program_assert_refused(&p, "'cpu'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_comes_first_then_the_engines_with_their_facts),
        cmocka_unit_test(test_engine_is_not_listed),
        cmocka_unit_test(lines_fit_100_columns),
        cmocka_unit_test(plug_in_folder_that_is_not_there_is_refused),
        cmocka_unit_test(plug_in_that_cannot_be_loaded_is_listed_with_the_reason),
        cmocka_unit_test(word_too_many_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
