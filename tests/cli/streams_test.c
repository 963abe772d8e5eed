/* Standard output and error that are a terminal, closed, or read by nobody. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "program.h"

/* The program by a shell, for what only a shell does to its standard files; how it ended. */
static int by_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int by_shell(const char *format, ...)
{
    char command[2048];
    int length = snprintf(command, sizeof command, "yoke() { " YOKE_PROGRAM " \"$@\"; }; ");
    va_list args;
    va_start(args, format);
    vsnprintf(command + length, sizeof command - (size_t)length, format, args);
    va_end(args);
    return system(command);
}

static json_t *json_of(const char *path)
{
    json_error_t error;
    json_t *object = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!object)
        fail_msg("%s, line %d: %s", path, error.line, error.text);
    return object;
}

/* The profile of another machine is complained of while the file of the JSON is open. */
static void a_file_does_not_take_the_place_of_a_closed_standard_error(void **state)
{
    (void)state;
    const char *json = program_new_path("matmul.json"), *profile = program_new_path("profile.json");
    char cache[256];
    snprintf(cache, sizeof cache, "%s.cache", json);
    assert_int_equal(setenv("XDG_CACHE_HOME", cache, 1), 0);
    assert_int_equal(
        by_shell("yoke tune --shape 64x64 --m 1 --seconds 1 --engine ref >/dev/null && "
                 "cd %s/yoke && for f in *; do sed 's/\"cores\": /&9/' $f >%s && "
                 "cp %s $f; done",
                 cache, profile, profile),
        0);
    program p = program_run("matmul", "--shape", "1x64x64", "--engines", "ref,cpu");
    assert_true(text_has(p.err, "without the profile"));
    program_free(&p);
    assert_int_equal(by_shell("yoke matmul --shape 1x64x64 --engines ref,cpu --json %s "
                              ">/dev/null 2>&-",
                              json),
                     0);
    json_decref(json_of(json));
    unsetenv("XDG_CACHE_HOME");
    by_shell("rm -r %s", cache);
}

static void nothing_is_written_to_a_closed_standard_output(void **state)
{
    (void)state;
    const char *errors = program_new_path("errors");
    assert_int_not_equal(by_shell("yoke chips >&- 2>%s", errors), 0);
    assert_int_equal(by_shell("grep -q 'standard output: cannot write' %s", errors), 0);
}

/* As with "yoke bench | head"; more than a pipe's stream holds back. */
static void what_was_measured_is_kept_though_nobody_reads_it(void **state)
{
    (void)state;
    const char *json = program_new_path("bench.json"), *db = program_new_path("bench.db");
    by_shell("yoke bench --shape 64x64 --quick --suite dispatch --json %s --db %s "
             "$(seq -f --engine=fake,fixed_us=%%g 30) | :",
             json, db);
    json_decref(json_of(json));
    program p = program_run("history", "show", "1", "--db", db);
    assert_true(p.exit_code == 0 || text_has(p.err, "without SQLite"));
    program_free(&p);
}

/* What comes out of the terminal that is standard error, as far as it is there. */
static void run_on_a_terminal(const char *terminal, char *text, size_t bytes)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        print_message("no terminal can be made here\n");
        skip();
    }
    assert_int_equal(by_shell("TERM=%s yoke bench --shape 64x64 --quick --suite dispatch --engine "
                              "ref --no-history >/dev/null 2>%s",
                              terminal, ptsname(master)),
                     0);
    assert_int_equal(fcntl(master, F_SETFL, O_NONBLOCK), 0);
    ssize_t count = read(master, text, bytes - 1);
    text[count > 0 ? count : 0] = '\0';
    close(master);
}

static void progress_is_shown_where_a_line_can_be_cleared(void **state)
{
    (void)state;
    char text[4096];
    run_on_a_terminal("xterm", text, sizeof text);
    assert_true(text_has(text, "making the weight"));
    run_on_a_terminal("dumb", text, sizeof text);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_does_not_take_the_place_of_a_closed_standard_error),
        cmocka_unit_test(nothing_is_written_to_a_closed_standard_output),
        cmocka_unit_test(what_was_measured_is_kept_though_nobody_reads_it),
        cmocka_unit_test(progress_is_shown_where_a_line_can_be_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
