/* What kind of file is it? */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/coreml/blob.h"
#include "files/coreml/bundle.h"
#include "files/coreml/coreml.h"
#include "files/file.h"
#include "files/gguf.h"
#include "files/npy.h"
#include "files/safetensors.h"
#include "files/stranger.h"
#include "files/text.h"

static yoke_status unknown_content(const mapping *map, const char *path, yoke_error *err)
{
    if (map->size == 0)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: the file is empty", path);
    if (stranger_name(map))
        return stranger_refuse(map, path, err);
    char start[3 * 8 + 1] = "";
    for (size_t i = 0; i < 8 && i < map->size; i++)
        snprintf(start + 3 * i, 4, " %02x", map->bytes[i]);
    return yoke_error_set(
        err, YOKE_ERR_FORMAT,
        "%s: neither safetensors, GGUF, npy nor Core ML: the magic at byte 0 is unknown (%s )",
        path, start);
}

/* Safetensors has no magic: a length, then the '{' of a JSON header. A name says it too, so that a
 * damaged file gets the reader's message. */
static bool looks_like_safetensors(const mapping *map, const char *path)
{
    return (map->size > 8 && map->bytes[8] == '{') || text_ends_with(path, ".safetensors");
}

static bool starts_with_bytes(const mapping *map, const char *magic, size_t length)
{
    return map->size >= length && memcmp(map->bytes, magic, length) == 0;
}

/* Reads the one part of a file that is not a set. */
static yoke_status read_only_part(yoke_file *file, yoke_error *err)
{
    const file_part *part = &file->parts[0];
    if (starts_with_bytes(&part->map, "GGUF", 4))
        return gguf_read(file, err);
    if (starts_with_bytes(&part->map, "\x93NUMPY", 6))
        return npy_read(file, err);
    if (blob_is_file(&part->map))
        return coreml_read_blobs(file, err);
    bool readable = part->map.size > 0 && !stranger_name(&part->map);
    if (readable && coreml_is_program(&part->map, part->path))
        return coreml_read(file, err);
    if (readable && looks_like_safetensors(&part->map, part->path))
        return safetensors_read(file, err);
    return unknown_content(&part->map, part->path, err);
}

/* JSON text. A safetensors header length may begin with a '{' too, but has zero bytes. */
static bool looks_like_index(const mapping *map)
{
    size_t at = 0;
    while (at < map->size && map->bytes[at] && strchr(" \t\r\n", map->bytes[at]))
        at++;
    return at < map->size && map->bytes[at] == '{' &&
           !memchr(map->bytes, 0, map->size < 8 ? map->size : 8);
}

/* A name that says the opposite of the content is a mix-up that the user should know of. */
static yoke_status check_name(const mapping *map, const char *path, yoke_error *err)
{
    if (starts_with_bytes(map, "GGUF", 4) && text_ends_with(path, ".safetensors"))
        return yoke_error_set(err, YOKE_ERR_FORMAT,
                              "%s: byte 0: a GGUF file, but its name says safetensors: rename it",
                              path);
    return YOKE_OK;
}

static yoke_status open_mapping(mapping map, const char *path, yoke_file **out, yoke_error *err)
{
    yoke_file *file = NULL;
    yoke_status status = check_name(&map, path, err);
    if (status == YOKE_OK)
        status = file_create(&file, err);
    if (status != YOKE_OK) {
        mapping_close(&map);
        return status;
    }
    gguf_split split;
    if (looks_like_index(&map)) {
        status = safetensors_index_read(file, path, &map, err);
        mapping_close(&map);
    } else if (gguf_is_split(&map, path, &split)) {
        mapping_close(&map);
        status = gguf_split_read(file, path, &split, err);
    } else {
        status = file_add_part(file, path, map, err);
        if (status == YOKE_OK)
            status = read_only_part(file, err);
    }
    if (status != YOKE_OK) {
        yoke_file_free(file);
        return status;
    }
    *out = file;
    return YOKE_OK;
}

yoke_status file_open_memory(const void *bytes, size_t size, const char *name, yoke_file **out,
                             yoke_error *err)
{
    return open_mapping(mapping_borrow(bytes, size), name, out, err);
}

/* A weight file of a bundle opens the bundle, which alone knows what is in it. */
static yoke_status find_bundle(const mapping *map, const char *path, char **program,
                               yoke_error *err)
{
    *program = NULL;
    return blob_is_file(map) ? bundle_of_weights(path, program, err) : YOKE_OK;
}

static yoke_status open_path(const char *path, yoke_file **out, yoke_error *err)
{
    mapping map;
    char *program = NULL;
    yoke_status status = mapping_open(path, &map, err);
    if (status != YOKE_OK)
        return status;
    status = find_bundle(&map, path, &program, err);
    if (status == YOKE_OK && !program)
        return open_mapping(map, path, out, err);
    mapping_close(&map);
    if (status == YOKE_OK)
        status = mapping_open(program, &map, err);
    if (status == YOKE_OK)
        status = open_mapping(map, program, out, err);
    free(program);
    return status;
}

static yoke_status open_bundle(const char *folder, yoke_file **out, yoke_error *err)
{
    char *program = NULL;
    yoke_status status = bundle_find(folder, &program, err);
    if (status == YOKE_OK)
        status = open_path(program, out, err);
    free(program);
    return status;
}

/* How many entries of a folder end so, and the path of the last one in *found (to be freed). */
static size_t folder_find(const char *path, const char *end, char **found)
{
    size_t count = 0;
    *found = NULL;
    DIR *folder = opendir(path);
    if (!folder)
        return 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!text_ends_with(entry->d_name, end))
            continue;
        size_t length = strlen(path) + strlen(entry->d_name) + 2;
        free(*found);
        *found = malloc(length);
        if (*found)
            snprintf(*found, length, "%s/%s", path, entry->d_name);
        count++;
    }
    closedir(folder);
    return count;
}

static yoke_status open_folder(const char *path, yoke_file **out, yoke_error *err)
{
    static const char *const ENDS[] = {".safetensors.index.json", ".safetensors"};
    if (bundle_is_folder(path))
        return open_bundle(path, out, err);
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        char *found;
        size_t count = folder_find(path, ENDS[i], &found);
        yoke_status status = YOKE_OK;
        if (count > 1)
            status =
                yoke_error_set(err, YOKE_ERR_USAGE, "%s: the folder holds %zu files *%s: name one",
                               path, count, ENDS[i]);
        else if (count == 1)
            status = found ? open_path(found, out, err)
                           : yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for a path", path);
        free(found);
        if (count > 0)
            return status;
    }
    return yoke_error_set(
        err, YOKE_ERR_IO,
        "%s: the folder holds no *.safetensors, no *.safetensors.index.json and no Core "
        "ML bundle",
        path);
}

yoke_status yoke_file_open(const char *path, yoke_file **file, yoke_error *err)
{
    if (!path || !file)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_file_open: an argument is NULL");
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return open_folder(path, file, err);
    return open_path(path, file, err);
}
