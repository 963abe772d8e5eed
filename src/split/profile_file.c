/* Profiles in files: read, and written whole or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "split/profile_json.h"

#define LARGEST_FILE ((off_t)64 << 20) /* far beyond any profile; keeps a mistaken path cheap */

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

static yoke_status io_error(const char *path, const char *what, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot %s: %s", path, what, strerror(errno));
}

/* `path`, or the default one in `room`. */
static yoke_status choose_path(const char **path, char room[PATH_MAX], yoke_error *err)
{
    if (*path && !**path)
        return yoke_error_set(err, YOKE_ERR_IO, "the path of the profile is empty");
    if (*path)
        return YOKE_OK;
    *path = room;
    return yoke_profile_default_path(room, PATH_MAX, err);
}

static yoke_status open_to_read(const char *path, int *file, yoke_error *err)
{
    /* Not to wait for the writer of a pipe. */
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*file < 0 && errno == ENOENT)
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "%s: no such profile", path);
    struct stat is;
    if (*file < 0 || fstat(*file, &is) != 0)
        return io_error(path, "read", err);
    if (!S_ISREG(is.st_mode))
        return yoke_error_set(err, YOKE_ERR_IO, "%s: is not a file", path);
    if (is.st_size > LARGEST_FILE)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: too large for a profile", path);
    return YOKE_OK;
}

static yoke_status parse(const char *path, json_t **root, yoke_error *err)
{
    int file = -1;
    yoke_status status = open_to_read(path, &file, err);
    if (status == YOKE_OK) {
        json_error_t reason;
        *root = json_loadfd(file, JSON_REJECT_DUPLICATES, &reason);
        if (!*root)
            status = yoke_error_set(err, YOKE_ERR_FORMAT, "%s: byte %d: %s", path, reason.position,
                                    reason.text);
    }
    if (file >= 0)
        close(file);
    return status;
}

yoke_status yoke_profile_load(const char *path, yoke_profile **profile, yoke_error *err)
{
    char room[PATH_MAX];
    json_t *root = NULL;
    yoke_profile *read = NULL;
    if (!profile)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_profile_load: profile is NULL");
    yoke_status status = choose_path(&path, room, err);
    if (status == YOKE_OK)
        status = parse(path, &root, err);
    if (status == YOKE_OK)
        status = yoke_profile_create(&read, err);
    if (status == YOKE_OK)
        status = profile_from_json(root, path, read, err);
    json_decref(root);
    if (status == YOKE_OK)
        *profile = read;
    else
        yoke_profile_free(read);
    return status;
}

/* Makes the folders on the way to the file; `path` is changed and put back. */
static yoke_status make_folders(char *path, yoke_error *err)
{
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        int made = mkdir(path, 0777);
        if (made != 0 && errno != EEXIST) {
            yoke_status status = io_error(path, "make this folder", err);
            *slash = '/';
            return status;
        }
        *slash = '/';
    }
    return YOKE_OK;
}

/* O_EXCL with the usual mode, where mkstemp would leave a file that only its owner can read. */
static int open_beside(const char *path, char temporary[PATH_MAX])
{
    int file = -1;
    for (int attempt = 0; attempt < 100 && file < 0; attempt++) {
        int length = snprintf(temporary, PATH_MAX, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
        if (length < 0 || length >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST)
            break;
    }
    return file;
}

static yoke_status write_beside_and_rename(const json_t *root, const char *path, yoke_error *err)
{
    char temporary[PATH_MAX];
    int file = open_beside(path, temporary);
    if (file < 0)
        return io_error(path, "create a file beside it", err);
    bool written = json_dumpfd(root, file, JSON_INDENT(1)) == 0 && write(file, "\n", 1) == 1 &&
                   fsync(file) == 0;
    written = close(file) == 0 && written;
    written = written && rename(temporary, path) == 0;
    if (written)
        return YOKE_OK;
    yoke_status status = io_error(path, "write", err);
    unlink(temporary);
    return status;
}

yoke_status yoke_profile_save(const yoke_profile *profile, const char *path, yoke_error *err)
{
    char room[PATH_MAX], target[PATH_MAX];
    if (!profile)
        return yoke_error_set(err, YOKE_ERR_USAGE, "no profile is given");
    yoke_status status = choose_path(&path, room, err);
    if (status != YOKE_OK)
        return status;
    /* The name behind a symbolic link, so that the link survives. */
    if (!realpath(path, target) &&
        snprintf(target, sizeof target, "%s", path) >= (int)sizeof target)
        return yoke_error_set(err, YOKE_ERR_IO, "%.64s...: the name is too long", path);
    json_t *root = profile_to_json(profile);
    if (!root)
        return yoke_error_set(err, YOKE_ERR_MEMORY,
                              "%s: no memory, or an engine's name is not UTF-8", path);
    status = make_folders(target, err);
    if (status == YOKE_OK)
        status = write_beside_and_rename(root, target, err);
    json_decref(root);
    return status;
}
