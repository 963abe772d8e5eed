/* Runs the built program and keeps what it said. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct program {
    int exit_code; /* -1 when a signal ended it */
    int signal;    /* 0 when it exited */
    char *out, *err;
} program;

/* Runs it with these arguments; from the first run on $YOKE_HISTORY is a file of the test's own.
 * Free with program_free. */
#define program_run(...) program_run_list((const char *const[]){__VA_ARGS__, NULL})
program program_run_list(const char *const *arguments);
void program_free(program *p);

/* The same in two steps, for signals in between; stdout goes to `out_path` if that is not NULL. */
typedef struct program_started {
    pid_t pid;
    int out, err;
} program_started;

program_started program_start(const char *const *arguments, const char *out_path);
program program_wait(program_started started);

/* Waits until the program handles the signal (where that can be seen: elsewhere for a while). */
void program_await(program_started started, int signal);

/* Sends the signal once the program handles it. */
void program_signal(program_started started, int signal);

bool text_has(const char *text, const char *part);
size_t text_lines(const char *text);

/* Fails the test unless it exited with 2, said nothing on stdout and one line "yoke: ..." with
 * `part` in it on stderr. Frees p. */
void program_assert_refused(program *p, const char *part);

/* A file of its own for a test, made in a temporary folder that is removed at exit. The path is
 * valid until then. */
const char *program_file(const char *name, const void *bytes, size_t count);

/* The same of a file that is not there yet. */
const char *program_new_path(const char *name);

#endif
