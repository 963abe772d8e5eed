/* What a verb's --json writes: what is not known is left out. */
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

#include <stdint.h>

#include <jansson.h>

#include "yoke/status.h"

void json_out_real(json_t *object, const char *name, double value);     /* NaN: left out */
void json_out_text(json_t *object, const char *name, const char *text); /* NULL, "": left out */
void json_out_size(json_t *object, const char *name, uint64_t value);

/* Writes the object to the path, "-" for stdout, and lets go of it; NULL stands for memory that ran
 * out. Errors: YOKE_ERR_MEMORY, those of output_open and output_commit. */
yoke_status json_out_write(json_t *object, const char *path, yoke_error *err);

#endif
