#include "engines/ane/helper.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "yoke/measure.h"

#ifdef __APPLE__
#include <crt_externs.h>
#define environment (*_NSGetEnviron()) /* a dynamic library has no environ of its own */
#else
extern char **environ;
#define environment environ
#endif

#define NS_PER_S UINT64_C(1000000000)
#define LOOK_MS  20 /* between looks at the flag and the clock */

bool ane_helper_find(char *out, size_t capacity)
{
    Dl_info here;
    const void *self = NULL;
    bool (*const me)(char *, size_t) = ane_helper_find;
    memcpy(&self, &me, sizeof self);
    if (!dladdr(self, &here) || !here.dli_fname)
        return false;
    const char *slash = strrchr(here.dli_fname, '/');
    const int length = slash ? (int)(slash - here.dli_fname) : 1;
    const int used =
        snprintf(out, capacity, "%.*s/yoke/yoke-ane-compile", length, slash ? here.dli_fname : ".");
    return used > 0 && (size_t)used < capacity && access(out, X_OK) == 0;
}

/* Its standard output comes here; nothing else of ours goes there. */
static yoke_status start(const char *helper, const char *folder, pid_t *child, int *from,
                         yoke_error *err)
{
    int ends[2];
    if (pipe(ends) != 0)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine ane: %s: no pipe: %s", helper,
                              strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    char name[] = "yoke-ane-compile";
    char *arguments[] = {name, (char *)folder, NULL};
    const int code = posix_spawn(child, helper, &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (code != 0) {
        close(ends[0]);
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine ane: %s cannot be started: %s",
                              helper, strerror(code));
    }
    *from = ends[0];
    return YOKE_OK;
}

static bool is_stopped(const ane_options *options)
{
    return options->stop && *options->stop;
}

/* Reads until the helper closes its end; false when it is stopped, or takes too long. */
static bool read_until_closed(int from, char *text, size_t capacity, const ane_options *options)
{
    const uint64_t deadline_ns = yoke_clock_ns() + options->compile_s * NS_PER_S;
    size_t used = 0;
    for (;;) {
        struct pollfd wanted = {.fd = from, .events = POLLIN};
        if (is_stopped(options) || yoke_clock_ns() >= deadline_ns)
            return false;
        const int ready = poll(&wanted, 1, LOOK_MS);
        if (ready < 0 && errno != EINTR)
            return true;
        if (ready <= 0)
            continue;
        char more[256];
        const ssize_t got = read(from, more, sizeof more);
        if (got <= 0)
            return true;
        const size_t keep = (size_t)got < capacity - 1 - used ? (size_t)got : capacity - 1 - used;
        memcpy(text + used, more, keep);
        used += keep;
        text[used] = '\0';
    }
}

static int reap(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* What it exits with says what came of it; what else it may say is its own failure. */
static yoke_status status_of(int exit_status)
{
    switch (exit_status) {
    case YOKE_OK:
    case YOKE_ERR_UNSUPPORTED:
    case YOKE_ERR_TIMEOUT:
    case YOKE_ERR_IO: return (yoke_status)exit_status;
    default: return YOKE_ERR_ENGINE;
    }
}

static yoke_status judge(int ended, char *said, yoke_error *err)
{
    if (WIFSIGNALED(ended))
        return yoke_error_set(err, YOKE_ERR_ENGINE,
                              "engine ane: the process that compiles was killed by signal %d",
                              WTERMSIG(ended));
    const yoke_status status = status_of(WEXITSTATUS(ended));
    if (status == YOKE_OK)
        return YOKE_OK;
    said[strcspn(said, "\n")] = '\0';
    return yoke_error_set(err, status, "%s",
                          said[0] ? said : "engine ane: the process that compiles failed");
}

yoke_status ane_helper_compile(const char *helper, const char *folder, const ane_options *options,
                               yoke_error *err)
{
    pid_t child;
    int from = -1;
    char said[sizeof((yoke_error *)NULL)->text + 1] = "";
    yoke_status status = start(helper, folder, &child, &from, err);
    if (status != YOKE_OK)
        return status;
    const bool ended = read_until_closed(from, said, sizeof said, options);
    if (!ended)
        kill(child, SIGKILL);
    close(from);
    const int how = reap(child);
    if (ended)
        return judge(how, said, err);
    if (is_stopped(options))
        return yoke_error_set(err, YOKE_ERR_INTERRUPTED,
                              "engine ane: compileWithQoS:options:error:: stopped on request");
    return yoke_error_set(err, YOKE_ERR_TIMEOUT,
                          "engine ane: compileWithQoS:options:error: took more than %u s and was "
                          "ended",
                          options->compile_s);
}
