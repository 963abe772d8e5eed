/* The program with the engine ane over the stand-in of its framework: programs are compiled by the
 * helper beside the library. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program.h"
#include "standin/apple/standins.h"

static void engines_says_that_it_is_simulated_and_was_never_on_hardware(void **state)
{
    (void)state;
    program p = program_run("engines");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "\nane "));
    assert_true(text_has(p.out, "simulated by a stand-in: Apple Neural Engine h16g"));
    assert_true(text_has(p.out, "never run on hardware"));
    program_free(&p);
}

static void a_product_on_it_is_right_and_leaves_nothing_behind(void **state)
{
    (void)state;
    program p = program_run("matmul", "--shape", "3x64x96", "--engine", "ane", "--engine", "ref");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "ane conv  "));
    assert_false(text_has(p.out, "FAILED"));
    assert_string_equal(p.err, "");
    assert_string_equal(standins_left_behind(), "");
    program_free(&p);
}

/* Each its own k: what was compiled once is not compiled again. What is not supported exits with 2.
 */
static void check_fails(const char *engine, const char *switches, const char *shape, int exit_code,
                        const char *says)
{
    standins_switch(switches);
    program p = program_run("matmul", "--shape", shape, "--engine", engine, "--engine", "ref");
    assert_int_equal(p.exit_code, exit_code);
    assert_true(text_has(p.err, says));
    assert_int_equal(text_lines(p.err), 1);
    assert_true(text_has(p.out, "FAILED"));
    assert_true(text_has(p.out, "right"));
    assert_string_equal(standins_left_behind(), "");
    program_free(&p);
    standins_switch("");
}

static void whatever_becomes_of_the_compiler_is_one_line_and_ref_is_right(void **state)
{
    (void)state;
    check_fails("ane", "compile_is_killed", "3x64x128", 1, "was killed by signal 9");
    check_fails("ane,compile_s=1", "compile_hangs", "3x64x160", 1, "took more than 1 s");
    check_fails("ane", "compile_fails", "3x64x192", 1, "ANECCompile() FAILED");
    check_fails("ane", "no_entitlement", "3x64x224", 2, "code 1)");
}

static void check_stops(const char *switches, const char *const *arguments)
{
    standins_switch(switches);
    const program_started started = program_start(arguments, NULL);
    program_signal(started, SIGTERM);
    program p = program_wait(started);
    assert_int_equal(p.exit_code, 1);
    assert_true(text_has(p.err, "stopped"));
    program_free(&p);
    standins_switch("");
}

/* It would never end, and without a signal nor would these. */
static void what_hangs_ends_when_it_is_told_to(void **state)
{
    (void)state;
    static const char *const product[] = {"matmul", "--shape", "3x64x256", "--engine", "ane", NULL};
    static const char *const compiler[] = {"matmul",   "--shape", "3x64x288",
                                           "--engine", "ane",     NULL};
    static const char *const coreml[] = {"matmul",   "--shape", "3x64x256",
                                         "--engine", "coreml",  NULL};
    static const char *const chains[] = {"bench", "--shape",  "64x64", "--suite",
                                         "ane",   "--engine", "ane",   NULL};
    check_stops("evaluate_hangs=2", product);
    assert_string_equal(standins_left_behind(), "");
    check_stops("compile_hangs", compiler);
    assert_string_equal(standins_left_behind(), "");
    check_stops("coreml_compile_hangs", coreml);
    assert_string_equal(standins_left_behind(), "");
    check_stops("evaluate_hangs", chains);
}

static void under_rosetta_the_engine_is_refused_and_no_bench_is_run(void **state)
{
    (void)state;
    standins_switch("translated");
    program p = program_run("engines");
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "x86-64 translated by Rosetta"));
    assert_true(text_has(p.out, "x86_64 process under Rosetta: the Neural Engine is hidden"));
    program_free(&p);
    p = program_run("bench", "--shape", "64x64");
    program_assert_refused(&p, "under Rosetta: run the arm64 program");
    p = program_run("matmul", "--shape", "3x64x96", "--engine", "ane");
    assert_int_equal(p.exit_code, 2);
    assert_true(text_has(p.err, "the Neural Engine is hidden"));
    program_free(&p);
    standins_switch("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_says_that_it_is_simulated_and_was_never_on_hardware),
        cmocka_unit_test(a_product_on_it_is_right_and_leaves_nothing_behind),
        cmocka_unit_test(whatever_becomes_of_the_compiler_is_one_line_and_ref_is_right),
        cmocka_unit_test(what_hangs_ends_when_it_is_told_to),
        cmocka_unit_test(under_rosetta_the_engine_is_refused_and_no_bench_is_run),
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
