/* What a verb's --json writes: what is not known is left out. */
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "output.h"

void json_out_real(json_t *object, const char *name, double value);     /* NaN: left out */
void json_out_text(json_t *object, const char *name, const char *text); /* NULL, "": left out */
void json_out_size(json_t *object, const char *name, uint64_t value);

/* Whether the JSON for that path, which may be NULL, takes the place of what is printed. Where both
 * are asked for the JSON comes first: a reader of what is printed that goes away, as head does,
 * ends the program. */
bool json_out_alone(const char *path);

/* Writes the object, commits the output, and lets go of the object; NULL stands for memory that ran
 * out. On an error the output is discarded. Errors: YOKE_ERR_MEMORY, those of output_commit. */
yoke_status json_out_commit(json_t *object, output *out, yoke_error *err);

/* The same to a path, "-" for stdout. Errors: also those of output_open. */
yoke_status json_out_write(json_t *object, const char *path, yoke_error *err);

#endif
