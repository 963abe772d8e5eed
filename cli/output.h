/* A file that appears whole or not at all: written under a temporary name in the same folder, then
 * renamed. What is not a regular file (a pipe, /dev/stdout, "-" for it) is written directly. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdio.h>

#include "yoke/status.h"

typedef struct output {
    FILE *stream;        /* write here */
    char *path;          /* where it will be */
    char *temporary;     /* where it is; NULL when written directly */
    struct output *next; /* of the unfinished ones */
} output;

/* Opens; finish with exactly one of output_commit and output_discard. *out stays where it is until
 * then. Errors: YOKE_ERR_IO, YOKE_ERR_MEMORY. */
yoke_status output_open(output *out, const char *path, yoke_error *err);

/* Flushes and renames. On an error nothing is left behind. Errors: YOKE_ERR_IO. */
yoke_status output_commit(output *out, yoke_error *err);

/* All of it: a file that holds the text and a line break. Errors: those of both. */
yoke_status output_write(const char *path, const char *text, yoke_error *err);

/* Closes and removes. */
void output_discard(output *out);

/* Removes the temporary files of every output not yet finished. For signal handlers. */
void output_remove_unfinished(void);

#endif
