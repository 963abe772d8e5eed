#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define MAX_ARGUMENTS 32

/* An unnamed temporary file: unlike a pipe it cannot fill up. */
static int scratch(void)
{
    char path[] = "/tmp/yoke-out-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    unlink(path);
    return file;
}

static const char *temporary_folder(void);

/* What a test measures does not go into the history of whoever runs it. A test may set another
 * path afterwards. */
static void set_history_aside(void)
{
    static bool aside = false;
    char path[128];
    snprintf(path, sizeof path, "%s/history.db", temporary_folder());
    if (!aside)
        assert_int_equal(setenv("YOKE_HISTORY", path, 1), 0);
    aside = true;
}

program_started program_start(const char *const *arguments, const char *out_path)
{
    char *argv[MAX_ARGUMENTS] = {(char *)YOKE_PROGRAM};
    size_t count = 1;
    for (; *arguments; arguments++) {
        assert_true(count + 1 < MAX_ARGUMENTS);
        argv[count++] = (char *)*arguments;
    }
    set_history_aside();
    program_started started = {.err = scratch()};
    started.out = out_path ? open(out_path, O_WRONLY) : scratch();
    assert_true(started.out >= 0);
    started.pid = fork();
    assert_true(started.pid >= 0);
    if (started.pid == 0) {
        dup2(started.out, STDOUT_FILENO);
        dup2(started.err, STDERR_FILENO);
        signal(SIGINT, SIG_DFL); /* off where the tests run in a shell's background */
        execv(YOKE_PROGRAM, argv);
        _exit(127);
    }
    return started;
}

/* The whole of a file; "" for what cannot be read, as /dev/full. Closes it. */
static char *slurp(int file)
{
    off_t size = lseek(file, 0, SEEK_END);
    if (size < 0)
        size = 0;
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    for (off_t at = 0; at < size;) {
        ssize_t count = pread(file, text + at, (size_t)(size - at), at);
        if (count <= 0)
            break;
        at += count;
    }
    close(file);
    return text;
}

program program_wait(program_started started)
{
    int status;
    while (waitpid(started.pid, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    program p = {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                 .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    p.out = slurp(started.out);
    p.err = slurp(started.err);
    return p;
}

program program_run_list(const char *const *arguments)
{
    return program_wait(program_start(arguments, NULL));
}

void program_free(program *p)
{
    free(p->out);
    free(p->err);
    *p = (program){0};
}

/* Whether the kernel says that the process handles the signal. */
static bool handles(pid_t pid, int signal)
{
    char path[64], line[256];
    unsigned long long caught = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "SigCgt: %llx", &caught) == 1)
            break;
    if (file)
        fclose(file);
    return caught >> (signal - 1) & 1;
}

void program_await(program_started started, int signal)
{
    for (int i = 0; i < 200 && !handles(started.pid, signal); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

void program_signal(program_started started, int signal)
{
    program_await(started, signal);
    assert_int_equal(kill(started.pid, signal), 0);
}

bool text_has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

size_t text_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

void program_assert_refused(program *p, const char *part)
{
    bool refused = p->exit_code == 2 && p->out[0] == '\0' && text_lines(p->err) == 1 &&
                   strncmp(p->err, "yoke: ", 6) == 0 && text_has(p->err, part);
    if (!refused)
        print_error("exit %d, signal %d, expected \"%s\" in: %s\nstdout: %s\n", p->exit_code,
                    p->signal, part, p->err, p->out);
    program_free(p);
    assert_true(refused);
}

static char folder[] = "/tmp/yoke-cli-XXXXXX";
static bool folder_made = false;

static int remove_one(const char *path, const struct stat *is, int flag, struct FTW *at)
{
    (void)is, (void)flag, (void)at;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const char *temporary_folder(void)
{
    if (!folder_made) {
        assert_non_null(mkdtemp(folder));
        folder_made = true;
        atexit(remove_folder);
    }
    return folder;
}

const char *program_file(const char *name, const void *bytes, size_t count)
{
    static char paths[16][128];
    static size_t used = 0;
    char *path = paths[used++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", temporary_folder(), name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    return path;
}

const char *program_new_path(const char *name)
{
    const char *path = program_file(name, "", 0);
    unlink(path);
    return path;
}
