/* Ctrl-C while the program measures. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"
#include "program.h"

/* 100 ms a product: longer than it takes the signal to arrive. */
#define SLOW "--shape", "64x64", "--engine", "fake,fixed_us=100000"

static void assert_stopped(program *p)
{
    if (p->exit_code != 1)
        print_error("exit %d, signal %d: %s\n", p->exit_code, p->signal, p->err);
    assert_int_equal(p->exit_code, 1);
    assert_true(text_has(p->err, "stopped"));
    program_free(p);
}

static program signalled(int number)
{
    program_started run = program_start((const char *const[]){"matmul", SLOW, NULL}, NULL);
    program_signal(run, number);
    return program_wait(run);
}

static void matmul_stops_and_says_so(void **state)
{
    (void)state;
    program p = signalled(SIGINT);
    assert_stopped(&p);
}

static void termination_stops_as_an_interrupt_does(void **state)
{
    (void)state;
    program p = signalled(SIGTERM);
    assert_stopped(&p);
}

static void so_does_a_terminal_that_is_gone(void **state)
{
    (void)state;
    program p = signalled(SIGHUP);
    assert_stopped(&p);
}

/* As nohup does it. */
static void what_the_caller_ignores_stays_ignored(void **state)
{
    (void)state;
    signal(SIGHUP, SIG_IGN);
    program_started run = program_start((const char *const[]){"matmul", SLOW, NULL}, NULL);
    signal(SIGHUP, SIG_DFL);
    program_await(run, SIGINT);
    assert_int_equal(kill(run.pid, SIGHUP), 0);
    program p = program_wait(run);
    assert_int_equal(p.exit_code, 0);
    program_free(&p);
}

static void bench_leaves_no_record(void **state)
{
    (void)state;
    char folder[] = "/tmp/yoke-interrupt-XXXXXX", record[64];
    assert_non_null(mkdtemp(folder));
    snprintf(record, sizeof record, "%s/record.json", folder);
    program_started run = program_start(
        (const char *const[]){"bench", "--suite", "dispatch", "--json", record, SLOW, NULL}, NULL);
    program_signal(run, SIGINT);
    program p = program_wait(run);
    assert_int_equal(folder_files(folder), 0);
    rmdir(folder);
    assert_stopped(&p);
}

/* Within a product that hangs; on a busy machine, before it. */
static void tune_stops_and_says_so(void **state)
{
    (void)state;
    const char *profile = program_new_path("interrupted-profile.json");
    program_started run =
        program_start((const char *const[]){"tune", "--shape", "64x64", "--m", "1", "--engine",
                                            "fake,hang_at=1", "--profile", profile, NULL},
                      NULL);
    program_await(run, SIGTERM);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    program_signal(run, SIGTERM);
    program p = program_wait(run);
    unlink(profile);
    assert_stopped(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matmul_stops_and_says_so),
        cmocka_unit_test(termination_stops_as_an_interrupt_does),
        cmocka_unit_test(so_does_a_terminal_that_is_gone),
        cmocka_unit_test(what_the_caller_ignores_stays_ignored),
        cmocka_unit_test(bench_leaves_no_record),
        cmocka_unit_test(tune_stops_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
