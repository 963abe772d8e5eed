#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

bool image_read(const char *path, image *out)
{
    FILE *file = fopen(path, "rb");
    *out = (image){0};
    if (!file)
        return false;
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0) {
        rewind(file);
        out->size = (size_t)size;
        out->bytes = malloc(out->size + 1);
    }
    const bool read = out->bytes && fread(out->bytes, 1, out->size, file) == out->size;
    fclose(file);
    if (!read)
        image_free(out);
    return read;
}

static bool append(image *to, const void *bytes, uint64_t size)
{
    uint8_t *grown = realloc(to->bytes, to->size + sizeof size + size + 1);
    if (!grown)
        return false;
    memcpy(grown + to->size, &size, sizeof size);
    if (size)
        memcpy(grown + to->size + sizeof size, bytes, size);
    to->bytes = grown;
    to->size += sizeof size + size;
    return true;
}

bool image_add(image *to, const char *folder, const char *name, const char *path_in_folder)
{
    char path[PATH_BYTES];
    image file;
    snprintf(path, sizeof path, "%s/%s", folder, path_in_folder);
    if (!image_read(path, &file))
        return false;
    const bool added = append(to, name, strlen(name)) && append(to, file.bytes, file.size);
    image_free(&file);
    return added;
}

/* The piece at *at, and *at behind it; NULL at the end. */
static const uint8_t *next(const image *in, size_t *at, size_t *size)
{
    uint64_t length;
    if (in->size - *at < sizeof length)
        return NULL;
    memcpy(&length, in->bytes + *at, sizeof length);
    if (length > in->size - *at - sizeof length)
        return NULL;
    const uint8_t *piece = in->bytes + *at + sizeof length;
    *size = length;
    *at += sizeof length + length;
    return piece;
}

const uint8_t *image_find(const image *in, const char *name, size_t *size)
{
    size_t at = 0, name_size;
    const uint8_t *said, *content;
    while ((said = next(in, &at, &name_size)) && (content = next(in, &at, size)))
        if (name_size == strlen(name) && memcmp(said, name, name_size) == 0)
            return content;
    return NULL;
}

bool image_write(const image *from, const char *path)
{
    char temporary[PATH_BYTES];
    snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(temporary, "wb");
    if (!file)
        return false;
    const bool written = fwrite(from->bytes, 1, from->size, file) == from->size;
    if (fclose(file) == 0 && written && rename(temporary, path) == 0)
        return true;
    remove(temporary);
    return false;
}

void image_free(image *i)
{
    free(i->bytes);
    *i = (image){0};
}
