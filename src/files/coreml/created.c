#include "files/coreml/created.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static yoke_status io_error(const char *path, const char *what, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot %s: %s", path, what, strerror(errno));
}

yoke_status created_open(created *out, const char *path, yoke_error *err)
{
    out->path = path;
    out->descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return out->descriptor < 0 ? io_error(path, "create", err) : YOKE_OK;
}

yoke_status created_write(const created *to, const void *bytes, size_t size, uint64_t at,
                          yoke_error *err)
{
    const char *from = bytes;
    while (size > 0) {
        ssize_t written = pwrite(to->descriptor, from, size, (off_t)at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return io_error(to->path, "write", err);
        from += written;
        at += (uint64_t)written;
        size -= (size_t)written;
    }
    return YOKE_OK;
}

yoke_status created_close(created *file, yoke_status status, yoke_error *err)
{
    if (close(file->descriptor) != 0 && errno != EINTR && status == YOKE_OK)
        return io_error(file->path, "write", err);
    return status;
}

yoke_status created_file(const char *path, const void *bytes, size_t size, yoke_error *err)
{
    created file;
    yoke_status status = created_open(&file, path, err);
    return status == YOKE_OK ? created_close(&file, created_write(&file, bytes, size, 0, err), err)
                             : status;
}

yoke_status created_folder(const char *path, yoke_error *err)
{
    return mkdir(path, 0777) == 0 ? YOKE_OK : io_error(path, "create", err);
}
