#include "files/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static yoke_status mapping_fail(const char *path, const char *what, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot %s: %s", path, what, strerror(errno));
}

static yoke_status map_descriptor(const char *path, mapping *map, yoke_error *err)
{
    struct stat status;
    if (fstat(map->descriptor, &status) != 0)
        return mapping_fail(path, "stat", err);
    if (!S_ISREG(status.st_mode))
        return yoke_error_set(err, YOKE_ERR_IO, "%s: not a regular file", path);
    if ((uintmax_t)status.st_size > SIZE_MAX)
        return yoke_error_set(err, YOKE_ERR_IO, "%s: too large for this machine's addresses", path);
    map->size = (size_t)status.st_size;
    if (map->size == 0)
        return YOKE_OK;
    void *bytes = mmap(NULL, map->size, PROT_READ, MAP_PRIVATE, map->descriptor, 0);
    if (bytes == MAP_FAILED)
        return mapping_fail(path, "map", err);
    map->bytes = bytes;
    return YOKE_OK;
}

yoke_status mapping_open(const char *path, mapping *map, yoke_error *err)
{
    *map = (mapping){.descriptor = -1};
    /* Not blocking: opening a named pipe would wait for a writer. */
    map->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (map->descriptor < 0)
        return mapping_fail(path, "open", err);
    yoke_status status = map_descriptor(path, map, err);
    if (status != YOKE_OK)
        mapping_close(map);
    return status;
}

mapping mapping_borrow(const void *bytes, size_t size)
{
    return (mapping){.bytes = bytes, .size = size, .descriptor = -1};
}

yoke_status mapping_recheck(const mapping *map, const char *path, yoke_error *err)
{
    if (map->descriptor < 0)
        return YOKE_OK;
    struct stat status;
    if (fstat(map->descriptor, &status) != 0)
        return mapping_fail(path, "stat", err);
    if ((uintmax_t)status.st_size < map->size)
        return yoke_error_set(err, YOKE_ERR_IO,
                              "%s: the file shrank from %zu to %ju bytes since it was opened", path,
                              map->size, (uintmax_t)status.st_size);
    return YOKE_OK;
}

void mapping_close(mapping *map)
{
    if (map->descriptor >= 0) {
        if (map->bytes)
            munmap((void *)map->bytes, map->size);
        close(map->descriptor);
    }
    *map = (mapping){.descriptor = -1};
}
