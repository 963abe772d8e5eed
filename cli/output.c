#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A signal handler walks this list; each step of a change leaves it whole. */
static output *volatile unfinished = NULL;

static void unfinished_add(output *out)
{
    out->next = unfinished;
    unfinished = out;
}

static void unfinished_remove(output *out)
{
    if (unfinished == out) {
        unfinished = out->next;
        return;
    }
    for (output *other = unfinished; other; other = other->next)
        if (other->next == out)
            other->next = out->next;
}

void output_remove_unfinished(void)
{
    for (output *out = unfinished; out; out = out->next)
        unlink(out->temporary);
}

static yoke_status io_error(const char *path, const char *what, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot %s: %s", path, what, strerror(errno));
}

static void forget(output *out)
{
    free(out->path);
    free(out->temporary);
    *out = (output){0};
}

/* Takes the file over. */
static yoke_status open_stream(output *out, int file, const char *path, yoke_error *err)
{
    out->stream = fdopen(file, "w");
    if (out->stream)
        return YOKE_OK;
    yoke_status status = io_error(path, "write", err);
    close(file);
    return status;
}

static yoke_status open_directly(output *out, const char *path, yoke_error *err)
{
    int file = strcmp(path, "-") == 0 ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CLOEXEC);
    return file < 0 ? io_error(path, "write", err) : open_stream(out, file, path, err);
}

/* O_EXCL with the usual mode, where mkstemp would leave a file that only its owner can read. */
static yoke_status open_temporary(output *out, yoke_error *err)
{
    size_t bytes = strlen(out->path) + 48;
    out->temporary = malloc(bytes);
    if (!out->temporary)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its name", out->path);
    int file = -1;
    for (int attempt = 0; attempt < 100 && file < 0; attempt++) {
        snprintf(out->temporary, bytes, "%s.%ld-%d.tmp", out->path, (long)getpid(), attempt);
        file = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST)
            break;
    }
    if (file < 0) {
        yoke_status status = io_error(out->path, "create a file beside it", err);
        free(out->temporary); /* what has that name, if anything, is not ours to remove */
        out->temporary = NULL;
        return status;
    }
    unfinished_add(out);
    return open_stream(out, file, out->path, err);
}

yoke_status output_open(output *out, const char *path, yoke_error *err)
{
    *out = (output){0};
    struct stat is;
    bool exists = stat(path, &is) == 0;
    if (exists && S_ISDIR(is.st_mode))
        return yoke_error_set(err, YOKE_ERR_IO, "%s: is a folder", path);
    /* The name behind a symbolic link, so that the link survives. */
    out->path = exists ? realpath(path, NULL) : strdup(path);
    if (!out->path)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its name", path);
    bool direct = strcmp(path, "-") == 0 || (exists && !S_ISREG(is.st_mode));
    yoke_status status = direct ? open_directly(out, path, err) : open_temporary(out, err);
    if (status != YOKE_OK)
        output_discard(out);
    return status;
}

void output_discard(output *out)
{
    if (out->stream)
        fclose(out->stream);
    if (out->temporary) {
        unlink(out->temporary);
        unfinished_remove(out);
    }
    forget(out);
}

yoke_status output_commit(output *out, yoke_error *err)
{
    bool written = fflush(out->stream) == 0 && !ferror(out->stream);
    written = fclose(out->stream) == 0 && written;
    out->stream = NULL;
    if (written && out->temporary)
        written = rename(out->temporary, out->path) == 0;
    yoke_status status = written ? YOKE_OK : io_error(out->path, "write", err);
    if (written && out->temporary) {
        unfinished_remove(out);
        forget(out);
    } else {
        output_discard(out);
    }
    return status;
}

yoke_status output_write(const char *path, const char *text, yoke_error *err)
{
    output out;
    yoke_status status = output_open(&out, path, err);
    if (status != YOKE_OK)
        return status;
    fprintf(out.stream, "%s\n", text); /* output_commit notices what was not written */
    return output_commit(&out, err);
}
