#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"
#include "output.h"

static char folder[64], path[96];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/yoke-output-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/report.json", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails when something was left behind */
}

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_file_is(const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[count] = '\0';
    assert_string_equal(text, expected);
}

static void file_appears_at_commit_and_not_before(void **state)
{
    (void)state;
    output out;
    yoke_error err;
    assert_int_equal(output_open(&out, path, &err), YOKE_OK);
    fputs("{}\n", out.stream);
    fflush(out.stream);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(output_commit(&out, &err), YOKE_OK);
    assert_file_is("{}\n");
    assert_int_equal(folder_files(folder), 1);
}

static void discarded_output_leaves_nothing(void **state)
{
    (void)state;
    output out;
    assert_int_equal(output_open(&out, path, NULL), YOKE_OK);
    fputs("half", out.stream);
    output_discard(&out);
    assert_int_equal(folder_files(folder), 0);
}

static void older_file_stays_until_commit(void **state)
{
    (void)state;
    write_file("old");
    output out;
    assert_int_equal(output_open(&out, path, NULL), YOKE_OK);
    fputs("new", out.stream);
    output_discard(&out);
    assert_file_is("old");
    assert_int_equal(output_open(&out, path, NULL), YOKE_OK);
    fputs("new", out.stream);
    assert_int_equal(output_commit(&out, NULL), YOKE_OK);
    assert_file_is("new");
}

static void file_has_the_usual_mode(void **state)
{
    (void)state;
    output out;
    struct stat is;
    mode_t mask = umask(022);
    assert_int_equal(output_open(&out, path, NULL), YOKE_OK);
    assert_int_equal(output_commit(&out, NULL), YOKE_OK);
    umask(mask);
    assert_int_equal(stat(path, &is), 0);
    assert_int_equal(is.st_mode & 0777, 0644);
}

static void folder_that_is_not_there_is_an_error_that_names_the_file(void **state)
{
    (void)state;
    output out;
    yoke_error err;
    assert_int_equal(output_open(&out, "/no/such/folder/report.json", &err), YOKE_ERR_IO);
    assert_non_null(strstr(err.text, "/no/such/folder/report.json: "));
    assert_int_equal(output_open(&out, folder, &err), YOKE_ERR_IO);
}

static void device_is_written_directly_and_not_replaced(void **state)
{
    (void)state;
    output out;
    struct stat is;
    assert_int_equal(output_open(&out, "/dev/null", NULL), YOKE_OK);
    fputs("gone", out.stream);
    assert_int_equal(output_commit(&out, NULL), YOKE_OK);
    assert_int_equal(stat("/dev/null", &is), 0);
    assert_true(S_ISCHR(is.st_mode));
}

static void full_device_is_an_error(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("no /dev/full here\n");
        skip();
    }
    output out;
    yoke_error err;
    assert_int_equal(output_open(&out, "/dev/full", NULL), YOKE_OK);
    fputs("text", out.stream);
    assert_int_equal(output_commit(&out, &err), YOKE_ERR_IO);
    assert_non_null(strstr(err.text, "/dev/full: cannot write"));
}

static void symbolic_link_keeps_pointing_at_the_new_content(void **state)
{
    (void)state;
    char link[96];
    snprintf(link, sizeof link, "%s/link", folder);
    write_file("old");
    assert_int_equal(symlink("report.json", link), 0);
    output out;
    assert_int_equal(output_open(&out, link, NULL), YOKE_OK);
    fputs("new", out.stream);
    assert_int_equal(output_commit(&out, NULL), YOKE_OK);
    struct stat is;
    assert_int_equal(lstat(link, &is), 0);
    assert_true(S_ISLNK(is.st_mode));
    assert_file_is("new");
    unlink(link);
}

static void end_by_signal(int number)
{
    output_remove_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

static void handler_that_ends_the_program_leaves_no_partial_file(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        output one, two;
        char other[sizeof path + 8];
        snprintf(other, sizeof other, "%s.csv", path);
        signal(SIGINT, end_by_signal);
        output_open(&one, path, NULL);
        output_open(&two, other, NULL);
        fputs("half", one.stream);
        fflush(one.stream);
        raise(SIGINT);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(folder_files(folder), 0);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(file_appears_at_commit_and_not_before),
        IN_FOLDER(discarded_output_leaves_nothing),
        IN_FOLDER(older_file_stays_until_commit),
        IN_FOLDER(file_has_the_usual_mode),
        IN_FOLDER(folder_that_is_not_there_is_an_error_that_names_the_file),
        IN_FOLDER(device_is_written_directly_and_not_replaced),
        IN_FOLDER(full_device_is_an_error),
        IN_FOLDER(symbolic_link_keeps_pointing_at_the_new_content),
        IN_FOLDER(handler_that_ends_the_program_leaves_no_partial_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
