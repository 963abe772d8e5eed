#include "engines/ane/folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/coreml/created.h"

#define OPEN_FOLDERS 8 /* at once, while a folder is removed */

static char *join(const char *folder, const char *name, const char *ending)
{
    const size_t room = strlen(folder) + strlen(name) + strlen(ending) + 2;
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s/%s%s", folder, name, ending);
    return path;
}

static yoke_status make_folder(const char *path, yoke_error *err)
{
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot create the folder: %s", path,
                          strerror(errno));
}

/* Written under a name of this call's own, then renamed: whoever sees it sees it whole. */
static yoke_status write_whole(const char *path, const char *temporary, const void *bytes,
                               size_t size, yoke_error *err)
{
    struct stat there;
    if (stat(path, &there) == 0 && (size_t)there.st_size == size)
        return YOKE_OK;
    yoke_status status = created_file(temporary, bytes, size, err);
    if (status == YOKE_OK && rename(temporary, path) != 0)
        status = yoke_error_set(err, YOKE_ERR_IO, "%s: cannot create: %s", path, strerror(errno));
    if (status != YOKE_OK)
        unlink(temporary);
    return status;
}

static yoke_status write_file(const char *folder, const char *name, const void *bytes, size_t size,
                              yoke_error *err)
{
    char ending[64];
    snprintf(ending, sizeof ending, ".%ld.%p.tmp", (long)getpid(), (void *)ending);
    char *path = join(folder, name, ""), *temporary = join(folder, name, ending);
    yoke_status status = path && temporary ? write_whole(path, temporary, bytes, size, err)
                                           : yoke_error_set(err, YOKE_ERR_MEMORY,
                                                            "%s: no memory for a path", folder);
    free(path);
    free(temporary);
    return status;
}

static yoke_status write_weights(const char *folder, const ane_source *source, yoke_error *err)
{
    char *below = join(folder, "weights", "");
    yoke_status status =
        below ? make_folder(below, err)
              : yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for a path", folder);
    if (status == YOKE_OK)
        status = write_file(folder, ANE_FOLDER_WEIGHTS, source->weights, source->weight_bytes, err);
    free(below);
    return status;
}

yoke_status ane_folder_write(const char *folder, const ane_source *source, yoke_error *err)
{
    yoke_status status = make_folder(folder, err);
    if (status == YOKE_OK && source->weights)
        status = write_weights(folder, source, err);
    if (status == YOKE_OK)
        status = write_file(folder, ANE_FOLDER_TEXT, source->text, source->text_bytes, err);
    return status;
}

static int remove_entry(const char *path, const struct stat *what, int kind, struct FTW *where)
{
    (void)what, (void)kind, (void)where;
    remove(path);
    return 0;
}

void ane_folder_remove(const char *folder)
{
    nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}
