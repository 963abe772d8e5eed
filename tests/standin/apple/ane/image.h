/* A compiled program on disk: its text and its blob files, one behind the other. The stand-in's own
 * form; the real one is the engine's machine code. */
#ifndef STANDIN_ANE_IMAGE_H
#define STANDIN_ANE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct image {
    uint8_t *bytes;
    size_t size;
} image;

/* Reads a whole file; false when it cannot. */
bool image_read(const char *path, image *out);

/* Adds a file of the folder under its name. False when it cannot be read. */
bool image_add(image *to, const char *folder, const char *name, const char *path_in_folder);

/* The content of that name, NULL when there is none. */
const uint8_t *image_find(const image *in, const char *name, size_t *size);

/* Writes it whole or not at all. */
bool image_write(const image *from, const char *path);

void image_free(image *i);

#endif
