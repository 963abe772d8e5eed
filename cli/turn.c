#include "turn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

#define LOOK_NS 50000000 /* between attempts */

/* Where the file's folder is not there yet, beside the first one that is to be made. */
static void open_beside(turn *t, const char *path)
{
    char name[PATH_MAX - sizeof ".lock"];
    t->file = -1;
    if (snprintf(name, sizeof name, "%s", path) >= (int)sizeof name)
        return;
    for (;;) {
        snprintf(t->path, sizeof t->path, "%s.lock", name);
        t->file = open(t->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        char *slash = strrchr(name, '/');
        if (t->file >= 0 || errno != ENOENT || !slash || slash == name)
            return;
        *slash = '\0';
    }
}

/* False when whoever had its turn before has removed it. */
static bool is_in_place(const turn *t)
{
    struct stat ours, there;
    return fstat(t->file, &ours) == 0 && stat(t->path, &there) == 0 &&
           ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

static yoke_status lock(const turn *t, const char *verb, bool *said, yoke_error *err)
{
    while (flock(t->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        if (cli_stopped)
            return yoke_error_set(err, YOKE_ERR_INTERRUPTED, "%s: stopped", verb);
        if (!*said)
            fprintf(stderr, "yoke: %s: waiting for another yoke %s\n", verb, verb);
        *said = true;
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return YOKE_OK;
}

yoke_status turn_take(turn *t, const char *verb, const char *path, yoke_error *err)
{
    bool said = false, has_it = false;
    char *behind = realpath(path, NULL); /* a symbolic link, if it is one */
    yoke_status status = YOKE_OK;
    while (status == YOKE_OK && !has_it) {
        open_beside(t, behind ? behind : path);
        if (t->file < 0)
            break;
        status = lock(t, verb, &said, err);
        has_it = status == YOKE_OK && is_in_place(t);
        if (!has_it)
            close(t->file);
    }
    if (!has_it)
        t->file = -1;
    free(behind);
    return status;
}

void turn_end(turn *t)
{
    if (t->file < 0)
        return;
    unlink(t->path); /* as long as nobody else has its turn */
    close(t->file);
}
