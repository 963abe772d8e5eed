#include "files/stranger.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "files/coreml/blob.h"

typedef struct known_stranger {
    const char *start;
    const char *what;
} known_stranger;

#define LFS    "a Git LFS pointer, not the file itself: fetch it with git lfs pull"
#define HTML   "an HTML page, not a weight file: the download went wrong"
#define XML    "an XML page, not a weight file: the download went wrong"
#define ZIP    "a zip archive (.npz or PyTorch), which yoke does not read: save each array as .npy"
#define GGML   "a GGML file from before GGUF, which yoke does not read"
#define HDF5   "an HDF5 file, which yoke does not read"
#define PICKLE "a Python pickle, which yoke never opens: save it as safetensors"

static const known_stranger STRANGERS[] = {
    {"version https://git-lfs", LFS},
    {"<!DOCTYPE", HTML},
    {"<html", HTML},
    {"<?xml", XML},
    {"PK\003\004", ZIP},
    {"PK\005\006", ZIP}, /* one with nothing in it */
    {"\x1f\x8b", "gzip-compressed: decompress it first"},
    {"\xfd"
     "7zXZ",
     "xz-compressed: decompress it first"},
    {"\x28\xb5\x2f\xfd", "zstd-compressed: decompress it first"},
    {"lmgg", GGML},
    {"fmgg", GGML},
    {"tjgg", GGML},
    {"GGML", GGML},
    {"\x89HDF\r\n", HDF5},
    {"\x80\x02", PICKLE},
    {"\x80\x03", PICKLE},
    {"\x80\x04", PICKLE},
    {"\x80\x05", PICKLE},
};

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The length of a header, or a count of blobs: its first bytes may be those of anything. */
static bool begins_with_number(const mapping *map)
{
    static const uint8_t high_half[4] = {0};
    return blob_is_file(map) ||
           (map->size > 8 && map->bytes[8] == '{' && memcmp(map->bytes + 4, high_half, 4) == 0);
}

const char *stranger_name(const mapping *map)
{
    size_t at = 0;
    if (begins_with_number(map))
        return NULL;
    while (at < map->size && is_blank(map->bytes[at]))
        at++;
    for (size_t i = 0; i < sizeof STRANGERS / sizeof *STRANGERS; i++) {
        size_t length = strlen(STRANGERS[i].start);
        if (map->size - at >= length &&
            strncasecmp((const char *)map->bytes + at, STRANGERS[i].start, length) == 0)
            return STRANGERS[i].what;
    }
    return NULL;
}

yoke_status stranger_refuse(const mapping *map, const char *path, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "%s: byte 0: %s", path, stranger_name(map));
}
