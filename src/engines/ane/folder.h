/* The folder in which the framework's compiler finds a program: named by its content, below the
 * temporary folder, so that others of the same content may use it at the same time. */
#ifndef ANE_FOLDER_H
#define ANE_FOLDER_H

#include <stddef.h>

#include "yoke/status.h"

#define ANE_FOLDER_TEXT    "model.mil"
#define ANE_FOLDER_WEIGHTS "weights/weight.bin"

/* A program's text and weights; the weights may be NULL. */
typedef struct ane_source {
    const char *text;
    size_t text_bytes;
    const void *weights;
    size_t weight_bytes;
} ane_source;

/* Makes the folder and those of its files that are not there; each appears whole.
 * Errors: YOKE_ERR_IO, YOKE_ERR_MEMORY. */
yoke_status ane_folder_write(const char *folder, const ane_source *source, yoke_error *err);

/* Removes it with all that is in it, what the framework put there included. */
void ane_folder_remove(const char *folder);

#endif
