#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "program.h"

static char *read_file(const char *path)
{
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error);
    char *text = json ? json_dumps(json, JSON_SORT_KEYS) : NULL;
    json_decref(json);
    return text;
}

static void curves_and_slowdowns_are_printed_and_kept(void **state)
{
    (void)state;
    const char *path = program_new_path("profile.json");
    program p =
        program_run("tune", "--seconds", "1", "--shape", "256x64", "--engine", "fake,fixed_us=100",
                    "--engine", "fake,fixed_us=200", "--m", "1,2", "--profile", path);
    assert_int_equal(p.exit_code, 0);
    assert_string_equal(p.err, "");
    assert_true(text_has(p.out, "f16 256 x 64 (outputs x inputs), 32.77 kB"));
    assert_true(text_has(p.out, "\nfake,fixed_us=100  "));
    assert_true(text_has(p.out, "Beside another engine"));
    assert_true(text_has(p.out, path));
    program_free(&p);
    char *first = read_file(path);
    assert_non_null(first);
    assert_true(text_has(first, "fake,fixed_us=100"));
    /* Another engine is added to what there is. */
    p = program_run("tune", "--seconds", "1", "--shape", "256x64", "--engine", "fake", "--m", "1",
                    "--profile", path);
    assert_int_equal(p.exit_code, 0);
    program_free(&p);
    char *second = read_file(path);
    assert_true(text_has(second, "fake,fixed_us=100"));
    assert_true(strlen(second) > strlen(first));
    free(first);
    free(second);
    unlink(path);
}

static program_started start_tuning(const char *engine, const char *path)
{
    return program_start((const char *const[]){"tune", "--seconds", "1", "--shape", "64x64", "--m",
                                               "1", "--engine", engine, "--profile", path, NULL},
                         NULL);
}

/* Each reads the profile before it measures, and writes it afterwards. */
static void two_at_once_lose_nothing_of_each_other_s(void **state)
{
    (void)state;
    const char *path = program_new_path("both.json");
    program_started a = start_tuning("fake,fixed_us=100", path), b = start_tuning("ref", path);
    program first = program_wait(a), second = program_wait(b);
    assert_int_equal(first.exit_code, 0);
    assert_int_equal(second.exit_code, 0);
    char *kept = read_file(path);
    assert_true(text_has(kept, "\"ref\""));
    assert_true(text_has(kept, "fake,fixed_us=100"));
    free(kept);
    unlink(path);
    program_free(&first);
    program_free(&second);
}

static void whoever_waits_for_another_can_be_stopped_and_leaves_its_lock(void **state)
{
    (void)state;
    const char *path = program_new_path("busy.json");
    char lock[256];
    snprintf(lock, sizeof lock, "%s.lock", path);
    int file = open(lock, O_RDWR | O_CREAT, 0600);
    assert_true(file >= 0);
    assert_int_equal(flock(file, LOCK_EX), 0);
    program_started run = start_tuning("ref", path);
    program_signal(run, SIGINT);
    program p = program_wait(run);
    assert_int_equal(p.exit_code, 1);
    assert_true(text_has(p.err, "tune: stopped"));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(lock, F_OK), 0);
    close(file);
    program_free(&p);
    /* What a program that was killed left behind keeps nobody waiting, and is removed. */
    p = program_wait(start_tuning("ref", path));
    assert_int_equal(p.exit_code, 0);
    assert_string_equal(p.err, "");
    assert_int_equal(access(lock, F_OK), -1);
    unlink(path);
    program_free(&p);
}

static void a_wrong_engine_exits_1_and_the_others_are_kept(void **state)
{
    (void)state;
    const char *path = program_new_path("wrong.json");
    program p =
        program_run("tune", "--seconds", "1", "--shape", "64x64", "--engine", "fake,wrong_row_at=1",
                    "--engine", "ref", "--m", "1", "--profile", path);
    assert_int_equal(p.exit_code, 1);
    assert_int_equal(text_lines(p.err), 1);
    assert_true(text_has(p.err, "fake,wrong_row_at=1: the answer is wrong"));
    char *kept = read_file(path);
    assert_true(text_has(kept, "\"ref\""));
    assert_false(text_has(kept, "wrong_row_at"));
    free(kept);
    unlink(path);
    program_free(&p);
}

static void a_damaged_profile_is_refused_and_stays(void **state)
{
    (void)state;
    const char *path = program_file("damaged.json", "{", 1);
    program p = program_run("tune", "--seconds", "1", "--shape", "64x64", "--engine", "ref",
                            "--profile", path);
    program_assert_refused(&p, "damaged.json");
    FILE *file = fopen(path, "r");
    assert_int_equal(fgetc(file), '{');
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
}

static void a_profile_that_cannot_be_written_leaves_nothing(void **state)
{
    (void)state;
    const char *file = program_file("file", "x", 1);
    char path[1200];
    snprintf(path, sizeof path, "%s/profile.json", file);
    program p = program_run("tune", "--seconds", "1", "--shape", "64x64", "--engine", "ref", "--m",
                            "1", "--profile", path);
    assert_int_equal(p.exit_code, 2);
    assert_true(text_has(p.err, "profile.json"));
    program_free(&p);
}

static void what_cannot_be_tuned_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *arguments[8], *why;
    } cases[] = {
        {{"tune", "--shape", "0x64"}, "--shape"},
        {{"tune", "--shape", "64"}, "--shape"},
        {{"tune", "--m", "8,1"}, "--m"},
        {{"tune", "--m", "1,"}, "--m"},
        {{"tune", "--m", "0"}, "--m"},
        {{"tune", "--seconds", "0"}, "--seconds"},
        {{"tune", "--format", "q2_k"}, "--format"},
        {{"tune", "--x-format", "q8_0"}, "--x-format"},
        {{"tune", "--precision", "half"}, "--precision"},
        {{"tune", "--engine", "abacus"}, "abacus"},
        {{"tune", "--shape", "4x4", "w.gguf"}, "--shape"},
        {{"tune", "a.gguf", "b.gguf"}, "one FILE"},
        {{"tune", "/nonexistent/w.gguf", "--engine", "ref"}, "/nonexistent/w.gguf"},
        {{"tune", "--colour"}, "--colour"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program p = program_run_list(cases[i].arguments);
        program_assert_refused(&p, cases[i].why);
    }
}

static void help_names_every_option(void **state)
{
    (void)state;
    program p = program_run("help", "tune");
    assert_int_equal(p.exit_code, 0);
    static const char *const options[] = {
        "--shape",   "--tensor",   "--format",  "--engine",  "--m",    "--x-format", "--precision",
        "--seconds", "--thorough", "--profile", "--plugins", "--seed", "--help"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        assert_true(text_has(p.out, options[i]));
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_and_slowdowns_are_printed_and_kept),
        cmocka_unit_test(two_at_once_lose_nothing_of_each_other_s),
        cmocka_unit_test(whoever_waits_for_another_can_be_stopped_and_leaves_its_lock),
        cmocka_unit_test(a_wrong_engine_exits_1_and_the_others_are_kept),
        cmocka_unit_test(a_damaged_profile_is_refused_and_stays),
        cmocka_unit_test(a_profile_that_cannot_be_written_leaves_nothing),
        cmocka_unit_test(what_cannot_be_tuned_is_refused),
        cmocka_unit_test(help_names_every_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
